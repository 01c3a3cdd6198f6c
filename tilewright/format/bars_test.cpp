// SPDX-License-Identifier: Apache-2.0
#include "tilewright/format/bars.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilewright {
namespace {

TEST(Bar, HasEighths) {
  EXPECT_EQ(bar(1, 4, {}), "████");
  EXPECT_EQ(bar(0.5, 4, {}), "██");
  EXPECT_EQ(bar(0.5, 1, {}), "▌");
  EXPECT_EQ(bar(0, 4, {}), "");
}

TEST(Bar, ShowsWhateverIsThere) {
  EXPECT_EQ(bar(1e-9, 4, {}), "▏");
  EXPECT_EQ(bar(1e-9, 4, {80, false, true}), "#");
}

TEST(Bar, StaysInItsCells) {
  EXPECT_EQ(bar(7, 4, {}), "████");
  EXPECT_EQ(bar(-1, 4, {}), "");
}

TEST(Bar, IsAsciiIfAsked) { EXPECT_EQ(bar(0.5, 8, {80, false, true}), "####"); }

TEST(StackedBar, IsOneBarWithoutColours) {
  const std::vector<BarPiece> pieces = {{0.25, 34}, {0.25, 33}};
  EXPECT_EQ(stacked_bar(pieces, 8, {}), "████");
  EXPECT_EQ(stacked_bar({}, 8, {}), "");
}

TEST(StackedBar, IsAsLongInColours) {
  const TextOptions color{80, true, false};
  for (double a = 0; a <= 0.5; a += 0.03) {
    for (double b = 0; b <= 0.5; b += 0.03) {
      const std::vector<BarPiece> pieces = {{a, 34}, {b, 33}, {0, 32}};
      EXPECT_LE(display_width(stacked_bar(pieces, 9, color)), 9);
      EXPECT_NEAR(display_width(stacked_bar(pieces, 9, color)), (a + b) * 9, 1.0);
    }
  }
}

TEST(StackedBar, PaintsEachPiece) {
  const std::vector<BarPiece> pieces = {{0.5, 34}, {0.5, 33}};
  EXPECT_EQ(stacked_bar(pieces, 2, {80, true, false}), "\x1b[34m█\x1b[0m\x1b[33m█\x1b[0m");
}

}  // namespace
}  // namespace tilewright
