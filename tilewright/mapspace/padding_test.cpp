// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/padding.h"

#include <gtest/gtest.h>

#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

TEST(Padding, RoundsUpToTheAxes) {
  // Axes of 2 and 3: 7 may become 8 or 9, 6 stays, 1 may become 2 or 3.
  const std::vector<Problem> problems = padded_problems(testing::gemm_problem({7, 6, 1}));
  ASSERT_EQ(problems.size(), 9U);
  EXPECT_EQ(problems.front().workload().computes(), 42);
  EXPECT_EQ(problems.back().workload().computes(), 9 * 6 * 3);
  for (const Problem& problem : problems) EXPECT_EQ(problem.workload().dims()[1].size, 6);
}

TEST(Padding, NothingToFitLeavesOneChoice) {
  EXPECT_EQ(padded_problems(testing::gemm_problem({7, 6, 5}, {.axes = {}})).size(), 1U);
}

}  // namespace
}  // namespace tilewright
