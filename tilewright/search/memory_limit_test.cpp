// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/memory_limit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "tilewright/base/memory_use.h"

namespace tilewright {
namespace {

// Whether it says so within a while.
bool is_exceeded(const MemoryLimit& limit) {
  for (int i = 0; i < 20; ++i) {
    if (limit.is_exceeded()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(6));
  }
  return false;
}

TEST(MemoryLimit, ComparesWithWhatTheProcessOccupies) {
  if (!memory_in_use()) GTEST_SKIP() << "this system does not tell";
  constexpr std::size_t kBytes = 64U << 20U;
  const std::vector<char> block(kBytes, 1);  // what other tests have freed does not count
  EXPECT_TRUE(is_exceeded(MemoryLimit(kBytes)));
  EXPECT_FALSE(is_exceeded(MemoryLimit(*memory_in_use() * 4)));
  EXPECT_EQ(block.back(), 1);
}

TEST(MemoryLimit, IsThatOfTheMachineWhereNoneIsGiven) { EXPECT_FALSE(is_exceeded(MemoryLimit(0))); }

}  // namespace
}  // namespace tilewright
