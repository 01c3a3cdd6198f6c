// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/html/markup.h"

namespace tilewright {
namespace {

constexpr double kTop = 66;
constexpr double kBar = 7;
constexpr double kGap = 8;  // between groups

class Painter {
 public:
  explicit Painter(const BarChart& chart) : chart_(chart), most_(chart.reference) {
    TW_CHECK(!chart.groups.empty() && !chart.series.empty(), "a bar chart has bars");
    double names = 0;
    for (const BarGroup& group : chart.groups) {
      TW_CHECK(group.values.size() == chart.series.size(), "a bar for every series");
      names = std::max(names, chart_text_width(group.name));
      for (const double value : group.values) {
        TW_CHECK(std::isfinite(value) && value >= 0, "a bar has a length");
        most_ = std::max(most_, value);
      }
    }
    if (most_ <= 0) most_ = 1;
    left_ = names + 24;
    right_ = chart.width - 24;
    step_ = kBar * static_cast<double>(chart.series.size()) + kGap;
    bottom_ = kTop + step_ * static_cast<double>(chart.groups.size());
  }

  std::string paint() {
    frame();
    legend();
    axis();
    double y = kTop + kGap / 2;
    for (const BarGroup& group : chart_.groups) {
      bars(group, y);
      y += step_;
    }
    if (chart_.reference > 0) {
      put("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#444\"/>\n", at(chart_.reference), kTop,
          bottom_);
    }
    put("</svg>\n");
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
  }

  double at(double value) const { return left_ + (right_ - left_) * value / (most_ * 1.02); }

  void frame() {
    const double height = bottom_ + (chart_.note.empty() ? 52 : 74);
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0} {1:.0f}\" font-family=\"'Helvetica Neue', Arial, 'DejaVu Sans', "
        "sans-serif\" font-size=\"13\" fill=\"#222\">\n",
        chart_.width, height);
    put("<title>{}</title>\n", escape(chart_.title));
    put("<rect width=\"{}\" height=\"{:.0f}\" fill=\"#fff\"/>\n", chart_.width, height);
    put("<text x=\"16\" y=\"27\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
        escape(chart_.title));
    if (chart_.note.empty()) return;
    put("<text x=\"16\" y=\"{:.1f}\" font-size=\"12\" fill=\"#555\">{}</text>\n", bottom_ + 60,
        escape(chart_.note));
  }

  void legend() {
    double x = 16;
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      put("<rect x=\"{:.1f}\" y=\"41\" width=\"12\" height=\"10\" fill=\"{}\"/>\n", x,
          chart_color(s));
      put("<text class=\"name\" x=\"{:.1f}\" y=\"50\">{}</text>\n", x + 18,
          escape(chart_.series[s]));
      x += 40 + chart_text_width(chart_.series[s]);
    }
  }

  void axis() {
    for (const double tick : chart_ticks(0, most_, false, 6)) {
      put("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#ececec\"/>\n", at(tick), kTop, bottom_);
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", at(tick),
          bottom_ + 17, chart_number(tick));
    }
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (left_ + right_) / 2,
        bottom_ + 38, escape(chart_.label));
  }

  void bars(const BarGroup& group, double y) {
    const double height = kBar * static_cast<double>(group.values.size());
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left_ - 8,
        y + height / 2 + 4.5, escape(group.name));
    for (std::size_t s = 0; s < group.values.size(); ++s) {
      put("<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "fill=\"{}\"/>\n",
          left_, y + kBar * static_cast<double>(s), at(group.values[s]) - left_, kBar - 0.5,
          chart_color(s));
    }
  }

  const BarChart& chart_;
  double most_;
  double left_ = 0;
  double right_ = 0;
  double step_ = 0;
  double bottom_ = 0;
  std::string out_;
};

}  // namespace

std::string to_svg(const BarChart& chart) { return Painter(chart).paint(); }

}  // namespace tilewright
