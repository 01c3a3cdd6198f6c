// SPDX-License-Identifier: Apache-2.0
#include "tilewright/model/chain.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilewright {
namespace {

// 10 rows as 3 passes of 4: the last pass has 2.
const std::vector<Slot> kTen{{4, 10, 2, 0}, {3, 3, 3, 1}};

TEST(CountEvents, CountsEveryTileOnce) { EXPECT_EQ(count_events(kTen, 0), 10); }

TEST(CountEvents, MergedLoopsShareAnEvent) {
  EXPECT_EQ(count_events(kTen, 0b01), 3);  // four rows at once: three steps
  EXPECT_EQ(count_events(kTen, 0b10), 4);  // four units ever work
  EXPECT_EQ(count_events(kTen, 0b11), 1);
}

TEST(CountEvents, ALastPassOfOneHidesNothing) {
  // 9 rows as 2 passes of 8 spread as 4 x 2; held at the outer loop only what the last pass has
  // counts
  const std::vector<Slot> nine{{4, 9, 1, 0}, {3, 3, 3, 1}};
  EXPECT_EQ(count_events(nine, 0b01), 3);
  const std::vector<Slot> one{{3, 7, 1, 0}, {3, 3, 3, 1}};
  EXPECT_EQ(count_events(one, 0), 7);
  // 13 as 2 x 3 x 4, the middle loop merged: four events, then in the last pass just one.
  const std::vector<Slot> thirteen{{4, 13, 1, 0}, {3, 4, 1, 1}, {2, 2, 2, 2}};
  EXPECT_EQ(count_events(thirteen, 0b010), 4 + 1);
}

TEST(SumExtents, CoversTheDimExactly) {
  EXPECT_EQ(sum_extents(std::vector<Slot>{{3, 3, 3, 0}}, 0, 4, 2), 10);
  EXPECT_EQ(sum_extents(std::vector<Slot>{{3, 3, 3, 0}}, 1, 4, 2), 4);
  EXPECT_EQ(sum_extents({}, 0, 4, 4), 4);
  // 13 as 2 x 3 tiles of 4, the middle loop at 0: one tile of 4, then the last one of 1.
  EXPECT_EQ(sum_extents(std::vector<Slot>{{3, 4, 1, 0}, {2, 2, 2, 1}}, 0b01, 4, 1), 4 + 1);
}

}  // namespace
}  // namespace tilewright
