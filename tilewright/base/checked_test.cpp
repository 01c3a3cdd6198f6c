// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/checked.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TEST(Checked, OverflowIsAnError) {
  EXPECT_EQ(checked_mul(3, -4), -12);
  EXPECT_THROW(checked_mul(INT64_MAX, 2), OverflowError);
  EXPECT_EQ(checked_add(3, 4), 7);
  EXPECT_THROW(checked_add(INT64_MAX, 1), OverflowError);
}

TEST(Checked, CeilDivRoundsUp) {
  EXPECT_EQ(ceil_div(0, 5), 0);
  EXPECT_EQ(ceil_div(10, 5), 2);
  EXPECT_EQ(ceil_div(11, 5), 3);
}

TEST(Rational, IsKeptInLowestTerms) {
  EXPECT_EQ(make_rational(6, 4), (Rational{3, 2}));
  EXPECT_EQ(make_rational(0, 7), (Rational{0, 1}));
  EXPECT_THROW(make_rational(1, 0), InternalError);
  EXPECT_EQ((make_rational(2, 3) * make_rational(9, 4)), (Rational{3, 2}));
}

TEST(Rational, CeilDivIsExact) {
  EXPECT_EQ(ceil_div(10, make_rational(1, 2)), 20);
  EXPECT_EQ(ceil_div(10, make_rational(63, 4)), 1);
  EXPECT_EQ(ceil_div(INT64_MAX / 2, make_rational(INT64_MAX / 2, 1)), 1);
  EXPECT_THROW(ceil_div(INT64_MAX, make_rational(1, 2)), OverflowError);
}

TEST(Check, ThrowsInternalErrorWithItsMeaning) {
  try {
    TW_CHECK(1 == 2, "one is two");
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("one is two"), std::string::npos);
  }
}

}  // namespace
}  // namespace tilewright
