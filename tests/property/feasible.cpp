// SPDX-License-Identifier: Apache-2.0
// Whether any mapping fits, against trying all of them: on random problems, each at the edge of
// what fits. For one memory after the other the least capacity is found with which a mapping fits:
// with it one does, and with a bit less none, whoever decides.
//   property.feasible [--cases N] [--seed S]
#include "tilewright/mapspace/feasibility/feasible.h"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/options.h"
#include "tests/support/small_case.h"
#include "tilewright/base/random.h"

namespace {

using namespace tilewright;
using testing::SmallCase;

SmallCase with_capacity(const SmallCase& given, std::size_t node, std::int64_t bits) {
  const Arch& arch = given.problem.arch();
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  std::get<Memory>(nodes[node]).capacity_bits = bits;
  return {given.problem.with(Arch(arch.name(), "", std::nullopt, nodes, arch.compute())),
          given.kind, given.constraints};
}

SmallCase with_workload(const SmallCase& given, std::vector<Dim> dims, std::vector<Tensor> tensors,
                        Conventions conventions = {}) {
  return {Problem(Workload("changed", std::move(dims), std::move(tensors)), given.problem.arch(),
                  conventions),
          given.kind, given.constraints};
}

// The case as it is; with an output that has holes, which count; with sums that meet in the output
// (`Z[a+b]`) and are wider while they are made; with larger dims.
SmallCase variant(const SmallCase& given, std::uint64_t number, Random& random) {
  const Workload& workload = given.problem.workload();
  std::vector<Dim> dims(workload.dims().begin(), workload.dims().end());
  std::vector<Tensor> tensors(workload.tensors().begin(), workload.tensors().end());
  switch (number % 4) {
    case 1:
      for (Rank& rank : tensors.back().ranks) {
        if (rank.terms.size() == 1) rank.terms.front().coefficient = 2;
      }
      return with_workload(given, dims, tensors, {.holes_are_data = true});
    case 2: {
      const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
      tensors = {{.name = "A", .bits = 1, .ranks = {rank(0)}},
                 {.name = "B", .bits = 1, .ranks = {rank(1)}},
                 {.name = "Z",
                  .bits = 1,
                  .ranks = {Rank{{{DimId(0), 1}, {DimId(1), 1}}}},
                  .partial_bits = random.between(2, 4)}};
      if (dims.size() > 2) tensors[0].ranks.push_back(rank(2));
      return with_workload(given, dims, tensors);
    }
    case 3:
      for (Dim& dim : dims)
        dim.size = dims.size() == 2 ? random.between(4, 16) : random.between(2, 6);
      return with_workload(given, dims, tensors);
    default:
      return given;
  }
}

bool decide(const SmallCase& given) {
  return find_feasible(given.problem, make_rules(given.problem, given.kind, given.constraints))
      .has_value();
}

std::optional<bool> by_trying(const SmallCase& given) {
  return testing::try_all(given.problem, make_rules(given.problem, given.kind, given.constraints),
                          2e5);
}

class Checker {
 public:
  // False once something is wrong.
  bool check(const SmallCase& given) {
    if (!agree(given, "as it is")) return false;
    const std::span<const ArchNode> nodes = given.problem.arch().nodes();
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (std::holds_alternative<Memory>(nodes[n]) && !check_edge(given, n)) return false;
    }
    return true;
  }

  std::uint64_t compared() const { return compared_; }
  std::uint64_t edges() const { return edges_; }

 private:
  bool check_edge(const SmallCase& given, std::size_t node) {
    constexpr std::int64_t kPlenty = 4096;
    if (!decide(with_capacity(given, node, kPlenty))) return true;
    std::int64_t over = kPlenty;  // fits
    std::int64_t under = -1;      // does not
    while (over - under > 1) {
      const std::int64_t middle = under + (over - under) / 2;
      (decide(with_capacity(given, node, middle)) ? over : under) = middle;
    }
    ++edges_;
    if (!agree(with_capacity(given, node, over), "at the edge")) return false;
    return under < 0 || agree(with_capacity(given, node, under), "below the edge");
  }

  bool agree(const SmallCase& given, const char* where) {
    const std::optional<bool> expected = by_trying(given);
    if (!expected) return true;
    ++compared_;
    if (*expected == decide(given)) return true;
    std::printf("%s: %s, but find_feasible says otherwise\n", where,
                *expected ? "a mapping fits" : "no mapping fits");
    return false;
  }

  std::uint64_t compared_ = 0;
  std::uint64_t edges_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const testing::Options options =
      testing::read_options(argc, argv, {{"--cases", 300}, {"--seed", 1}});
  Checker checker;
  Random random(options.at("--seed"));
  for (std::uint64_t i = 0; i < options.at("--cases"); ++i) {
    const SmallCase given = testing::make_small_case(options.at("--seed"), i);
    if (!checker.check(variant(given, i, random))) {
      std::printf("feasible: WRONG in case %llu\n", static_cast<unsigned long long>(i));
      return 1;
    }
  }
  std::printf("feasible: %llu problems, %llu at the edge of what fits, decided as by trying all\n",
              static_cast<unsigned long long>(checker.compared()),
              static_cast<unsigned long long>(checker.edges()));
  return checker.edges() > 0 ? 0 : 1;
}
