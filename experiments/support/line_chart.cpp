// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/html/markup.h"

namespace tilewright {
namespace {

// Okabe and Ito's colours, told apart with any kind of colour blindness; the dark ones first.
constexpr std::array<std::string_view, LineChart::kMaxSeries> kColors = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#444444"};
constexpr double kTop = 62;
constexpr double kLeft = 72;
constexpr double kFontSize = 13;
constexpr double kLabelGap = 18;   // between the names at the line ends
constexpr double kLabelLead = 34;  // from the plot to a name: leader and swatch

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

// Values to pixels along one axis.
struct Scale {
  double least = 0;
  double most = 1;
  bool log = false;
  double from = 0;  // pixel of `least`
  double to = 1;    // pixel of `most`

  double at(double value) const {
    const double share =
        log ? std::log(value / least) / std::log(most / least) : (value - least) / (most - least);
    return from + (to - from) * std::clamp(share, 0.0, 1.0);
  }
};

Scale make_scale(const LineChart& chart, const ChartAxis& axis, double ChartPoint::*value) {
  Scale scale{INFINITY, -INFINITY, axis.log};
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      TW_CHECK(std::isfinite(point.*value) && (!axis.log || point.*value > 0),
               "a chart shows numbers, a log axis positive ones");
      scale.least = std::min(scale.least, point.*value);
      scale.most = std::max(scale.most, point.*value);
    }
  }
  if (value == &ChartPoint::y) {  // some air above and below
    const double air =
        axis.log ? std::pow(scale.most / scale.least, 0.05) : (scale.most - scale.least) * 0.05;
    scale.least =
        axis.log ? scale.least / air : std::max(scale.least - air, std::min(0.0, scale.least));
    scale.most = axis.log ? scale.most * air : scale.most + air;
  }
  scale.least = axis.least.value_or(scale.least);
  scale.most = axis.most.value_or(scale.most);
  if (!(scale.most > scale.least)) scale.most = scale.least + std::max(1.0, std::abs(scale.least));
  return scale;
}

class Painter {
 public:
  explicit Painter(const LineChart& chart) : chart_(chart) {
    TW_CHECK(!chart.series.empty() && chart.series.size() <= LineChart::kMaxSeries,
             "a chart has one to six series");
    for (const ChartSeries& s : chart.series) TW_CHECK(!s.points.empty(), "a line has points");
    double names = 0;
    for (const ChartSeries& s : chart.series) names = std::max(names, chart_text_width(s.name));
    const double notes = 17.0 * static_cast<double>(lines_of(chart.note).size());
    right_ = chart.width - names - kLabelLead - 12;
    bottom_ = chart.height - 58 - notes;
    x_ = make_scale(chart, chart.x, &ChartPoint::x);
    y_ = make_scale(chart, chart.y, &ChartPoint::y);
    x_.from = kLeft, x_.to = right_;
    y_.from = bottom_, y_.to = kTop;
  }

