// SPDX-License-Identifier: Apache-2.0
// A line chart as a value, and its picture: one SVG text that needs nothing else and is the same
// bytes on every machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct ChartPoint {
  double x = 0;
  double y = 0;
};

struct ChartAxis {
  std::string label;
  bool log = false;             ///< all values must be above 0
  std::optional<double> least;  ///< nothing: what the points need
  std::optional<double> most;
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  ///< by rising x
  enum class Style { kLine, kDots, kLineAndDots } style = Style::kLine;
};

/// At most kMaxSeries series with one point or more each. Every line has its name at its right end.
struct LineChart {
  static constexpr int kMaxSeries = 6;

  std::string title;
  std::string note;  ///< small print below; empty for none. Lines end in '\n'.
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartSeries> series;
  int width = 720;  ///< in pixels
  int height = 420;
};

std::string to_svg(const LineChart& chart);

/// Round numbers within [least, most], about `wanted` of them: 1, 2 or 5 times a power of ten
/// apart, or, on a log axis, 1, 2 or 5 times powers of ten.
std::vector<double> chart_ticks(double least, double most, bool log, int wanted);

/// About the pixels that `text` takes in a chart; nobody measures fonts here.
double chart_text_width(std::string_view text);

/// The colour of a series, the same in all charts.
std::string_view chart_color(std::size_t series);

/// A number on an axis: `0.25`, `1,000`, `10⁶`.
std::string chart_number(double value);

}  // namespace tilewright
