// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/parts.h"

namespace tilewright {
namespace {

constexpr double kHeight = 280;
constexpr double kNarrow = 340;  // a phone: labels must not meet there

// A memory with a bandwidth, all its instances together.
struct Level {
  std::string name;
  std::string what;            // "read"
  double bytes_per_cycle = 0;  // all instances that work
  double intensity = 0;        // computes a byte
  bool bottleneck = false;

  double roof() const { return bytes_per_cycle * intensity; }  // computes a cycle
};

std::vector<Level> levels_of(const Evaluated& evaluated) {
  const Evaluation& evaluation = evaluated.evaluation;
  std::vector<Level> levels;
  for (const MemoryEvaluation& memory : evaluation.memories) {
    const auto use = bandwidth_use(evaluated, memory);
    if (!use || use->bits == 0 || memory.instances == 0) continue;
    const double instances = static_cast<double>(memory.instances);
    const double bytes = static_cast<double>(use->bits) / 8 * instances;
    levels.push_back({evaluated.problem.arch().memory(memory.node).name, use->what,
                      use->bits_per_cycle / 8 * instances,
                      static_cast<double>(evaluation.computes) / bytes,
                      evaluation.bottleneck == memory.node});
  }
  return levels;
}

// Powers of ten from one side to the other.
struct LogScale {
  double least = 0;  // exponents
  double most = 1;
};

// With room on both sides, in powers of ten.
LogScale make_scale(double least, double most, double below, double above) {
  return {std::log10(least) - below, std::log10(most) + above};
}

class Roofline {
 public:
  Roofline(Markup& out, const Evaluated& evaluated, std::vector<Level> levels)
      : out_(out), levels_(std::move(levels)) {
    peak_ = static_cast<double>(evaluated.problem.arch().compute_units());
    const double cycles =
        static_cast<double>(std::max<std::int64_t>(1, evaluated.evaluation.cycles));
    attained_ = static_cast<double>(evaluated.evaluation.computes) / cycles;
    double least = levels_.front().intensity;
    double most = least;
    for (const Level& level : levels_) {
      least = std::min(least, level.intensity);
      most = std::max(most, level.intensity);
    }
    x_ = make_scale(least, most, 0.7, 0.7);
    double highest = peak_;
    constexpr double kFarAbove = 30;  // a roof so high is as good as none
    for (const Level& level : levels_) {
      if (level.roof() < peak_ * kFarAbove) highest = std::max(highest, level.roof());
    }
    y_ = make_scale(attained_, highest, 0.8, 0.25);
  }

  void write() {
    legend(
        out_,
        {{"line roof", fmt::format("all units: {} computes per cycle", significant_text(peak_, 3))},
         {"line attained", fmt::format("this mapping: {}", significant_text(attained_, 3))}});
    const auto svg = out_.in(
        "svg",
        {{"class", "chart"},
         {"role", "img"},
         {"width", "100%"},
         {"height", number(kHeight)},
         {"aria-label",
          fmt::format(
              "Roofline: {} computes per cycle of at most {}; the table below has every level",
              significant_text(attained_, 3), significant_text(peak_, 3))}});
    write_grid();
    line("roof", x_.least, std::log10(peak_), x_.most, std::log10(peak_));
    for (const Level& level : levels_) write_roof(level);
    line("attained", x_.least, std::log10(attained_), x_.most, std::log10(attained_));
    for (std::size_t i = 0; i < levels_.size(); ++i) write_mark(i);
  }

  void write_table() {
    const Wide frame(out_, "roofline by level");
    const auto table = out_.in("table");
    head_row(out_, {{""},
                    {"level"},
                    {"computes per byte", true},
                    {"bytes per cycle", true},
                    {"roof, computes per cycle", true},
                    {"used", true}});
    const auto body = out_.in("tbody");
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const Level& level = levels_[i];
      const auto row = out_.in("tr");
      out_.leaf("td", std::to_string(i + 1));
      out_.leaf("th", {{"scope", "row"}},
                level.name + " " + level.what + (level.bottleneck ? " (bottleneck)" : ""));
      out_.leaf("td", {{"class", "number"}}, significant_text(level.intensity, 3));
      out_.leaf("td", {{"class", "number"}}, significant_text(level.bytes_per_cycle, 3));
      out_.leaf("td", {{"class", "number"}}, significant_text(level.roof(), 3));
      out_.leaf("td", {{"class", "number"}}, percent_text(std::min(1.0, attained_ / level.roof())));
    }
    const auto row = out_.in("tr");
    out_.leaf("td", "");
    out_.leaf("th", {{"scope", "row"}}, "compute units");
    out_.leaf("td", "");
    out_.leaf("td", "");
    out_.leaf("td", {{"class", "number"}}, significant_text(peak_, 3));
    out_.leaf("td", {{"class", "number"}}, percent_text(attained_ / peak_));
  }

