// SPDX-License-Identifier: Apache-2.0
#include "tests/property/flexible_case.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "tilewright/workload/operators.h"

namespace tilewright::testing {
namespace {

using Names = std::vector<std::string>;
using Tile = std::vector<std::int64_t>;

constexpr std::int64_t kBits = 8;

Names shuffled(Names names, Random& random) {
  for (std::size_t i = names.size(); i > 1; --i) {
    std::swap(names[i - 1],
              names[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
  }
  return names;
}

std::int64_t size_of(const Workload& workload, const std::string& dim) {
  const auto found = workload.find_dim(dim);
  return found ? workload.dim(*found).size : 1;
}

/// The map spaces of one case as sets.
class Lists {
 public:
  Lists(const FlexibleCase& made, const Degrees& degrees) : made_(made), degrees_(degrees) {}

  // C, A, W, C and W, A and W of one axis; then of all.
  using Sizes = SpaceSizes;

  std::array<Sizes, kFlexAxes + 1> run() {
    std::array<Sizes, kFlexAxes + 1> sizes{};
    sizes[0] = tiles();
    sizes[1] = orders();
    sizes[2] = parallelisms();
    sizes[3] = shapes();
    const Sizes both = parallelisms_and_shapes();
    for (std::size_t i = 0; i < both.size(); ++i) {
      sizes[kFlexAxes][i] = sizes[0][i] * sizes[1][i] * both[i];
    }
    return sizes;
  }

 private:
  const Workload& workload() const { return made_.workload; }

  // By hand: the tensors of the two einsums above, in words.
  std::array<std::int64_t, 3> words(const Tile& tile) const {
    const auto at = [&](const char* dim) {
      const auto found = workload().find_dim(dim);
      return found ? tile[found->pos()] : 1;
    };
    const bool slides = workload().find_dim("r").has_value();
    return {slides ? at("p") + at("r") - 1 : at("c") * at("p"),
            slides ? at("m") * at("r") : at("m") * at("c"), at("m") * at("p")};
  }

  Sizes tiles() const {
    const NodeId buffer = *made_.arch.find("GLB");
    const std::int64_t room = *made_.arch.memory(buffer).capacity_bits / kBits;
    std::int64_t shares = 0;
    for (const PerTensor& part : made_.flexibility.partition) shares += part.value;
    std::array<std::int64_t, 3> parts{};
    for (std::size_t t = 0; t < 3; ++t) {
      parts[t] = room * kBits * made_.flexibility.partition[t].value / shares / kBits;
    }
    Tile fixed;
    for (const Dim& dim : workload().dims()) {
      std::int64_t size = 1;
      for (const FixedLoop& loop : made_.flexibility.loops) {
        if (loop.dim == dim.name) size *= loop.factor;
      }
      fixed.push_back(std::min(size, dim.size));
    }
    const Degree degree = degrees_[FlexAxis::kTile];
    Sizes sizes{};
    for (std::int64_t a = 0; a <= room; ++a) {
      for (std::int64_t b = 0; b <= room; ++b) {
        for (std::int64_t c = 0; c <= room; ++c) {
          const bool inside = a <= parts[0] && b <= parts[1] && c <= parts[2];
          const bool fits = a + b + c <= room;
          sizes[0] += fits ? 1 : 0;
          if (degree == Degree::kFull) sizes[1] += fits ? 1 : 0;
          if (degree == Degree::kPartial) sizes[1] += inside ? 1 : 0;
        }
      }
    }
    if (degree == Degree::kFixed) sizes[1] = 1;
    Tile tile(workload().dims().size(), 1);
    const std::function<void(std::size_t)> visit = [&](std::size_t d) {
      if (d < tile.size()) {
        for (tile[d] = 1; tile[d] <= workload().dims()[d].size; ++tile[d]) visit(d + 1);
        return;
      }
      const auto [a, b, c] = words(tile);
      const bool fits = a + b + c <= room;
      const bool inside = a <= parts[0] && b <= parts[1] && c <= parts[2];
      ++sizes[2];
      sizes[3] += fits ? 1 : 0;
      if (degree == Degree::kFull) sizes[4] += fits ? 1 : 0;
      if (degree == Degree::kPartial) sizes[4] += inside || tile == fixed ? 1 : 0;
      if (degree == Degree::kFixed) sizes[4] += tile == fixed ? 1 : 0;
    };
    visit(0);
    return sizes;
  }

  Names loops(Names order) const {
    std::erase_if(order, [&](const std::string& dim) { return size_of(workload(), dim) == 1; });
    return order;
  }

  static Sizes sizes_of(const auto& all, const auto& ours, const auto& any, const auto& built,
                        const auto& mine) {
    return {all.size(), ours.size(), any.size(), built.size(), mine.size()};
  }

  std::set<Names> listed(const std::vector<Names>& lists, FlexAxis axis) const {
    if (degrees_[axis] == Degree::kFixed) return {lists.front()};
    return {lists.begin(), lists.end()};
  }

  Sizes orders() const {
    std::set<Names> all;
    std::set<Names> any;
    Names order = made_.flexibility.dims;
    std::ranges::sort(order);
    do {
      all.insert(order);
      any.insert(loops(order));
    } while (std::ranges::next_permutation(order).found);
    const std::set<Names> ours = degrees_[FlexAxis::kOrder] == Degree::kFull
                                     ? all
                                     : listed(made_.flexibility.orders, FlexAxis::kOrder);
    std::set<Names> mine;
    for (const Names& one : ours) mine.insert(loops(one));
    return sizes_of(all, ours, any, any, mine);
  }

  std::set<Names> all_pairs() const {
    std::set<Names> all;
    for (const std::string& a : made_.flexibility.dims) {
      for (const std::string& b : made_.flexibility.dims) {
        if (a != b) all.insert({a, b});
      }
    }
    return all;
  }

  std::set<Names> our_pairs() const {
    return degrees_[FlexAxis::kParallelism] == Degree::kFull
               ? all_pairs()
               : listed(made_.flexibility.parallelisms, FlexAxis::kParallelism);
  }

  std::set<Names> used(const std::set<Names>& pairs) const {
    std::set<Names> result;
    for (Names pair : pairs) {
      for (std::string& dim : pair) {
        if (size_of(workload(), dim) == 1) dim = "-";
      }
      result.insert(pair);
    }
    return result;
  }

  Sizes parallelisms() const {
    const auto any = used(all_pairs());
    return sizes_of(all_pairs(), our_pairs(), any, any, used(our_pairs()));
  }

  std::set<std::int64_t> rows(Degree degree) const {
    std::set<std::int64_t> result;
    const std::vector<std::int64_t> fixed = fixed_shape(made_.flexibility, made_.arch);
    const std::int64_t units = fixed[0] * fixed[1];
    if (degree != Degree::kFull) result.insert(fixed[0]);
    if (degree == Degree::kFull) {
      for (std::int64_t r = 1; r <= units; ++r) result.insert(r);
    } else if (degree == Degree::kPartial) {
      const std::vector<std::int64_t>& block = made_.flexibility.block;
      // A row of blocks after the other, as long as the units last.
      for (std::int64_t r = block[0]; r * block[1] <= units; r += block[0]) result.insert(r);
    }
    return result;
  }

  static std::set<std::int64_t> cut(const std::set<std::int64_t>& sizes, std::int64_t most) {
    std::set<std::int64_t> result;
    for (const std::int64_t size : sizes) result.insert(std::min(size, most));
    return result;
  }

  Sizes shapes_for(std::int64_t most) const {
    std::set<std::int64_t> any;
    for (std::int64_t r = 1; r <= most; ++r) any.insert(r);
    const auto all = rows(Degree::kFull);
    const auto ours = rows(degrees_[FlexAxis::kShape]);
    return sizes_of(all, ours, any, cut(all, most), cut(ours, most));
  }

  Sizes shapes() const {
    return shapes_for(size_of(workload(), made_.flexibility.parallelisms.front().front()));
  }

  Sizes parallelisms_and_shapes() const {
    const Sizes pairs = parallelisms();
    Sizes sum{pairs[0] * shapes()[0], pairs[1] * shapes()[1], 0, 0, 0};
    for (const Names& pair : used(all_pairs())) {
      const Sizes shapes = shapes_for(size_of(workload(), pair.front()));
      sum[2] += shapes[2];
      sum[3] += shapes[3];
    }
    for (const Names& pair : used(our_pairs())) {
      sum[4] += shapes_for(size_of(workload(), pair.front()))[4];
    }
    return sum;
  }

  const FlexibleCase& made_;
  const Degrees degrees_;
};

}  // namespace

FlexibleCase make_flexible_case(Random& random, std::int64_t largest) {
  const auto size = [&] { return random.between(1, largest); };
  Workload workload =
      random.one_in(2)
          ? einsum("Z[m,p] += A[c,p] * B[m,c]", {{"m", size()}, {"c", size()}, {"p", size()}})
          : einsum("Z[m,p] += A[p+r] * B[m,r]", {{"m", size()}, {"p", size()}, {"r", size()}});
  std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  for (Tensor& tensor : tensors) tensor.bits = kBits;
  workload = Workload(workload.name(), {workload.dims().begin(), workload.dims().end()}, tensors);
  const auto memory = [&](const char* name, std::optional<std::int64_t> words) {
    Memory result;
    result.name = name;
    if (words) result.capacity_bits = kBits * *words;
    result.energy.read_pj = result.energy.fill_pj = result.energy.update_pj =
        static_cast<double>(random.between(1, 9));
    if (random.one_in(2)) result.shared_bandwidth = make_rational(kBits * random.between(1, 8), 1);
    return result;
  };
  std::vector<ArchNode> nodes = {
      memory("DRAM", std::nullopt), memory("GLB", random.between(4, 40)),
      Fanout{"PE", {{"X", random.between(1, 3)}, {"Y", random.between(1, 3)}}}};
  const bool has_register = random.one_in(3);
  if (has_register) nodes.push_back(memory("RF", random.between(3, 9)));
  Compute compute;
  compute.energy_pj = 1;
  FlexibleCase made{workload, Arch("random", "", std::nullopt, nodes, compute), {}};
  Flexibility& flexibility = made.flexibility;
  for (const Dim& dim : workload.dims()) flexibility.dims.push_back(dim.name);
  flexibility.buffer = "GLB";
  flexibility.array = "PE";
  for (const std::string& dim : flexibility.dims) {
    if (!random.one_in(3)) flexibility.loops.push_back({"GLB", dim, random.between(1, 4)});
    if (has_register && random.one_in(2)) {
      flexibility.loops.push_back({"RF", dim, random.between(1, 2)});
    }
  }
  flexibility.partition = {{"input", random.between(1, 3)},
                           {"weight", random.between(1, 3)},
                           {"output", random.between(1, 3)}};
  const auto some = [&](const std::function<Names()>& make) {
    std::vector<Names> result = {make()};
    while (random.one_in(2)) result.push_back(make());
    return result;
  };
  flexibility.orders = some([&] { return shuffled(flexibility.dims, random); });
  flexibility.parallelisms = some([&] {
    Names dims = shuffled(flexibility.dims, random);
    dims.resize(2);
    return dims;
  });
  const std::vector<std::int64_t> shape = fixed_shape(flexibility, made.arch);
  flexibility.block = {random.between(1, shape[0]), random.between(1, shape[1])};
  return made;
}

std::vector<Degrees> every_degrees() {
  std::vector<Degrees> result;
  constexpr std::array kDegrees = {Degree::kFixed, Degree::kPartial, Degree::kFull};
  for (const Degree t : kDegrees) {
    for (const Degree o : kDegrees) {
      for (const Degree p : kDegrees) {
        for (const Degree s : kDegrees) result.push_back({{t, o, p, s}});
      }
    }
  }
  return result;
}

std::string text_of(const Degrees& degrees) {
  std::string text;
  for (const Degree degree : degrees.of) text += degree_name(degree)[1];  // i, a, u
  return text;
}

std::array<SpaceSizes, kFlexAxes + 1> list_spaces(const FlexibleCase& made,
                                                  const Degrees& degrees) {
  return Lists(made, degrees).run();
}

}  // namespace tilewright::testing
