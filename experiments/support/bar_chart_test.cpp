// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/bar_chart.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

BarChart two_groups() {
  return {.title = "a & b",
          .label = "EDP",
          .series = {"first", "second"},
          .groups = {{"x<y", {1, 0.5}}, {"z", {0.25, 0}}},
          .reference = 1};
}

// The lengths of all bars in their order.
std::vector<double> bar_lengths(const std::string& svg) {
  std::vector<double> lengths;
  for (std::size_t at = svg.find("class=\"bar\""); at != std::string::npos;
       at = svg.find("class=\"bar\"", at + 1)) {
    lengths.push_back(std::strtod(svg.c_str() + svg.find("width=\"", at) + 7, nullptr));
  }
  return lengths;
}

TEST(BarChart, BarsAreAsLongAsTheirValues) {
  const std::vector<double> lengths = bar_lengths(to_svg(two_groups()));
  ASSERT_EQ(lengths.size(), 4U);
  EXPECT_GT(lengths[0], 500);
  EXPECT_NEAR(lengths[1], lengths[0] / 2, 0.11);
  EXPECT_NEAR(lengths[2], lengths[0] / 4, 0.11);
  EXPECT_EQ(lengths[3], 0);
}

TEST(BarChart, EscapesItsTexts) {
  const std::string svg = to_svg(two_groups());
  EXPECT_NE(svg.find(">x&lt;y<"), std::string::npos);
  EXPECT_NE(svg.find(">a &amp; b<"), std::string::npos);
}

TEST(BarChart, RefusesGroupsWithoutAllSeries) {
  BarChart chart = two_groups();
  chart.groups[1].values.pop_back();
  EXPECT_THROW(to_svg(chart), InternalError);
  chart.groups.clear();
  EXPECT_THROW(to_svg(chart), InternalError);
}

}  // namespace
}  // namespace tilewright
