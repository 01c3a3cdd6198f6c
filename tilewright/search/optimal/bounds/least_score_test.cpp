// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tilewright/search/search.h"
#include "tilewright/search/search_test_support.h"
#include "tilewright/workload/operators.h"

namespace tilewright {
namespace {

// 4 x 6 x 5 on 3 units: 120 computes of 0.5 pJ in 40 cycles; 20 + 30 elements are read from DRAM
// and 24 written to it, at 100 pJ each. DRAM delivers 4 elements per cycle, which takes 13 cycles.
TEST(LeastScore, CountsComputesAndElements) {
  const Problem problem = search_test::gemm(4, 6, 5, 4096);
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  const double energy = 120 * 0.5 + (20 + 30 + 24) * 100.0;
  EXPECT_DOUBLE_EQ(least_score(problem, rules, {1, 0, 0}), energy);
  EXPECT_DOUBLE_EQ(least_score(problem, rules, {0, 1, 0}), 40);
  EXPECT_DOUBLE_EQ(least_score(problem, rules, {1, 2, 0}), energy * 40 * 40);
  EXPECT_DOUBLE_EQ(least_score(problem, rules, {0, 0, 1}), 74);
}

// 4 x 6 x 2 on 60 units would take one cycle, if DRAM did not need 5 for its 20 elements.
TEST(LeastScore, KnowsTheBandwidthOfTheHomes) {
  const Problem problem = search_test::gemm(4, 6, 2, 4096, {{"X", 60}});
  EXPECT_DOUBLE_EQ(least_score(problem, make_rules(problem, SpaceKind::kPfm, {}), {0, 1, 0}), 5);
}

// A stride of 3 leaves two holes between elements. Tiles of one element have none, so that holes
// need not cross, even where those inside a tile count as data.
TEST(LeastScore, CountsNoHoles) {
  const Workload workload = einsum("Z[p] += A[3*p] * B[p]", {{"p", 8}});
  const Arch arch("a", "", std::nullopt, {Memory{.name = "DRAM"}}, Compute{});
  Conventions conventions;
  for (const bool holes_are_data : {false, true}) {
    conventions.holes_are_data = holes_are_data;
    const Problem problem(workload, arch, conventions);
    EXPECT_DOUBLE_EQ(least_score(problem, make_rules(problem, SpaceKind::kPfm, {}), {0, 0, 1}),
                     8 + 8 + 8);
  }
}

TEST(LeastScore, LeavesOutTensorsWhoseHomeIsOpen) {
  const Problem problem = search_test::gemm(4, 6, 5, 4096);
  Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  rules.keeps[0].required &= ~TensorSet{2};  // B may come from somewhere else
  EXPECT_DOUBLE_EQ(least_score(problem, rules, {0, 0, 1}), 20 + 24);
}

TEST(LeastScore, IsNoMoreThanTheBoundOfTheSearch) {
  const Problem problem = search_test::gemm(7, 6, 5, 512);
  for (const SpaceKind kind : {SpaceKind::kPfm, SpaceKind::kRuby}) {
    const Rules rules = make_rules(problem, kind, {});
    const SearchOptions options;
    const double at_once = bound_at_once(problem, rules, options);
    EXPECT_LE(least_score(problem, rules, options.objective), at_once);
    EXPECT_LE(at_once, search_optimal(problem, rules, options).best->score);
  }
}

// What is not below is not looked for, and is not called impossible either.
TEST(Below, FindsOnlyWhatScoresLess) {
  const Problem problem = search_test::gemm(7, 6, 5, 512);
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  SearchOptions options;
  const double best = search_optimal(problem, rules, options).best->score;
  options.below = best;
  const SearchResult none = search_optimal(problem, rules, options);
  EXPECT_FALSE(none.best);
  EXPECT_EQ(none.ending, Ending::kExhausted);
  options.below = best * 1.001;
  EXPECT_DOUBLE_EQ(search_optimal(problem, rules, options).best->score, best);
}

}  // namespace
}  // namespace tilewright
