// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/figures/strip.h"
#include "tilewright/html/parts.h"
#include "tilewright/html/plan_blocks.h"

namespace tilewright {
namespace {

constexpr double kHeight = 150;

Costs total(const std::vector<LayerView>& views) {
  Costs all;
  for (const LayerView& view : views) add(all, view.costs);
  return all;
}

// One column a layer, cut by level: the outermost memory at the bottom.
void write_layer(Markup& out, const Arch& arch, const Layer& layer, const LayerView& view,
                 double x) {
  const std::vector<std::string> names = level_names(arch);
  double y = kHeight;
  for (std::size_t level = 0; level < view.costs.levels_pj.size(); ++level) {
    const double pj = view.costs.levels_pj[level];
    if (pj <= 0) continue;
    const double height = kHeight * pj / view.costs.energy_pj;
    y -= height;
    strip_rect(
        out, level_class(arch, level), {x, view.energy_share, y, height},
        fmt::format("{}: {} {}, {} of {}", layer.name, names[level], energy_text(pj),
                    percent_text(pj / view.costs.energy_pj), energy_text(view.costs.energy_pj)));
  }
}

// A row of a table of shares of something whole.
struct ShareRow {
  std::string name;
  std::string figure;
  double share = 0;
  std::string style;
};

void shares_table(Markup& out, const char* subject, const char* figure,
                  const std::vector<ShareRow>& rows) {
  const auto table = out.in("table", {{"class", "bars"}});
  head_row(out, {{subject}, {figure, true}, {"share", true}, {"of 100 %"}});
  const auto body = out.in("tbody");
  for (const ShareRow& row : rows) {
    const auto line = out.in("tr");
    {
      const auto head = out.in("th", {{"scope", "row"}});
      breakable(out, row.name);
    }
    out.leaf("td", {{"class", "number"}}, row.figure);
    out.leaf("td", {{"class", "number"}}, percent_text(row.share));
    const auto cell = out.in("td");
    bar(out, {{row.share, row.style, row.name}}, row.name + ": " + percent_text(row.share));
  }
}

}  // namespace

void limits_figure(Markup& out, const std::vector<LayerView>& views) {
  std::vector<ShareRow> rows;
  std::vector<double> cycles;
  for (const LayerView& view : views) {
    if (view.time_share <= 0) continue;
    const bool traffic = view.state == LayerView::State::kTraffic;
    const std::string name = traffic ? "moving data only" : view.bottleneck;
    const auto same = std::ranges::find(rows, name, &ShareRow::name);
    const auto place = static_cast<std::size_t>(same - rows.begin());
    if (same == rows.end()) {
      rows.push_back({name, "", 0, view.style});
      cycles.push_back(0);
    }
    cycles[place] += view.costs.cycles;
  }
  const double all = std::accumulate(cycles.begin(), cycles.end(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].figure = significant_text(cycles[i], 4);
    rows[i].share = cycles[i] == all ? 1 : cycles[i] / all;
  }
  std::ranges::stable_sort(rows, std::greater{}, &ShareRow::share);
  const auto figure = out.in("figure");
  if (rows.empty()) return;
  shares_table(out, "bound by", "cycles", rows);
}

void levels_figure(Markup& out, const Arch& arch, const std::vector<LayerView>& views) {
  const Costs all = total(views);
  const std::vector<std::string> names = level_names(arch);
  std::vector<ShareRow> rows;
  for (std::size_t level = 0; level < all.levels_pj.size(); ++level) {
    const double pj = all.levels_pj[level];
    rows.push_back({names[level], energy_text(pj), all.energy_pj > 0 ? pj / all.energy_pj : 0,
                    level_class(arch, level)});
  }
  const auto figure = out.in("figure");
  if (rows.empty()) return;
  shares_table(out, "level", "energy", rows);
}

void energy_strip_figure(Markup& out, const Planned& planned, const std::vector<LayerView>& views) {
  const Costs all = total(views);
  if (all.energy_pj <= 0 || all.levels_pj.empty()) return;
  const auto figure = out.in("figure");
  const std::vector<std::string> names = level_names(planned.result.arch);
  std::vector<LegendEntry> entries;
  for (std::size_t level = 0; level < all.levels_pj.size(); ++level) {
    if (all.levels_pj[level] <= 0) continue;
    entries.push_back({level_class(planned.result.arch, level), names[level]});
  }
  legend(out, entries);
  {
    const auto svg = out.in(
        "svg", {{"class", "chart strip"},
                {"role", "img"},
                {"width", "100%"},
                {"height", number(kHeight)},
                {"aria-label",
                 fmt::format("Energy of {} by level: the table below has the same figures",
                             plural_text(static_cast<std::int64_t>(views.size()), "layer"))}});
    double x = 0;
    for (const LayerView& view : views) {
      write_layer(out, planned.result.arch, planned.result.network.layers[view.layer], view, x);
      x += view.energy_share;
    }
  }
  strip_names(out, strip_parts(planned.result.network, views, &LayerView::energy_share));
  caption(out,
          "Width is energy, and the height is split by level: an area is what a layer spends at "
          "that level. Layers that only move data are included.");
}

}  // namespace tilewright