 private:
  double y(double exponent) const {
    constexpr double kBottom = 18;  // for the labels of the axis
    return (kHeight - kBottom) * (1 - (exponent - y_.least) / (y_.most - y_.least));
  }
  double x(double exponent) const { return (exponent - x_.least) / (x_.most - x_.least); }

  void line(const std::string& style, double x1, double y1, double x2, double y2) {
    out_.leaf("line",
              {{"class", style},
               {"x1", percent(x(x1))},
               {"y1", number(y(y1))},
               {"x2", percent(x(x2))},
               {"y2", number(y(y2))}},
              "");
  }

  void text(const char* style, double share, double place, const char* anchor,
            const std::string& words) {
    out_.leaf(
        "text",
        {{"class", style}, {"x", percent(share)}, {"y", number(place)}, {"text-anchor", anchor}},
        words);
  }

  void write_grid() {
    for (double e = std::ceil(x_.least); e <= x_.most; ++e) {
      line("grid", e, y_.least, e, y_.most);
      text("tick", x(e), kHeight - 4, "middle", significant_text(std::pow(10, e), 1));
    }
    for (double e = std::ceil(y_.least); e <= y_.most; ++e) {
      line("grid", x_.least, e, x_.most, e);
      text("tick", 0, y(e) + 12, "start", significant_text(std::pow(10, e), 1));
    }
  }

  // From where it enters the picture to the roof of the units, and on to what the mapping could
  // reach if there were more of them.
  void write_roof(const Level& level) {
    const double offset = std::log10(level.bytes_per_cycle);
    const double from = std::max(x_.least, y_.least - offset);
    const double roof = std::min(x_.most, std::log10(peak_) - offset);
    const double to = std::min(std::log10(level.intensity), y_.most - offset);
    const std::string hot = level.bottleneck ? " hot" : "";
    if (from < roof) line("slope" + hot, from, from + offset, roof, roof + offset);
    const double start = std::max(from, roof);
    if (start < to) line("beyond" + hot, start, start + offset, to, to + offset);
  }

  // From what is attained up to the roof of this level: what is left.
  void write_mark(std::size_t i) {
    const Level& level = levels_[i];
    const double at = std::log10(level.intensity);
    const double roof = std::min(std::log10(std::max(level.roof(), attained_)), y_.most);
    line(level.bottleneck ? "room hot" : "room", at, std::log10(attained_), at, roof);
    double place = y(std::log10(attained_));
    const double column = x(at) * kNarrow;
    constexpr double kMark = 17;
    for (bool moved = true; moved;) {  // marks of equal levels stand one on the other
      moved = false;
      for (const auto& [taken_x, taken_y] : taken_) {
        if (std::abs(taken_x - column) >= kMark || std::abs(taken_y - place) >= kMark) continue;
        place = taken_y - kMark;
        moved = true;
      }
    }
    taken_.emplace_back(column, place);
    const auto mark = out_.in("g", {{"class", level.bottleneck ? "mark hot" : "mark"}});
    out_.leaf(
        "title",
        fmt::format(
            "{} {}: {} computes per byte x {} bytes per cycle = {} computes per cycle at most",
            level.name, level.what, significant_text(level.intensity, 3),
            significant_text(level.bytes_per_cycle, 3), significant_text(level.roof(), 3)));
    out_.leaf("circle", {{"cx", percent(x(at))}, {"cy", number(place)}, {"r", "8"}}, "");
    text("mark-text", x(at), place + 4, "middle", std::to_string(i + 1));
  }

  Markup& out_;
  std::vector<Level> levels_;
  std::vector<std::pair<double, double>> taken_;
  double peak_ = 1;
  double attained_ = 1;
  LogScale x_;
  LogScale y_;
};

}  // namespace

void roofline_figure(Markup& out, const Evaluated& evaluated) {
  const auto figure = out.in("figure");
  std::vector<Level> levels = levels_of(evaluated);
  if (levels.empty()) {
    caption(
        out,
        "No memory in use has a limited bandwidth, so only the compute units limit the mapping.");
    return;
  }
  Roofline chart(out, evaluated, std::move(levels));
  chart.write();
  chart.write_table();
  caption(out,
          "Across: computes per byte; up: computes per cycle; both logarithmic. A slope is the "
          "bandwidth of all instances of a memory. A number marks this mapping; the dotted line "
          "from it up to the slope is what that memory leaves unused.");
}

}  // namespace tilewright
