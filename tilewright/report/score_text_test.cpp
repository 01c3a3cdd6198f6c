// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/score_text.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TEST(ScoreText, HasTheUnitOfTheObjective) {
  EXPECT_EQ(score_text("edp", 2.6533e9), "2.653 mJ*cycle");
  EXPECT_EQ(score_text("edp", 2.6533e9, 5), "2.6533 mJ*cycle");
  EXPECT_EQ(score_text("energy", 5.928e7), "59.28 uJ");
  EXPECT_EQ(score_text("latency", 2400), "2,400 cycles");
  EXPECT_EQ(score_text("traffic", 12), "12 elements");
  EXPECT_EQ(score_text("ed2p", 5e12), "5.000 J*cycle^2");
  EXPECT_EQ(score_text("energy^2*latency", 1.25e7), "1.25e+07 pJ^2*cycle");
}

}  // namespace
}  // namespace tilewright
