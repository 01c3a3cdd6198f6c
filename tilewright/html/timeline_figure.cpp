// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/html/figures.h"
#include "tilewright/html/parts.h"
#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

constexpr double kHeight = 170;  // of 100 %
constexpr double kTop = 14;
constexpr double kLeast = 2;  // so that nothing that takes time is invisible

struct Kind {
  std::string name;
  std::string style;
  char letter = 'a';
};

std::vector<Kind> kinds_of(const std::vector<LayerView>& views) {
  std::vector<Kind> kinds;
  for (const LayerView& view : views) {
    if (view.share <= 0) continue;
    if (std::ranges::find(kinds, view.bottleneck, &Kind::name) != kinds.end()) continue;
    kinds.push_back({view.bottleneck, view.style, static_cast<char>('a' + kinds.size() % 26)});
  }
  return kinds;
}

class Timeline {
 public:
  Timeline(Markup& out, const Network& network, const std::vector<LayerView>& views)
      : out_(out), network_(network), views_(views), kinds_(kinds_of(views)) {}

  void write() {
    std::vector<LegendEntry> entries;
    for (const Kind& kind : kinds_) {
      entries.push_back({kind.style, fmt::format("{}: {}", kind.letter, kind.name)});
    }
    legend(out_, entries);
    const auto svg = out_.in(
        "svg", {{"class", "chart timeline"},
                {"role", "img"},
                {"width", "100%"},
                {"height", number(kTop + kHeight + 34)},
                {"aria-label",
                 fmt::format("Timeline of {}: the table below has the same figures",
                             plural_text(static_cast<std::int64_t>(views_.size()), "layer"))}});
    write_grid();
    double x = 0;
    for (const LayerView& view : views_) {
      if (view.state == LayerView::State::kUnmapped) {
        write_gap(view, x);
      } else {
        write_layer(view, x);
      }
      x += view.share;
    }
  }

 private:
  void text(const char* style, double x, double y, const char* anchor, const std::string& words) {
    out_.leaf("text",
              {{"class", style}, {"x", percent(x)}, {"y", number(y)}, {"text-anchor", anchor}},
              words);
  }

  void write_grid() {
    for (const double share : {0.0, 0.5, 1.0}) {
      const std::string y = number(kTop + kHeight * (1 - share));
      out_.leaf("line", {{"class", "grid"}, {"x1", "0"}, {"y1", y}, {"x2", "100%"}, {"y2", y}}, "");
    }
    text("tick", 1, kTop - 3, "end", "utilization 100 %");
    text("tick", 0, kTop + kHeight + 30, "start", "first layer");
    text("tick", 1, kTop + kHeight + 30, "end", "last layer: 100 % of the time");
  }

  // Where a layer should be that has no mapping.
  void write_gap(const LayerView& view, double x) {
    const auto group = out_.in("g");
    out_.leaf("title", network_.layers[view.layer].name + ": " + view.result);
    out_.leaf("line",
              {{"class", "broken"},
               {"x1", percent(x)},
               {"y1", number(kTop)},
               {"x2", percent(x)},
               {"y2", number(kTop + kHeight)}},
              "");
    text("tick", x, kTop - 3, "middle", "?");
  }

  void write_layer(const LayerView& view, double x) {
    if (view.share <= 0) return;
    const Layer& layer = network_.layers[view.layer];
    const double height = std::max(kLeast, kHeight * view.utilization);
    {
      const auto rect = out_.in("rect", {{"class", view.style},
                                         {"x", percent(x)},
                                         {"y", number(kTop + kHeight - height)},
                                         {"width", percent(view.share)},
                                         {"height", number(height)}});
      out_.leaf("title",
                fmt::format("{}{}: {} of the time, {} cycles, utilization {}, {}, set by {}",
                            layer.name, layer.count > 1 ? fmt::format(" x {}", layer.count) : "",
                            percent_text(view.share), significant_text(view.cycles, 4),
                            percent_text(view.utilization), energy_text(view.energy_pj),
                            view.bottleneck));
    }
    constexpr double kWideEnough = 0.03;  // for a letter on a phone
    if (view.share < kWideEnough) return;
    const auto kind = std::ranges::find(kinds_, view.bottleneck, &Kind::name);
    text("tick", x + view.share / 2, kTop + kHeight + 13, "middle", std::string(1, kind->letter));
  }

  Markup& out_;
  const Network& network_;
  const std::vector<LayerView>& views_;
  std::vector<Kind> kinds_;
};

}  // namespace

void timeline_figure(Markup& out, const Network& network, const std::vector<LayerView>& views) {
  const auto figure = out.in("figure");
  const bool any = std::ranges::any_of(views, [](const LayerView& view) { return view.share > 0; });
  if (!any) {
    caption(out, "No layer takes any time: there is nothing to draw.");
    return;
  }
  Timeline(out, network, views).write();
  caption(out,
          "Width is time, height is utilization, colour and letter are what sets the cycles. A red "
          "line with a question mark is a layer without a mapping. Hover for its figures.");
}

}  // namespace tilewright
