// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/memory_limit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

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
  const auto used = memory_in_use();
  if (!used) GTEST_SKIP() << "this system does not tell";
  EXPECT_TRUE(is_exceeded(MemoryLimit(*used / 2)));
  EXPECT_FALSE(is_exceeded(MemoryLimit(*used * 4)));
}

TEST(MemoryLimit, IsThatOfTheMachineWhereNoneIsGiven) { EXPECT_FALSE(is_exceeded(MemoryLimit(0))); }

}  // namespace
}  // namespace tilewright
