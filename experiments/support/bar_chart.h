// SPDX-License-Identifier: Apache-2.0
// A bar chart as a value, and its picture: groups of lying bars with their names at the left.
#pragma once

#include <string>
#include <vector>

#include "experiments/support/line_chart.h"

namespace tilewright {

struct BarGroup {
  std::string name;
  std::vector<double> values;  ///< one per series, at least 0
};

/// At least one group and one series, at most LineChart::kMaxSeries.
struct BarChart {
  std::string title;
  std::string note;   ///< small print below, one line; empty for none
  std::string label;  ///< of the axis
  std::vector<std::string> series;
  std::vector<BarGroup> groups;  ///< from the top
  double reference = 0;          ///< a line across all groups; 0: none
  int width = 720;               ///< in pixels; the height follows from the bars
};

std::string to_svg(const BarChart& chart);

}  // namespace tilewright
