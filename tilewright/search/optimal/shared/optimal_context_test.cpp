// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/optimal_context.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::memory;

// Z[m,n] += A[m,k] * B[k,n] on nine memories in a row that all keep everything. Reads and writes of
// each are limited: 18 times. The innermost one is by far the slowest.
class ManyTimes : public ::testing::Test {
 protected:
  static constexpr int kMemories = 9;

  static Problem make_problem() {
    const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
    std::vector<ArchNode> nodes;
    for (int i = 0; i < kMemories; ++i) {
      Memory next = memory("M" + std::to_string(i), 100.0 - 10 * i);
      next.read_bandwidth = make_rational(i + 1 == kMemories ? 1 : 64, 1);
      next.write_bandwidth = next.read_bandwidth;
      if (i > 0) next.capacity_bits = 200 - 20 * i;
      nodes.emplace_back(std::move(next));
    }
    return Problem(Workload("gemm", {{"m", 2}, {"n", 2}, {"k", 2}},
                            {{"A", "input", 8, {rank(0), rank(2)}},
                             {"B", "weight", 8, {rank(2), rank(1)}},
                             {"Z", "output", 8, {rank(0), rank(1)}}}),
                   Arch("row", "", std::nullopt, std::move(nodes), Compute{.energy_pj = 0.5}));
  }
  static Rules make_all_kept(const Problem& problem) {
    std::vector<Constraint> constraints;
    for (int i = 0; i < kMemories; ++i) {
      constraints.push_back({.kind = Constraint::Kind::kKeep, .node = NodeId(i), .tensors = 7});
      if (i % 2 == 0) continue;  // neighbours that allow the same take long to count
      constraints.push_back(
          {.kind = Constraint::Kind::kAtMost, .node = NodeId(i), .dim = DimId(0), .value = 1});
    }
    return make_rules(problem, SpaceKind::kPfm, constraints);
  }

  const Problem problem_ = make_problem();
  const Rules rules_ = make_all_kept(problem_);
};

TEST_F(ManyTimes, EnergyAndTrafficStayWhereTimesAreLeftOut) {
  SearchOptions options;
  options.objective = {1, 1, 1};
  const auto all = make_resources(problem_, rules_, options.objective);
  ASSERT_EQ(all.size(), 2U + 2 * kMemories);
  const OptimalContext context(problem_, rules_, options);
  ASSERT_EQ(context.resources.size(), kMaxResources);
  EXPECT_EQ(context.resources[0].kind, Resource::Kind::kEnergy);
  EXPECT_EQ(context.resources[1].kind, Resource::Kind::kTraffic);
  for (std::size_t r = 2; r < kMaxResources; ++r) {
    EXPECT_EQ(context.resources[r].kind, Resource::Kind::kTime);
    EXPECT_EQ(context.resources[r].memory, all[r].memory);
  }
}

TEST_F(ManyTimes, TheBottleneckMayBeATimeThatIsLeftOut) {
  for (const Objective& objective : {Objective{0, 1, 0}, Objective{1, 1, 0}, Objective{1, 1, 1}}) {
    SearchOptions options;
    options.objective = objective;
    const SearchResult optimal = search_optimal(problem_, rules_, options);
    const SearchResult all = search_exhaustive(Mapspace(problem_, rules_), options);
    ASSERT_TRUE(optimal.best && all.best);
    EXPECT_EQ(optimal.ending, Ending::kExhausted);
    EXPECT_EQ(optimal.best->score, all.best->score);
    EXPECT_EQ(optimal.best->evaluation.bottleneck, NodeId(kMemories - 1));
  }
}

}  // namespace
}  // namespace tilewright
