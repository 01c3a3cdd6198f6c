// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace tilewright {
namespace {

TEST(Random, EqualSeedsGiveEqualStreams) {
  Random a(7);
  Random b(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
  EXPECT_EQ(Random(0).next(), 0xe220a8397b1dcdafULL);  // the published first value of SplitMix64
}

TEST(Random, BetweenReachesBothEndsEvenly) {
  Random random(1);
  std::array<int, 5> seen{};
  for (int i = 0; i < 50'000; ++i) ++seen[static_cast<std::size_t>(random.between(-2, 2) + 2)];
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.between(4, 4), 4);
}

}  // namespace
}  // namespace tilewright
