// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/picture/front_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tilewright/base/error.h"
#include "tilewright/format/number_text.h"
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

// Colours by request, light and dark; text and lines.
constexpr const char* kStyle =
    "svg{font:13px system-ui,sans-serif;--page:#fff;--text:#1a2129;--line:#c4ccd6;--c0:#1f6fb5;"
    "--c1:#c26a00;--c2:#0d8a6a;--c3:#7a1f4f;--c4:#8b4ba8;--c5:#6b5a4a}"
    "@media(prefers-color-scheme:dark){svg{--page:#12171d;--text:#e8edf3;--line:#3b4653;"
    "--c0:#5aa9ee;--c1:#f0a03c;--c2:#35c198;--c3:#f9c3dc;--c4:#c48be0;--c5:#b5a08c}}"
    "text{fill:var(--text)}.grid{stroke:var(--line);stroke-width:1}.back{fill:var(--page)}"
    ".step{fill:none;stroke-width:1.5}.hollow{fill:var(--page);stroke-width:1.2}"
    ".rest{fill-opacity:.35;stroke-opacity:.35}"
    "a:focus circle,a:hover circle{stroke:var(--text);stroke-width:2}";

std::string label_of(Figure figure, double value) {
  switch (figure) {
    case Figure::kEnergy:
      return energy_text(value);
    case Figure::kCycles:
      return si_text(value, "", 3);
    case Figure::kEdp:
      return edp_text(value, 3);
    case Figure::kArea:
      return area_text(value, 3);
  }
  return "";
}

std::string title_of(Figure figure) {
  switch (figure) {
    case Figure::kEnergy:
      return "energy";
    case Figure::kCycles:
      return "cycles";
    case Figure::kEdp:
      return "EDP in J*cycle";
    case Figure::kArea:
      return "area";
  }
  return "";
}

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
class Scale {
 public:
  Scale(std::vector<double> values, double from, double to) : from_(from), to_(to) {
    std::erase_if(values, [](double value) { return !(value > 0); });
    if (values.empty()) values = {1, 2};
    const auto [least, most] = std::ranges::minmax(values);
    constexpr double kWide = 8;
    logarithmic_ = most > kWide * least;
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
    const double step = round_down(std::max(most - least, most * 0.01) / kTicks * 1.999);
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

class FrontPicture {
 public:
  FrontPicture(const SweepPlan& plan, const DesignTable& table, bool linked)
      : plan_(plan),
        table_(table),
        linked_(linked),
        x_(values(0), kLeft, kWidth - kRight),
        y_(values(1), kHeight - kBottom, kTop) {}

  std::string write() {
    {
      const auto svg =
          out_.in("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                          {"viewBox", fmt::format("0 0 {} {}", number(kWidth), number(kHeight))},
                          {"role", "img"},
                          {"aria-label", fmt::format("{}: {} against {}, and the Pareto front",
                                                     plan_.name(), title(1), title(0))}});
      out_.leaf("style", kStyle);
      {
        const auto back = out_.in(
            "rect", {{"class", "back"}, {"width", number(kWidth)}, {"height", number(kHeight)}});
      }
      axes();
      for (std::size_t i = 0; i < table_.costs.size(); ++i) {
        if (!table_.on_front[i]) point(i);
      }
      steps();
      for (std::size_t i = 0; i < table_.costs.size(); ++i) {
        if (table_.on_front[i]) point(i);
      }
      legend();
    }
    return out_.html() + "\n";
  }

 private:
  std::vector<double> values(std::size_t figure) const {
    std::vector<double> result;
    for (const DesignCost& cost : table_.costs) {
      if (cost.is_mapped()) result.push_back(value(cost, figure));
    }
    return result;
  }

  double value(const DesignCost& cost, std::size_t figure) const {
    return figure_of(cost, table_.figures[figure]);
  }
  std::string x_of(const DesignCost& cost) const { return number(x_.place(value(cost, 0))); }
  std::string y_of(const DesignCost& cost) const { return number(y_.place(value(cost, 1))); }

  // `area 1.17 mm2`
  std::string words_of(const DesignCost& cost, std::size_t figure) const {
    return title(figure) + " " + label_of(table_.figures[figure], value(cost, figure));
  }

  std::string title(std::size_t figure) const { return title_of(table_.figures[figure]); }

  static std::string colour(std::size_t request) {
    return fmt::format("var(--c{})", request % kColours);
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
      words(x_.place(tick), kHeight - kBottom + 18, "middle", label_of(table_.figures[0], tick));
    }
    for (const double tick : y_.ticks()) {
      line(kLeft, y_.place(tick), kWidth - kRight, y_.place(tick));
      words(kLeft - 8, y_.place(tick) + 4, "end", label_of(table_.figures[1], tick));
    }
    words((kLeft + kWidth - kRight) / 2, kHeight - 14, "middle", title(0));
    out_.leaf("text",
              {{"x", number(-(kTop + kHeight - kBottom) / 2)},
               {"y", "16"},
               {"transform", "rotate(-90)"},
               {"text-anchor", "middle"}},
              title(1));
  }

