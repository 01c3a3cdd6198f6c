// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/assumptions_text.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TEST(AssumptionsText, IsALineOrNothing) {
  Memory dram;
  dram.name = "DRAM";
  const auto text = [&] {
    return assumptions_text(Arch("a", "", std::nullopt, {dram}, Compute{}), {});
  };
  EXPECT_EQ(text(), "assuming unlimited DRAM bandwidth\n");
  dram.shared_bandwidth = make_rational(1, 1);
  EXPECT_EQ(text(), "");
}

}  // namespace
}  // namespace tilewright
