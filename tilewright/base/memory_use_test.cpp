// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/memory_use.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilewright {
namespace {

TEST(MemoryUse, GrowsWithWhatIsWritten) {
  const auto before = memory_in_use();
  if (!before) GTEST_SKIP() << "this system does not tell";
  constexpr std::size_t kBytes = 64U << 20U;
  const std::vector<char> block(kBytes, 1);
  const auto with = memory_in_use();
  ASSERT_TRUE(with);
  EXPECT_GE(*with, *before + kBytes * 9 / 10);
  EXPECT_EQ(block.back(), 1);
}

TEST(MemoryUse, IsLessThanTheMachineHas) {
  const auto all = memory_of_machine();
  if (!all) GTEST_SKIP() << "this system does not tell";
  EXPECT_LT(memory_in_use().value_or(0), *all);
}

}  // namespace
}  // namespace tilewright
