// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/timeloop/timeloop_diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/hand_case.h"

namespace tilewright {
namespace {

using hand_case::ragged_rows;

// Columns are as wide as they need to be: a blank each will do.
std::string single_spaced(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' || result.empty() || result.back() != ' ') result += c;
  }
  return result;
}

TEST(TimeloopDiff, NamesTheConventionOfEveryDifference) {
  const Problem problem = hand_case::two_levels(hand_case::gemm(10, 3, 2));
  const std::string text = single_spaced(
      timeloop_text(problem, compat::compare_with_timeloop(problem, ragged_rows()), {}));
  EXPECT_NE(text.find("DRAM.A reads 20 24 +4 time_extrapolation\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n cycles 60 72 +12 steps_by_factors\n"), std::string::npos) << text;
  EXPECT_NE(text.find("steps_by_factors: steps are the product of the factors"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("not explained"), std::string::npos) << text;
}

TEST(TimeloopDiff, SaysWhatTimeloopCannotMap) {
  const Problem problem = hand_case::two_levels(hand_case::gemm(4, 2, 2));
  compat::TimeloopComparison comparison;
  comparison.obstacles = {"why"};
  EXPECT_EQ(timeloop_text(problem, comparison, {}),
            "against Timeloop\n  Timeloop has no such mapping: why\n");
}

TEST(TimeloopDiff, WritesJson) {
  const Problem problem = hand_case::two_levels(hand_case::gemm(10, 3, 2));
  const auto root = nlohmann::json::parse(with_timeloop_json(
      "{\"version\": 1}", problem, compat::compare_with_timeloop(problem, ragged_rows())));
  EXPECT_EQ(root.at("version"), 1);
  bool found = false;
  for (const auto& figure : root.at("timeloop").at("figures")) {
    if (figure.at("name") != "DRAM.A reads") continue;
    found = true;
    EXPECT_EQ(figure.at("ours"), 20);
    EXPECT_EQ(figure.at("timeloop"), 24);
    EXPECT_EQ(figure.at("conventions").at(0).at("name"), "time_extrapolation");
    EXPECT_EQ(figure.at("conventions").at(0).at("change"), 4);
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace tilewright
