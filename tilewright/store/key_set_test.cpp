// SPDX-License-Identifier: Apache-2.0
#include "tilewright/store/key_set.h"

#include <gtest/gtest.h>

#include <string>

namespace tilewright {
namespace {

Digest key(int number) { return sha256_digest(std::to_string(number)); }

TEST(KeySet, HoldsWhatWasGivenAndWhatWasAdded) {
  KeySet keys({key(1), key(2), key(1)});
  EXPECT_EQ(keys.size(), 2U);
  EXPECT_TRUE(keys.contains(key(2)));
  EXPECT_FALSE(keys.contains(key(3)));
  EXPECT_FALSE(keys.add(key(1)));
  EXPECT_TRUE(keys.add(key(3)));
  EXPECT_FALSE(keys.add(key(3)));
  EXPECT_TRUE(keys.contains(key(3)));
  EXPECT_EQ(keys.size(), 3U);
}

TEST(KeySet, KeepsKeysWhenTheyMoveToTheList) {
  KeySet keys({key(-1)});
  for (int i = 0; i < 250'000; ++i) ASSERT_TRUE(keys.add(key(i)));
  EXPECT_EQ(keys.size(), 250'001U);
  for (int i = -1; i < 250'000; ++i) ASSERT_TRUE(keys.contains(key(i)));
  EXPECT_FALSE(keys.contains(key(250'000)));
}

}  // namespace
}  // namespace tilewright
