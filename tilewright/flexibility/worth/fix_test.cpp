// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/worth/fix.h"

#include <gtest/gtest.h>

#include "tilewright/flexibility/flexibility_test_support.h"

namespace tilewright {
namespace {

using testing::paper_arch;
using testing::paper_conv;
using testing::paper_flexibility;

Network two_layers() {
  Network network;
  network.name = "two";
  network.layers.push_back({.name = "a", .workload = paper_conv(32, 16, 4, 1), .count = 1});
  network.layers.push_back({.name = "b", .workload = paper_conv(64, 8, 2, 1), .count = 2});
  return network;
}

TEST(FixedAccelerator, IsNoBetterThanItsBoundAndNoWorseThanTheGivenOne) {
  const Arch arch = paper_arch();
  const Flexibility given = paper_flexibility();
  const FixedAccelerator found = find_fixed_accelerator(given, arch, two_layers(), {});
  const FlexWorth before =
      find_worth(given, arch, two_layers(), std::vector{all_degrees(Degree::kFixed)}, {});
  EXPECT_LE(found.bound, found.row.score);
  EXPECT_LE(found.row.score, before.rows.front().score);
  EXPECT_GT(found.tried, 0U);
  // What was found is what an accelerator of that description does.
  EXPECT_TRUE(find_flexibility_faults(found.flexibility, found.arch).empty());
  const FlexWorth again = find_worth(found.flexibility, found.arch, two_layers(),
                                     std::vector{all_degrees(Degree::kFixed)}, {});
  EXPECT_EQ(again.rows.front().score, found.row.score);
}

TEST(FixedAccelerator, IsProvedWhereOneArrayIsBestForAllLayers) {
  // 16 x 64 of c and m do all of it in one pass over 16 outputs.
  Network network = two_layers();
  network.layers.pop_back();
  network.layers.front().workload = paper_conv(64, 16, 4, 1);
  const FixedAccelerator found =
      find_fixed_accelerator(paper_flexibility(), paper_arch(), network, {});
  EXPECT_EQ(found.row.status, Status::kProved);
  EXPECT_EQ(found.row.score, found.bound);
}

}  // namespace
}  // namespace tilewright
