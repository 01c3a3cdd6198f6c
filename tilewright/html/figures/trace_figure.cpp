// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/parts.h"
#include "tilewright/search/questions/status.h"

namespace tilewright {
namespace {

constexpr double kSide = 1000;  // of the inner picture, stretched to the outer one
constexpr double kHeight = 220;

struct Range {
  double least = 0;
  double most = 0;
  bool logarithmic = false;

  double share(double value) const {
    if (most <= least) return 0.5;
    if (!logarithmic) return (value - least) / (most - least);
    return std::log(value / least) / std::log(most / least);
  }
};

Range range_of(const SearchTrace& trace) {
  Range range{HUGE_VAL, 0, false};
  for (const TracePoint& point : trace.points) {
    for (const auto& value : {point.best, point.bound}) {
      if (!value || *value <= 0) continue;
      range.least = std::min(range.least, *value);
      range.most = std::max(range.most, *value);
    }
  }
  if (range.most == 0) range.least = 0;
  constexpr double kWide = 10;
  range.logarithmic = range.least > 0 && range.most / range.least > kWide;
  return range;
}

// Steps: a value holds until the next one comes. Empty if there is none.
std::string steps(const SearchTrace& trace, std::optional<double> TracePoint::*member,
                  const Range& range) {
  const double end = std::max(1e-9, trace.points.back().seconds);
  std::string path;
  std::string last;
  for (const TracePoint& point : trace.points) {
    const std::optional<double>& value = point.*member;
    if (!value || *value <= 0) continue;
    const std::string x = number(kSide * point.seconds / end);
    const std::string y = number(kSide * (1 - range.share(*value)));
    if (!path.empty()) path += fmt::format(" {},{}", x, last);
    path += fmt::format("{}{},{}", path.empty() ? "" : " ", x, y);
    last = y;
  }
  return path;
}

}  // namespace

void trace_figure(Markup& out, const SearchTrace& trace) {
  const Range range = range_of(trace);
  const TracePoint& last = trace.points.back();
  const auto figure = out.in("figure");
  std::string words =
      fmt::format("Best {} and bound over {}", trace.objective, si_text(last.seconds, "s", 3));
  if (last.best && last.bound) {
    words += fmt::format("; at the end {:.4g} and {:.4g}, a gap of {}", *last.best, *last.bound,
                         percent_text(find_gap(*last.best, *last.bound)));
  }
  legend(out, {{"line best", "best found"}, {"line bound", "bound: no mapping scores less"}});
  {
    const auto svg = out.in("svg", {{"class", "chart"},
                                    {"role", "img"},
                                    {"width", "100%"},
                                    {"height", number(kHeight + 20)},
                                    {"aria-label", words}});
    {
      const auto inner = out.in("svg", {{"y", "8"},
                                        {"width", "100%"},
                                        {"height", number(kHeight - 16)},
                                        {"viewBox", "0 0 1000 1000"},
                                        {"preserveAspectRatio", "none"},
                                        {"overflow", "visible"}});
      const auto draw = [&](const char* style, std::optional<double> TracePoint::*member) {
        out.leaf("polyline",
                 {{"class", style},
                  {"vector-effect", "non-scaling-stroke"},
                  {"points", steps(trace, member, range)}},
                 "");
      };
      draw("best", &TracePoint::best);
      draw("bound", &TracePoint::bound);
    }
    const auto text = [&](const char* x, double y, const char* anchor, const std::string& what) {
      out.leaf("text", {{"class", "tick"}, {"x", x}, {"y", number(y)}, {"text-anchor", anchor}},
               what);
    };
    text("0", 20, "start", fmt::format("{} {:.4g}", trace.objective, range.most));
    text("0", kHeight - 12, "start", fmt::format("{:.4g}", range.least));
    text("0", kHeight + 14, "start", "0 s");
    text("100%", kHeight + 14, "end", si_text(last.seconds, "s", 3));
  }
  caption(out, words + (range.logarithmic ? ". The scale is logarithmic." : "."));
}

}  // namespace tilewright
