// SPDX-License-Identifier: Apache-2.0
// What only the walker can do; what it counts is in tests/cost.
#include "tilewright/walker/walk.h"

#include <gtest/gtest.h>

#include "tests/support/hand_case.h"

namespace tilewright::hand_case {
namespace {

TEST(Walk, StepsBeyondTheLimitAreRefused) {
  WalkOptions options;
  const Problem problem = three_levels(gemm(4, 6, 8));
  const Mapping mapping({keep(0, kAll), time(kM, 4), time(kN, 6), time(kK, 8)});
  options.max_points = 191;
  EXPECT_FALSE(walk(problem, mapping, options).has_value());
  options.max_points = 192;
  EXPECT_TRUE(walk(problem, mapping, options).has_value());
}

TEST(Walk, ComparedTilesAreNotSentTwice) {
  // The same nest: m goes 0 1 0 1 2 3 2 3 4 4, and only the last is there already.
  WalkOptions options;
  options.compare_tiles = true;
  const auto e =
      walk(two_levels(gemm(5, 2, 1)),
           Mapping({keep(0, kAll), time(kM, 3), time(kN, 2), time(kM, 2), keep(1, kAll)}), options);
  ASSERT_TRUE(e.has_value());
  EXPECT_EQ(row(*e, 1, 0), (Row{1, 10, 9, 0}));
  EXPECT_EQ(row(*e, 0, 0), (Row{5, 9, 0, 0}));
  EXPECT_EQ(row(*e, 1, 1), (Row{1, 10, 6, 0}));
}

}  // namespace
}  // namespace tilewright::hand_case
