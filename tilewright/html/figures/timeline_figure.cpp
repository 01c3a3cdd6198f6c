// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/figures/strip.h"
#include "tilewright/html/parts.h"
#include "tilewright/html/plan_blocks.h"

namespace tilewright {
namespace {

constexpr double kHeight = 150;  // of 100 %
constexpr double kTop = 14;
constexpr double kLeast = 2;  // so that nothing that takes time is invisible
constexpr double kTick = 7;   // below the line

std::string title(const Layer& layer, const LayerView& view) {
  const std::string name =
      layer.name + (layer.count > 1 ? fmt::format(" x {}", layer.count) : std::string());
  if (view.state == LayerView::State::kUnmapped) return name + ": " + view.result;
  const std::string energy = energy_text(view.costs.energy_pj);
  if (view.takes_no_time()) return fmt::format("{}: takes no time, {}", name, energy);
  const std::string used = view.state == LayerView::State::kTraffic
                               ? "only moves data"
                               : "utilization " + percent_text(view.utilization);
  return fmt::format("{}: {} of the time, {} cycles, {}, {}, bound by {}", name,
                     percent_text(view.time_share), significant_text(view.costs.cycles, 4), used,
                     energy, view.bottleneck);
}

class Timeline {
 public:
  Timeline(Markup& out, const Network& network, const std::vector<LayerView>& views)
      : out_(out), network_(network), views_(views) {
    double most = 0;
    for (const LayerView& view : views) most = std::max(most, view.utilization);
    top_ = most > 0 ? track_end(most) : 1;
  }

  void write() {
    write_legend();
    {
      const auto svg = out_.in(
          "svg", {{"class", "chart strip"},
                  {"role", "img"},
                  {"width", "100%"},
                  {"height", number(kTop + kHeight + kTick)},
                  {"aria-label",
                   fmt::format("Time of {}: the table below has the same figures",
                               plural_text(static_cast<std::int64_t>(views_.size()), "layer"))}});
      write_grid();
      double x = 0;
      for (const LayerView& view : views_) {
        write_layer(view, x);
        x += view.time_share;
      }
    }
    strip_names(out_, strip_parts(network_, views_, &LayerView::time_share));
  }

 private:
  void write_legend() {
    std::vector<LegendEntry> entries;
    for (const LayerView& view : views_) {
      if (view.time_share <= 0) continue;
      const bool traffic = view.state == LayerView::State::kTraffic;
      const LegendEntry entry{view.style,
                              traffic ? "only moves data" : "bound by " + view.bottleneck};
      if (std::ranges::find(entries, entry.name, &LegendEntry::name) == entries.end()) {
        entries.push_back(entry);
      }
    }
    if (std::ranges::any_of(views_, &LayerView::takes_no_time)) {
      entries.push_back({"line instant", "only moves data and takes no time"});
    }
    legend(out_, entries);
  }

  void write_grid() {
    for (const double share : {0.0, 0.5, 1.0}) {
      const std::string y = number(kTop + kHeight * (1 - share));
      out_.leaf("line", {{"class", "grid"}, {"x1", "0"}, {"y1", y}, {"x2", "100%"}, {"y2", y}}, "");
    }
    strip_text(out_, 1, kTop - 3, "end", "utilization " + track_text(top_));
  }

  void write_layer(const LayerView& view, double x) {
    const std::string words = title(network_.layers[view.layer], view);
    if (view.state == LayerView::State::kUnmapped) {
      const auto group = out_.in("g");
      out_.leaf("title", words);
      strip_line(out_, "broken", x, kTop, kTop + kHeight);
      strip_text(out_, x, kTop - 3, "middle", "?");
    } else if (view.takes_no_time()) {
      const auto group = out_.in("g");
      out_.leaf("title", words);
      strip_line(out_, "instant", x, kTop + kHeight, kTop + kHeight + kTick);
    } else {
      const bool traffic = view.state == LayerView::State::kTraffic;
      const double height = traffic ? kHeight : std::max(kLeast, kHeight * view.utilization / top_);
      strip_rect(out_, view.style, {x, view.time_share, kTop + kHeight - height, height}, words);
    }
  }

  Markup& out_;
  const Network& network_;
  const std::vector<LayerView>& views_;
  double top_ = 1;  // the utilization that is as high as the picture
};

std::string caption_text(const std::vector<LayerView>& views) {
  std::string text =
      "Width is time, height is utilization, colour is the bottleneck. Hover over a bar for its "
      "figures; narrow ones are named in the table.";
  const bool unmapped = std::ranges::any_of(
      views, [](const LayerView& view) { return view.state == LayerView::State::kUnmapped; });
  if (unmapped) text += " A red line with a question mark is a layer without a mapping.";
  return text;
}

}  // namespace

void timeline_figure(Markup& out, const Network& network, const std::vector<LayerView>& views) {
  const auto figure = out.in("figure");
  const bool any =
      std::ranges::any_of(views, [](const LayerView& view) { return view.time_share > 0; });
  if (!any) {
    caption(out, "No layer takes any time: there is nothing to draw.");
    return;
  }
  Timeline(out, network, views).write();
  caption(out, caption_text(views));
}

}  // namespace tilewright
