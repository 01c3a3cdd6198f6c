// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tilewright/html/markup.h"

namespace tilewright {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 470;
constexpr double kLeft = 92;
constexpr double kRight = 38;
constexpr double kTop = 40;
constexpr double kBottom = 56;
constexpr std::size_t kColours = 6;

// Colours of series, light and dark; text and lines.
constexpr const char* kStyle =
    "svg{font:13px system-ui,sans-serif;--page:#fff;--text:#1a2129;--line:#c4ccd6;--c0:#1f6fb5;"
    "--c1:#c26a00;--c2:#0d8a6a;--c3:#7a1f4f;--c4:#8b4ba8;--c5:#6b5a4a}"
    "@media(prefers-color-scheme:dark){svg{--page:#12171d;--text:#e8edf3;--line:#3b4653;"
    "--c0:#5aa9ee;--c1:#f0a03c;--c2:#35c198;--c3:#f9c3dc;--c4:#c48be0;--c5:#b5a08c}}"
    "text{fill:var(--text)}.grid{stroke:var(--line);stroke-width:1}.back{fill:var(--page)}"
    ".step{fill:none;stroke-width:1.5}.hollow{fill:var(--page);stroke-width:1.2}"
    ".rest{fill-opacity:.35;stroke-opacity:.35}"
    "a:focus circle,a:hover circle{stroke:var(--text);stroke-width:2}";

// 1, 2 or 5 times a power of ten: the largest that is not above.
double round_down(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double digit : {5.0, 2.0}) {
    if (digit * power <= value) return digit * power;
  }
  return power;
}

double next_round(double value) {
  const double power = std::pow(10, std::floor(std::log10(value * 1.001)));
  const double digit = std::round(value / power);
  return power * (digit < 2 ? 2 : digit < 5 ? 5 : 10);
}

// From values to places, linear or logarithmic.
class AxisScale {
 public:
  AxisScale(std::vector<double> values, double from, double to) : from_(from), to_(to) {
    if (values.empty()) values = {1, 2};
    const auto [least, most] = std::ranges::minmax(values);
    constexpr double kWide = 8;
    logarithmic_ = least > 0 && most > kWide * least;
    if (logarithmic_) {
      low_ = round_down(least);
      high_ = low_;
      while (high_ < most) high_ = next_round(high_);
      for (double tick = low_; tick <= high_ * 1.001; tick = next_round(tick)) {
        ticks_.push_back(tick);
      }
      return;
    }
    constexpr double kTicks = 5;
    const double step = round_down(std::max({most - least, most * 0.01, 1e-9}) / kTicks * 1.999);
    low_ = std::floor(least / step) * step;
    high_ = std::ceil(most / step) * step;
    if (high_ <= low_) high_ = low_ + step;
    for (int i = 0; low_ + i * step <= high_ * (1 + 1e-9); ++i) ticks_.push_back(low_ + i * step);
  }

  const std::vector<double>& ticks() const { return ticks_; }
  double place(double value) const {
    const double share = logarithmic_
                             ? std::log(std::max(value, low_) / low_) / std::log(high_ / low_)
                             : (value - low_) / (high_ - low_);
    return from_ + share * (to_ - from_);
  }

 private:
  double from_;
  double to_;
  double low_ = 0;
  double high_ = 1;
  bool logarithmic_ = false;
  std::vector<double> ticks_;
};

class ScatterPicture {
 public:
  explicit ScatterPicture(const Scatter& scatter)
      : scatter_(scatter),
        x_(values(&ScatterPoint::x), kLeft, kWidth - kRight),
        y_(values(&ScatterPoint::y), kHeight - kBottom, kTop) {}

