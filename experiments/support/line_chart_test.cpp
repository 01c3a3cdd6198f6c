// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/line_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

LineChart two_lines() {
  LineChart chart;
  chart.title = "a < b & c";
  chart.x = {.label = "mappings", .log = true};
  chart.y = {.label = "EDP"};
  chart.series = {{"first", {{1, 9}, {100, 4}}}, {"second", {{1, 8}, {100, 4.01}}}};
  return chart;
}

// The heights of the names at the line ends.
std::vector<double> name_heights(const std::string& svg) {
  std::vector<double> heights;
  for (std::size_t at = svg.find("class=\"name\""); at != std::string::npos;
       at = svg.find("class=\"name\"", at + 1)) {
    heights.push_back(std::strtod(svg.c_str() + svg.find("y=\"", at) + 3, nullptr));
  }
  std::ranges::sort(heights);
  return heights;
}

TEST(LineChart, TicksAreRoundAndInside) {
  EXPECT_EQ(chart_ticks(0, 10, false, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(chart_ticks(1, 10000, true, 6), (std::vector<double>{1, 10, 100, 1000, 10000}));
  EXPECT_EQ(chart_ticks(0.9, 21, true, 6), (std::vector<double>{1, 2, 5, 10, 20}));
  // Less than a decade: round steps, not powers.
  EXPECT_EQ(chart_ticks(3, 3.9, true, 4), (std::vector<double>{3, 3.5}));
}

TEST(LineChart, NumbersReadWell) {
  EXPECT_EQ(chart_number(0), "0");
  EXPECT_EQ(chart_number(0.25), "0.25");
  EXPECT_EQ(chart_number(1000), "1,000");
  EXPECT_EQ(chart_number(-123456), "-123,456");
  EXPECT_EQ(chart_number(1e6), "10⁶");
  EXPECT_EQ(chart_number(2.5e-5), "2.5·10⁻⁵");
}

TEST(LineChart, EscapesItsTexts) {
  const std::string svg = to_svg(two_lines());
  EXPECT_NE(svg.find(">a &lt; b &amp; c<"), std::string::npos);
  EXPECT_EQ(svg.find("a < b"), std::string::npos);
}

TEST(LineChart, NamesDoNotTouch) {
  const std::vector<double> heights = name_heights(to_svg(two_lines()));
  ASSERT_EQ(heights.size(), 2U);
  EXPECT_GE(heights[1] - heights[0], 17.9);
}

TEST(LineChart, NamesThatHaveRoomStandAtTheirLines) {
  LineChart chart = two_lines();
  chart.y = {.label = "EDP", .log = false, .least = 0.0, .most = 10.0};
  chart.series[1].points.back().y = 9;
  const std::vector<double> heights = name_heights(to_svg(chart));
  // 62 to 362 is the plot; 9 is a tenth from its top, 4 four tenths from its bottom.
  EXPECT_NEAR(heights[0], 62 + 30 + 4.5, 0.11);
  EXPECT_NEAR(heights[1], 362 - 4 * 30 + 4.5, 0.11);
}

TEST(LineChart, NamesStayAboveTheXAxis) {
  LineChart chart = two_lines();
  chart.y = {.label = "EDP", .log = false, .least = 4.0, .most = 10.0};
  const std::vector<double> heights = name_heights(to_svg(chart));
  EXPECT_LE(heights[1], 362);  // the baseline of the text; the axis is at 362
  EXPECT_GE(heights[1] - heights[0], 17.9);
}

TEST(LineChart, RefusesWhatALogAxisCannotShow) {
  LineChart chart = two_lines();
  chart.series[0].points[0].x = 0;
  EXPECT_THROW(to_svg(chart), InternalError);
  chart.series.clear();
  EXPECT_THROW(to_svg(chart), InternalError);
}

}  // namespace
}  // namespace tilewright
