// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tree/splits.h"

#include <gtest/gtest.h>

#include "tests/support/hand_case.h"
#include "tilewright/mapspace/mapspace.h"

namespace tilewright::verify {
namespace {

// Ten rows, in tiles that may leave a remainder: 5 to 9 rows each make two tiles.
TEST(Splits, ABlockHasEveryFactorThatLeavesSoManyTiles) {
  using Factors = std::vector<std::int64_t>;
  const Problem problem = hand_case::two_levels(hand_case::gemm(10, 1, 1));
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  const Frame frame(problem, rules, {1, 0, 0});
  const Splits rows(frame, hand_case::kM);
  EXPECT_EQ(rows.block_factors(1, 10, 2, false), (Factors{5, 6, 7, 8, 9}));
  EXPECT_EQ(rows.block_factors(1, 10, 2, true), (Factors{5}));
  EXPECT_EQ(rows.block_factors(1, 10, 3, false), (Factors{4}));
  EXPECT_EQ(rows.block_factors(1, 10, 6, false), Factors());
}

}  // namespace
}  // namespace tilewright::verify
