// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/stats/check.h"

#include <gtest/gtest.h>

#include "tests/support/hand_case.h"
#include "tests/support/old_report.h"

namespace tilewright::timeloop {
namespace {

using hand_case::kAll;
using hand_case::kK;
using hand_case::kM;
using hand_case::kN;

// The reduction is outermost: partial sums leave the inner memory and come back.
Mapping reduction_outside() {
  return Mapping({hand_case::keep(0, kAll), hand_case::time(kK, 2), hand_case::time(kM, 3),
                  hand_case::keep(1, kAll), hand_case::time(kM, 4), hand_case::time(kN, 3)});
}

Problem problem() { return hand_case::two_levels(hand_case::gemm(10, 3, 2)); }

TEST(CheckStats, AReportCountedByTheSameConventionsAgrees) {
  const StatsCheck check =
      check_stats(problem(), reduction_outside(), old_report(problem(), reduction_outside(), {}));
  EXPECT_EQ(check.disagreements(), 0U);
  EXPECT_EQ(check.figures.size(), 2 * (3 * 5 + 2) + 3U);
  EXPECT_TRUE(check.other.empty());
  EXPECT_TRUE(check.unknown.empty());
}

TEST(CheckStats, FindsTheConventionsOfAnotherTimeloop) {
  compat::TimeloopRules rules;
  rules.first_read_elision = false;
  rules.steps_by_factors = false;
  const StatsCheck check = check_stats(problem(), reduction_outside(),
                                       old_report(problem(), reduction_outside(), rules));
  EXPECT_EQ(check.disagreements(), 0U);
  ASSERT_EQ(check.other.size(), 2U);
  for (const OtherConvention& other : check.other) {
    EXPECT_FALSE(other.on);
    EXPECT_TRUE(other.convention.name == "first_read_elision" ||
                other.convention.name == "steps_by_factors")
        << other.convention.name;
  }
}

TEST(CheckStats, SaysWhatItCannotExplain) {
  Stats stats = old_report(problem(), reduction_outside(), {});
  ++*stats.levels.back().tensors.front().reads;
  const StatsCheck check = check_stats(problem(), reduction_outside(), stats);
  EXPECT_EQ(check.disagreements(), 1U);
  for (const CheckedFigure& one : check.figures) {
    if (one.agrees) continue;
    EXPECT_EQ(to_text(problem(), check.comparison.figures[one.figure].name), "DRAM.A reads");
    EXPECT_EQ(one.reported, check.comparison.figures[one.figure].theirs + 1);
  }
}

TEST(CheckStats, EnergiesAgreeToTheirPrintedDigits) {
  Stats stats = old_report(problem(), reduction_outside(), {});
  *stats.levels.back().tensors.front().energy_pj += 0.004;
  EXPECT_EQ(check_stats(problem(), reduction_outside(), stats).disagreements(), 0U);
  *stats.levels.back().tensors.front().energy_pj += 1;
  EXPECT_EQ(check_stats(problem(), reduction_outside(), stats).disagreements(), 1U);
}

TEST(CheckStats, ListsNamesThatTheProblemDoesNotHave) {
  Stats stats = old_report(problem(), reduction_outside(), {});
  stats.levels.front().name = "L9";
  stats.levels.back().tensors.front().name = "Q";
  const StatsCheck check = check_stats(problem(), reduction_outside(), stats);
  ASSERT_EQ(check.unknown.size(), 2U);
  EXPECT_EQ(check.unknown[0], "memory L9");
  EXPECT_EQ(check.unknown[1], "tensor Q in DRAM");
  EXPECT_EQ(check.disagreements(), 0U);
}

}  // namespace
}  // namespace tilewright::timeloop
