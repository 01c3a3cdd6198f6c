// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/fixed_vector.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TEST(FixedVector, HoldsItemsUpToItsCapacity) {
  FixedVector<int, 3> items;
  EXPECT_TRUE(items.empty());
  for (const int i : {4, 5, 6}) items.push_back(i);
  EXPECT_EQ(items.size(), 3U);
  EXPECT_EQ(items[1], 5);
  EXPECT_EQ(items.end() - items.begin(), 3);
  EXPECT_THROW(items.push_back(7), InternalError);
  items.resize(1);
  EXPECT_EQ(items.size(), 1U);
  EXPECT_THROW(items.resize(4), InternalError);
}

}  // namespace
}  // namespace tilewright