  void point(std::size_t i) {
    const DesignCost& cost = table_.costs[i];
    if (!cost.is_mapped()) return;
    const bool front = table_.on_front[i];
    const bool proved = cost.total.standing == Standing::kProved;
    if (front && linked_) {
      const auto link = out_.in("a", {{"href", "#" + design_anchor(cost)}});
      circle(cost, front, proved);
    } else {
      circle(cost, front, proved);
    }
  }

  void circle(const DesignCost& cost, bool front, bool proved) {
    const auto circle =
        out_.in("circle",
                {{"cx", x_of(cost)},
                 {"cy", y_of(cost)},
                 {"r", front ? "4" : "2.5"},
                 {"class", fmt::format("{}{}", front ? "" : "rest ", proved ? "proved" : "hollow")},
                 {proved ? "fill" : "stroke", colour(cost.request)}});
    out_.leaf("title", fmt::format("design {} ({}), {}: {}, {}{}", cost.design,
                                   plan_.designs().to_text(cost.design),
                                   plan_.requests()[cost.request].request.space, words_of(cost, 0),
                                   words_of(cost, 1), proved ? "" : ", not proved"));
  }

  // Along each front: whatever lies above and to the right of the steps is beaten.
  void steps() {
    for (std::size_t request = 0; request < plan_.requests().size(); ++request) {
      std::string path;
      for (const std::size_t i : table_.front) {
        const DesignCost& cost = table_.costs[i];
        if (cost.request != request) continue;
        const std::string x = x_of(cost);
        const std::string y = y_of(cost);
        path += path.empty() ? fmt::format("M{} {}", x, y) : fmt::format("H{}V{}", x, y);
      }
      if (path.empty()) continue;
      const auto step =
          out_.in("path", {{"class", "step"}, {"d", path}, {"stroke", colour(request)}});
    }
  }

  void legend() {
    double x = kLeft;
    for (std::size_t request = 0; request < plan_.requests().size(); ++request) {
      const MapRequest& asked = plan_.requests()[request].request;
      const std::string name = asked.space + ", " + asked.objective.name;
      {
        const auto mark = out_.in(
            "circle", {{"cx", number(x + 5)}, {"cy", "18"}, {"r", "5"}, {"fill", colour(request)}});
      }
      words(x + 16, 22, "start", name);
      constexpr double kLetter = 7.5;
      x += 40 + kLetter * static_cast<double>(name.size());
    }
    words(kWidth - kRight, 22, "end", "large: on the front; hollow: not proved");
  }

  const SweepPlan& plan_;
  const DesignTable& table_;
  bool linked_;
  Scale x_;
  Scale y_;
  Markup out_;
};

}  // namespace

std::string design_anchor(const DesignCost& cost) {
  return fmt::format("design-{}-{}", cost.design, cost.request);
}

std::string front_svg(const SweepPlan& plan, const DesignTable& table, bool linked) {
  TW_CHECK(table.figures.size() == 2, "a picture has two axes");
  return FrontPicture(plan, table, linked).write();
}

}  // namespace tilewright
