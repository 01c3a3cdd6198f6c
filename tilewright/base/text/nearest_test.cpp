// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/text/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilewright {
namespace {

TEST(EditDistance, CountsHalvesForCaseOnly) {
  EXPECT_EQ(edit_distance("same", "same"), 0);
  EXPECT_EQ(edit_distance("Same", "same"), 1);
  EXPECT_EQ(edit_distance("sme", "same"), 2);
  EXPECT_EQ(edit_distance("smae", "same"), 2);
  EXPECT_EQ(edit_distance("", "abc"), 6);
}

TEST(Nearest, FindsTyposAndRefusesStrangers) {
  const std::vector<std::string> keys{"capacity", "width", "bandwidth", "energy"};
  EXPECT_EQ(nearest("capcity", keys), "capacity");
  EXPECT_EQ(nearest("Width", keys), "width");
  EXPECT_EQ(nearest("banwdidth", keys), "bandwidth");
  EXPECT_EQ(nearest("zzz", keys), std::nullopt);
  EXPECT_EQ(nearest(std::string(1000, 'a'), keys), std::nullopt);
  EXPECT_EQ(nearest("x", std::vector<std::string>{}), std::nullopt);
}

}  // namespace
}  // namespace tilewright