  std::string paint() {
    frame();
    x_axis();
    y_axis();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) line(i);
    names();
    put("</svg>\n");
    return std::move(out_);
  }

 private:
  template <typename... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
  }

  void frame() {
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"'Helvetica Neue', Arial, 'DejaVu Sans', "
        "sans-serif\" font-size=\"{2}\" fill=\"#222\">\n",
        chart_.width, chart_.height, kFontSize);
    put("<title>{}</title>\n", escape(chart_.title));
    put("<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>\n", chart_.width, chart_.height);
    put("<text x=\"16\" y=\"27\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
        escape(chart_.title));
    double y = bottom_ + 66;
    for (const std::string_view text : lines_of(chart_.note)) {
      put("<text x=\"16\" y=\"{:.1f}\" font-size=\"12\" fill=\"#555\">{}</text>\n", y,
          escape(text));
      y += 17;
    }
  }

  void x_axis() {
    double used = -INFINITY;
    for (const double tick : chart_ticks(x_.least, x_.most, x_.log, 7)) {
      const double x = x_.at(tick);
      put("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#ececec\"/>\n", x, kTop, bottom_);
      const std::string text = chart_number(tick);
      if (x - chart_text_width(text) / 2 < used + 8) continue;
      used = x + chart_text_width(text) / 2;
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x, bottom_ + 19,
          text);
    }
    put("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#888\"/>\n", kLeft, bottom_, right_);
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (kLeft + right_) / 2,
        bottom_ + 41, escape(chart_.x.label));
  }

  void y_axis() {
    for (const double tick : chart_ticks(y_.least, y_.most, y_.log, 6)) {
      const double y = y_.at(tick);
      put("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#e0e0e0\"/>\n", kLeft, y, right_);
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 8, y + 4.5,
          chart_number(tick));
    }
    // What the axis shows stands above it, where it can be read without turning one's head.
    put("<text x=\"16\" y=\"{:.1f}\" fill=\"#555\">{}</text>\n", kTop - 15, escape(chart_.y.label));
  }

  void line(std::size_t index) {
    const ChartSeries& series = chart_.series[index];
    if (series.style != ChartSeries::Style::kDots) {
      put("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" d=\"",
          kColors[index]);
      char command = 'M';
      for (const ChartPoint& point : series.points) {
        put("{}{:.1f} {:.1f}", command, x_.at(point.x), y_.at(point.y));
        command = 'L';
      }
      put("\"/>\n");
    }
    if (series.style == ChartSeries::Style::kLine) return;
    const double radius = series.style == ChartSeries::Style::kDots ? 2.2 : 3.5;
    put("<g fill=\"{}\">\n", kColors[index]);
    for (const ChartPoint& point : series.points) {
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", x_.at(point.x), y_.at(point.y),
          radius);
    }
    put("</g>\n");
  }

  // Heights of the names: as near to the line ends as they can be without touching each other.
  std::vector<double> spread(const std::vector<double>& ends,
                             const std::vector<std::size_t>& order) const {
    struct Group {
      double sum = 0;  // of the first name's height that each member would like
      std::size_t count = 0;
      double first() const { return sum / static_cast<double>(count); }
      double last() const { return first() + kLabelGap * static_cast<double>(count - 1); }
    };
    std::vector<Group> groups;
    for (const std::size_t i : order) {
      Group group{ends[i], 1};
      while (!groups.empty() && groups.back().last() + kLabelGap > group.first()) {
        const Group& above = groups.back();
        group.sum += above.sum - kLabelGap * static_cast<double>(above.count * group.count);
        group.count += above.count;
        groups.pop_back();
      }
      groups.push_back(group);
    }
    std::vector<double> heights(ends.size());
    std::size_t place = 0;
    for (const Group& group : groups) {
      for (std::size_t k = 0; k < group.count; ++k) {
        heights[order[place++]] = group.first() + kLabelGap * static_cast<double>(k);
      }
    }
    // None below the plot, where the numbers of the x axis stand.
    double lowest = bottom_ - 6;
    for (place = order.size(); place-- > 0; lowest -= kLabelGap) {
      double& height = heights[order[place]];
      lowest = height = std::min(height, lowest);
    }
    return heights;
  }

  void names() {
    std::vector<double> ends;
    for (const ChartSeries& series : chart_.series) ends.push_back(y_.at(series.points.back().y));
    std::vector<std::size_t> order(ends.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ends[i]; });
    const std::vector<double> heights = spread(ends, order);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const ChartSeries& series = chart_.series[i];
      put("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"#aaa\" stroke-dasharray=\"1 2\"/>\n",
          x_.at(series.points.back().x) + (series.style == ChartSeries::Style::kLine ? 0 : 5),
          ends[i], right_ + 12, heights[i]);
      if (series.style == ChartSeries::Style::kDots) {
        put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", right_ + 20,
            heights[i], kColors[i]);
      } else {
        put("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"{}\" stroke-width=\"3\"/>\n", right_ + 12,
            heights[i], right_ + 28, kColors[i]);
      }
      put("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", right_ + kLabelLead,
          heights[i] + 4.5, escape(series.name));
    }
  }

  const LineChart& chart_;
  double right_ = 0;
  double bottom_ = 0;
  Scale x_;
  Scale y_;
  std::string out_;
};

std::vector<double> linear_ticks(double least, double most, int wanted) {
  const double rough = (most - least) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = power * 10;
  for (const double unit : {5.0, 2.0, 1.0}) {
    if (unit * power >= rough) step = unit * power;
  }
  std::vector<double> ticks;
  // Whole numbers times the step, so that the sums do not drift.
  for (double k = std::ceil(least / step - 1e-9); k * step <= most + 1e-9 * step; ++k) {
    ticks.push_back(k * step);
  }
  return ticks;
}

}  // namespace

// What a sans-serif font of 13 px needs.
double chart_text_width(std::string_view text) {
  const auto points = std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return 7.4 * static_cast<double>(points);
}

std::string_view chart_color(std::size_t series) {
  TW_CHECK(series < kColors.size(), "a chart has one to six series");
  return kColors[series];
}

std::string to_svg(const LineChart& chart) { return Painter(chart).paint(); }

std::vector<double> chart_ticks(double least, double most, bool log, int wanted) {
  if (!log) return linear_ticks(least, most, wanted);
  const int low = static_cast<int>(std::floor(std::log10(least)));
  const int high = static_cast<int>(std::ceil(std::log10(most)));
  const std::vector<double> units =
      high - low >= wanted / 2 + 1 ? std::vector<double>{1} : std::vector<double>{1, 2, 5};
  std::vector<double> ticks;
  for (int power = low; power <= high; ++power) {
    for (const double unit : units) {
      const double tick = unit * std::pow(10.0, power);
      if (tick >= least * (1 - 1e-9) && tick <= most * (1 + 1e-9)) ticks.push_back(tick);
    }
  }
  return ticks.size() < 3 ? linear_ticks(least, most, wanted) : ticks;
}

std::string chart_number(double value) {
  if (value == 0) return "0";
  const int power = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  if (power >= 6 || power < -3) {
    constexpr std::array<std::string_view, 10> kRaised = {"⁰", "¹", "²", "³", "⁴",
                                                          "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    const std::string front = fmt::format("{:.4g}", value / std::pow(10.0, power));
    if (front != "1") text = front + "·";
    text += "10";
    if (power < 0) text += "⁻";
    for (const char digit : fmt::format("{}", std::abs(power))) {
      text += kRaised[static_cast<std::size_t>(digit - '0')];
    }
    return text;
  }
  std::string text = fmt::format("{:.6g}", value);
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::size_t start = text.front() == '-' ? 1 : 0;
  for (std::size_t at = dot; at > start + 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace tilewright
