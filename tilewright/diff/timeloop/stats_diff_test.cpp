// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/timeloop/stats_diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/hand_case.h"
#include "tests/support/old_report.h"

namespace tilewright {
namespace {

using hand_case::ragged_rows;

Problem problem() { return hand_case::two_levels(hand_case::gemm(10, 3, 2)); }

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(StatsDiff, ShowsReportTimeloopsWayAndOurs) {
  const timeloop::StatsCheck check =
      check_stats(problem(), ragged_rows(), old_report(problem(), ragged_rows(), {}));
  const std::string text = stats_text(problem(), check, "old.stats.txt", {.width = 100});
  EXPECT_TRUE(has(text, "against old.stats.txt\n")) << text;
  EXPECT_TRUE(has(text, "37 of 37 figures of the report agree with Timeloop's way")) << text;
  EXPECT_TRUE(has(text, "steps_by_factors: steps are the product")) << text;
  EXPECT_FALSE(has(text, "not explained")) << text;
}

TEST(StatsDiff, NamesWhatTheReportHasAndNobodyExplains) {
  timeloop::Stats stats = old_report(problem(), ragged_rows(), {});
  *stats.cycles += 5;
  const timeloop::StatsCheck check = check_stats(problem(), ragged_rows(), stats);
  const std::string text = stats_text(problem(), check, "r", {.width = 100});
  EXPECT_TRUE(has(text, "the report: not explained +5")) << text;
  EXPECT_TRUE(has(text, "36 of 37 figures")) << text;
  const auto json = nlohmann::json::parse(stats_json(problem(), check, "r"));
  EXPECT_EQ(json.at("disagreements"), 1);
  EXPECT_EQ(json.at("figures").size(), 37U);
}

TEST(StatsDiff, SaysWhichConventionsWereOthers) {
  compat::TimeloopRules rules;
  rules.steps_by_factors = false;
  const timeloop::StatsCheck check =
      check_stats(problem(), ragged_rows(), old_report(problem(), ragged_rows(), rules));
  const std::string text = stats_text(problem(), check, "r", {.width = 100});
  EXPECT_TRUE(has(text, "was another\n  steps_by_factors: ")) << text;
  EXPECT_TRUE(has(text, "    off in this run\n")) << text;
}

}  // namespace
}  // namespace tilewright
