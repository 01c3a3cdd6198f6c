// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/html/figures.h"
#include "tilewright/html/parts.h"
#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

class LayersTable {
 public:
  LayersTable(Markup& out, const Planned& planned)
      : out_(out), network_(planned.network), arch_(planned.arch), plan_(planned.plan) {}

  void write(const std::vector<LayerView>& views) {
    double most = 0;
    for (const LayerView& view : views) most = std::max(most, view.share);
    if (most > 0) most_ = most;
    const auto frame = wide(out_, "figures of all layers");
    const auto table = out_.in("table", {{"class", "layers"}});
    std::vector<Column> columns = {{"layer"}, {"runs", true}, {"MACs", true}, {"cycles", true}};
    if (arch_.clock_hz()) columns.push_back({"time", true});
    for (const char* title : {"energy", "util", "DRAM"}) columns.push_back({title, true});
    for (const char* title : {"set by", "result"}) columns.push_back({title});
    columns.push_back({"share", true});
    columns.push_back({"of the time"});
    head_row(out_, columns);
    {
      const auto body = out_.in("tbody");
      for (const LayerView& view : views) write_row(view);
    }
    write_totals(columns.size());
  }

 private:
  void cell(const std::string& text) { out_.leaf("td", {{"class", "number"}}, text); }

  void figures(double computes, double cycles, double energy_pj) {
    cell(computes > 0 ? si_text(computes, "", 4) : "-");
    cell(significant_text(cycles, 4));
    if (arch_.clock_hz()) cell(si_text(cycles / to_double(*arch_.clock_hz()), "s", 3));
    cell(energy_text(energy_pj));
  }

  void write_row(const LayerView& view) {
    const Layer& layer = network_.layers[view.layer];
    const bool unmapped = view.state == LayerView::State::kUnmapped;
    const auto row = out_.in("tr", {{"class", unmapped ? "bad" : view.main ? "main" : "other"}});
    write_name(layer, view);
    cell(count_text(layer.count));
    if (unmapped) {
      const int across = arch_.clock_hz() ? 10 : 9;
      const auto why = out_.in("td", {{"class", "why"}, {"colspan", std::to_string(across)}});
      out_.text("not mapped: " + view.result);
      return;
    }
    figures(view.computes, view.cycles, view.energy_pj);
    cell(view.state == LayerView::State::kMapped ? percent_text(view.utilization) : "-");
    cell(si_text(view.dram_bits / 8, "B", 3));
    out_.leaf("td", view.bottleneck);
    out_.leaf("td", view.result);
    cell((view.main ? "* " : "") + percent_text(view.share));
    const auto drawn = out_.in("td");
    bar(out_, {{view.share / most_, view.style, ""}},
        layer.name + ": " + percent_text(view.share) + " of the time");
  }

  void write_name(const Layer& layer, const LayerView& view) {
    const auto head = out_.in("th", {{"scope", "row"}});
    const auto& solved = plan_.layers[view.layer].solved;
    if (solved && plan_.solved[*solved].best) {
      out_.leaf("a", {{"href", "#p" + std::to_string(*solved)}}, layer.name);
    } else {
      out_.text(layer.name);
    }
    if (!layer.op.empty() && layer.op != layer.name) {
      out_.leaf("span", {{"class", "sub"}}, " " + layer.op);
    }
  }

  void write_totals(std::size_t columns) {
    const PlanTotals& totals = plan_.totals;
    const auto foot = out_.in("tfoot");
    const auto row = out_.in("tr");
    out_.leaf("th", {{"scope", "row"}}, "in all");
    out_.leaf("td", "");
    figures(totals.computes, totals.cycles, totals.energy_pj);
    cell(percent_text(totals.utilization));
    cell(si_text(totals.dram_bits / 8, "B", 3));
    const std::size_t written = arch_.clock_hz() ? 8 : 7;
    for (std::size_t i = written; i < columns; ++i) out_.leaf("td", "");
  }

  Markup& out_;
  const Network& network_;
  const Arch& arch_;
  const Plan& plan_;
  double most_ = 1;  // the largest share: its bar is the longest
};

}  // namespace

void layers_table(Markup& out, const Planned& planned, const std::vector<LayerView>& views) {
  const auto figure = out.in("figure");
  LayersTable(out, planned).write(views);
  caption(out,
          "Figures are over all runs of a layer. Bold and starred: the fewest kinds of layers that "
          "take 80 % of the time together. Utilization in all is weighted by work. A layer without "
          "a mapping "
          "is in no sum.");
}

}  // namespace tilewright