  std::string write() {
    {
      const auto svg =
          out_.in("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                          {"viewBox", fmt::format("0 0 {} {}", number(kWidth), number(kHeight))},
                          {"role", "img"},
                          {"aria-label", scatter_.label}});
      out_.leaf("style", kStyle);
      {
        const auto back = out_.in(
            "rect", {{"class", "back"}, {"width", number(kWidth)}, {"height", number(kHeight)}});
      }
      axes();
      for (const ScatterPoint& one : scatter_.points) {
        if (!one.on_front) point(one);
      }
      steps();
      for (const ScatterPoint& one : scatter_.points) {
        if (one.on_front) point(one);
      }
      legend();
    }
    return out_.html() + "\n";
  }

 private:
  std::vector<double> values(double ScatterPoint::*figure) const {
    std::vector<double> result;
    for (const ScatterPoint& one : scatter_.points) result.push_back(one.*figure);
    return result;
  }

  std::string x_of(const ScatterPoint& one) const { return number(x_.place(one.x)); }
  std::string y_of(const ScatterPoint& one) const { return number(y_.place(one.y)); }

  static std::string colour(std::size_t series) {
    return fmt::format("var(--c{})", series % kColours);
  }

  void line(double x1, double y1, double x2, double y2) {
    const auto grid = out_.in("line", {{"class", "grid"},
                                       {"x1", number(x1)},
                                       {"y1", number(y1)},
                                       {"x2", number(x2)},
                                       {"y2", number(y2)}});
  }

  void words(double x, double y, const char* anchor, const std::string& text) {
    out_.leaf("text", {{"x", number(x)}, {"y", number(y)}, {"text-anchor", anchor}}, text);
  }

  void axes() {
    for (const double tick : x_.ticks()) {
      line(x_.place(tick), kTop, x_.place(tick), kHeight - kBottom);
      words(x_.place(tick), kHeight - kBottom + 18, "middle", scatter_.x.text(tick));
    }
    for (const double tick : y_.ticks()) {
      line(kLeft, y_.place(tick), kWidth - kRight, y_.place(tick));
      words(kLeft - 8, y_.place(tick) + 4, "end", scatter_.y.text(tick));
    }
    words((kLeft + kWidth - kRight) / 2, kHeight - 14, "middle", scatter_.x.title);
    out_.leaf("text",
              {{"x", number(-(kTop + kHeight - kBottom) / 2)},
               {"y", "16"},
               {"transform", "rotate(-90)"},
               {"text-anchor", "middle"}},
              scatter_.y.title);
  }

  void point(const ScatterPoint& one) {
    if (one.link.empty()) {
      circle(one);
    } else {
      const auto link = out_.in("a", {{"href", one.link}});
      circle(one);
    }
  }

  void circle(const ScatterPoint& one) {
    const auto circle =
        out_.in("circle", {{"cx", x_of(one)},
                           {"cy", y_of(one)},
                           {"r", one.on_front ? "4" : "2.5"},
                           {"class", fmt::format("{}{}", one.on_front ? "" : "rest ",
                                                 one.is_proved ? "proved" : "hollow")},
                           {one.is_proved ? "fill" : "stroke", colour(one.series)}});
    out_.leaf("title", one.words);
  }

  // Along each front: whatever lies above and to the right of the steps is beaten.
  void steps() {
    for (std::size_t series = 0; series < scatter_.series.size(); ++series) {
      std::string path;
      for (const ScatterPoint& one : front_of(series)) {
        const std::string x = x_of(one);
        const std::string y = y_of(one);
        path += path.empty() ? fmt::format("M{} {}", x, y) : fmt::format("H{}V{}", x, y);
      }
      if (path.empty()) continue;
      const auto step =
          out_.in("path", {{"class", "step"}, {"d", path}, {"stroke", colour(series)}});
    }
  }

  std::vector<ScatterPoint> front_of(std::size_t series) const {
    std::vector<ScatterPoint> result;
    for (const ScatterPoint& one : scatter_.points) {
      if (one.series == series && one.on_front) result.push_back(one);
    }
    std::ranges::stable_sort(result, {}, &ScatterPoint::x);
    return result;
  }

  void legend() {
    double x = kLeft;
    for (std::size_t series = 0; series < scatter_.series.size(); ++series) {
      const std::string& name = scatter_.series[series];
      {
        const auto mark = out_.in(
            "circle", {{"cx", number(x + 5)}, {"cy", "18"}, {"r", "5"}, {"fill", colour(series)}});
      }
      words(x + 16, 22, "start", name);
      constexpr double kLetter = 7.5;
      x += 40 + kLetter * static_cast<double>(name.size());
    }
    words(kWidth - kRight, 22, "end", "large: on the front; hollow: not proved");
  }

  const Scatter& scatter_;
  AxisScale x_;
  AxisScale y_;
  Markup out_;
};

}  // namespace

std::string scatter_svg(const Scatter& scatter) { return ScatterPicture(scatter).write(); }

}  // namespace tilewright
