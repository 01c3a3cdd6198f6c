// SPDX-License-Identifier: Apache-2.0
#include "tests/support/uneven_case.h"

#include <algorithm>
#include <string>

#include "tilewright/base/random.h"
#include "tilewright/mapspace/arrangement.h"
#include "tilewright/workload/footprint.h"

namespace tilewright::testing {
namespace {

constexpr std::uint64_t kFewArrangements = 40;

// A product or a convolution with a small buffer: what fits decides.
class TightMaker {
 public:
  TightMaker(std::uint64_t seed, std::uint64_t index)
      : random_(Random(seed * 0x2545f4914f6cdd1dULL ^ index).next()) {}

  SearchCase make() {
    constexpr SpaceKind kKinds[] = {SpaceKind::kPfm, SpaceKind::kPfm, SpaceKind::kRubyS,
                                    SpaceKind::kRubyT, SpaceKind::kRuby};
    const SpaceKind kind = kKinds[random_.between(0, 4)];
    const bool remainders = kind == SpaceKind::kRubyT || kind == SpaceKind::kRuby;
    const Workload workload = make_workload(remainders ? 5 : 8);
    SearchCase made{
        Problem(workload, make_arch(workload), {false, random_.one_in(2)}), kind, {}, {}, {}};
    constexpr const char* kObjectives[] = {"energy", "edp", "latency", "traffic"};
    made.options.objective = *objective_by_name(
        kObjectives[random_.one_in(3) ? random_.between(0, 3) : random_.between(0, 1)]);
    made.options.threads = 1;
    if (random_.one_in(4)) {
      const bool keeps = random_.one_in(2);
      made.constraints.push_back(
          {.kind = keeps ? Constraint::Kind::kKeep : Constraint::Kind::kBypass,
           .node = NodeId(1),
           .tensors = TensorSet{1} << random_.between(0, 2)});
    }
    return made;
  }

 private:
  std::int64_t size(std::int64_t most) {
    constexpr std::int64_t kSizes[] = {2, 3, 4, 4, 5, 6, 8};
    return std::min(most, kSizes[random_.between(0, 6)]);
  }

  Workload make_workload(std::int64_t most) {
    const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
    const std::vector<Dim> dims = {{"m", size(most)}, {"n", size(most)}, {"k", size(most)}};
    const auto bits = [&] { return random_.one_in(2) ? 8 : random_.between(1, 3) * 8; };
    if (random_.one_in(3)) {  // m channels, n positions, k taps
      const Rank window{{{DimId(1), random_.between(1, 2)}, {DimId(2), 1}}};
      return Workload("conv", dims,
                      {{"I", "input", bits(), {window}},
                       {"W", "weight", bits(), {rank(0), rank(2)}},
                       {"O", "output", bits(), {rank(0), rank(1)}}});
    }
    Tensor output{"Z", "output", bits(), {rank(0), rank(1)}};
    if (random_.one_in(4)) output.partial_bits = output.bits + 8;
    return Workload("gemm", dims,
                    {{"A", "input", bits(), {rank(0), rank(2)}},
                     {"B", "weight", bits(), {rank(2), rank(1)}},
                     output});
  }

  Memory make_memory(const char* name, double pj) {
    Memory memory;
    memory.name = name;
    memory.energy = {pj, pj, pj, ""};
    if (random_.one_in(3)) memory.shared_bandwidth = Rational{random_.between(8, 48), 1};
    if (random_.one_in(4)) memory.sliding = {false, {}};
    return memory;
  }

  Arch make_arch(const Workload& workload) {
    std::int64_t all = 0;
    for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
      std::vector<std::int64_t> sizes;
      for (const Dim& dim : workload.dims()) sizes.push_back(dim.size);
      all += TileForm(workload, TensorId(t), false).elements(sizes) * workload.tensors()[t].bits;
    }
    std::vector<ArchNode> nodes;
    nodes.emplace_back(make_memory("DRAM", 128));
    Memory buffer = make_memory("GLB", 6);
    buffer.capacity_bits = std::max<std::int64_t>(24, all * random_.between(4, 40) / 64);
    nodes.emplace_back(buffer);
    if (random_.one_in(2)) nodes.emplace_back(Fanout{"PE", {{"X", random_.between(2, 3)}}});
    if (random_.one_in(4)) {
      Memory registers = make_memory("reg", 1);
      registers.capacity_bits = 24;
      registers.keep = {false, {workload.tensors()[2].name}};
      nodes.emplace_back(registers);
    }
    Compute compute;
    compute.energy_pj = 1;
    return Arch("tight", "", std::nullopt, nodes, compute);
  }

  Random random_;
};

}  // namespace

std::optional<SearchCase> make_uneven_case(std::uint64_t seed, std::uint64_t index) {
  SearchCase made =
      index % 3 != 0 ? TightMaker(seed, index).make() : make_search_case(seed, index, 600);
  // Constraints on what is kept stay: those on loops make memories even.
  std::erase_if(made.constraints, [](const Constraint& constraint) {
    return constraint.kind != Constraint::Kind::kKeep &&
           constraint.kind != Constraint::Kind::kBypass;
  });
  made.placement = most_uneven(made.problem, made.constraints);
  if (made.placement.uneven.empty() ||
      count_arrangements(made.problem, made.constraints, made.placement) > kFewArrangements) {
    return std::nullopt;
  }
  return made;
}

}  // namespace tilewright::testing
