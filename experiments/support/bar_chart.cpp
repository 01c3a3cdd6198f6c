// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

constexpr double kTop = 66;
constexpr double kBar = 7;
constexpr double kGap = 8;  // between groups

}  // namespace

std::string to_svg(const BarChart& chart) {
  TW_CHECK(!chart.groups.empty() && !chart.series.empty(), "a bar chart has bars");
  double names = 0;
  double most = chart.reference;
  for (const BarGroup& group : chart.groups) {
    TW_CHECK(group.values.size() == chart.series.size(), "a bar for every series");
    names = std::max(names, chart_text_width(group.name));
    for (const double value : group.values) {
      TW_CHECK(std::isfinite(value) && value >= 0, "a bar has a length");
      most = std::max(most, value);
    }
  }
  if (most <= 0) most = 1;
  const double left = names + 24;
  const double right = chart.width - 24;
  const double step = kBar * static_cast<double>(chart.series.size()) + kGap;
  const double bottom = kTop + step * static_cast<double>(chart.groups.size());
  const double height = bottom + (chart.note.empty() ? 52 : 74);
  const auto at = [&](double value) { return left + (right - left) * value / (most * 1.02); };

  std::string out;
  const auto put = std::back_inserter(out);
  fmt::format_to(put,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" "
                 "viewBox=\"0 0 {0} {1:.0f}\" font-family=\"'Helvetica Neue', Arial, 'DejaVu "
                 "Sans', sans-serif\" font-size=\"13\" fill=\"#222\">\n<title>{2}</title>\n"
                 "<rect width=\"{0}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n"
                 "<text x=\"16\" y=\"27\" font-size=\"16\" font-weight=\"bold\">{2}</text>\n",
                 chart.width, height, svg_text(chart.title));
  double x = 16;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    fmt::format_to(put,
                   "<rect x=\"{:.1f}\" y=\"41\" width=\"12\" height=\"10\" fill=\"{}\"/>\n"
                   "<text class=\"name\" x=\"{:.1f}\" y=\"50\">{}</text>\n",
                   x, chart_color(s), x + 18, svg_text(chart.series[s]));
    x += 40 + chart_text_width(chart.series[s]);
  }
  for (const double tick : chart_ticks(0, most, false, 6)) {
    fmt::format_to(put,
                   "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#ececec\"/>\n"
                   "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
                   at(tick), kTop, bottom, bottom + 17, chart_number(tick));
  }
  fmt::format_to(put, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                 (left + right) / 2, bottom + 38, svg_text(chart.label));
  double y = kTop + kGap / 2;
  for (const BarGroup& group : chart.groups) {
    const double bars = kBar * static_cast<double>(group.values.size());
    fmt::format_to(put, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8,
                   y + bars / 2 + 4.5, svg_text(group.name));
    for (std::size_t s = 0; s < group.values.size(); ++s) {
      fmt::format_to(put,
                     "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                     "height=\"{:.1f}\" fill=\"{}\"/>\n",
                     left, y + kBar * static_cast<double>(s), at(group.values[s]) - left,
                     kBar - 0.5, chart_color(s));
    }
    y += step;
  }
  if (chart.reference > 0) {
    fmt::format_to(put, "<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#444\"/>\n",
                   at(chart.reference), kTop, bottom);
  }
  if (!chart.note.empty()) {
    fmt::format_to(put, "<text x=\"16\" y=\"{:.1f}\" font-size=\"12\" fill=\"#555\">{}</text>\n",
                   bottom + 60, svg_text(chart.note));
  }
  return out + "</svg>\n";
}

}  // namespace tilewright
