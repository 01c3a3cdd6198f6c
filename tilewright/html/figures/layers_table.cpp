// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/parts.h"
#include "tilewright/html/plan_blocks.h"

namespace tilewright {
namespace {

using Row = std::vector<std::size_t>;  // equal layers, in the list of views

// `a, b, c and 4 more`.
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 4;
  const std::size_t shown = names.size() > kNamed ? kNamed - 1 : names.size();
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
  const std::string list = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return shown == names.size() ? list : fmt::format("{} and {} more", list, names.size() - shown);
}

// Inside its block; a bare number would say too little.
std::string shown_name(const std::string& name, const std::string& block) {
  std::string inside = name_in_block(name, block);
  const bool bare = inside.find_first_not_of("0123456789") == std::string::npos;
  return bare ? name : inside;
}

// What stands in bold.
struct Weight {
  bool time = false;
  bool energy = false;
};

// True if not all mapped layers are proved, or none is: else the head of the page says enough.
bool differ(const std::vector<LayerView>& views) {
  std::set<std::string> results;
  for (const LayerView& view : views) {
    if (view.state == LayerView::State::kMapped) results.insert(view.result);
  }
  return results.size() > 1 || !(results.contains("proved") || results.contains("not proved"));
}

class LayersTable {
 public:
  LayersTable(Markup& out, const Planned& planned, const std::vector<LayerView>& views)
      : out_(out),
        network_(planned.result.network),
        arch_(planned.result.arch),
        plan_(planned.result.plan),
        views_(views),
        blocks_(block_views(planned.result.network, views)),
        results_(differ(views)) {}

  void write() {
    for (const LayerView& view : views_) add(all_, view.costs);
    set_tracks();
    const Wide frame(out_, "figures of all layers");
    const auto table = out_.in("table", {{"class", "layers"}});
    const std::vector<Column> columns = list_columns();
    columns_ = columns.size();
    head_row(out_, columns);
    for (const BlockView& block : blocks_) write_block(block);
    write_totals();
  }

 private:
  // A track ends where the longest bar of all has room.
  void set_tracks() {
    double time = 0;
    double energy = 0;
    for (const BlockView& block : blocks_) {
      const Costs costs = sum(block);
      time = std::max(time, share(costs.cycles, all_.cycles));
      energy = std::max(energy, share(costs.energy_pj, all_.energy_pj));
    }
    time_end_ = track_end(time);
    energy_end_ = track_end(energy);
  }

  std::vector<Column> list_columns() const {
    std::vector<Column> columns = {{"layer"}, {"runs", true}, {"of the time", true}};
    columns.push_back({"track: " + track_text(time_end_)});
    columns.push_back({"of the energy", true});
    columns.push_back({"by level, track: " + track_text(energy_end_)});
    columns.push_back({"cycles", true});
    if (arch_.clock_hz()) columns.push_back({"time", true});
    for (const char* title : {"energy", "MACs", "util", "DRAM"}) columns.push_back({title, true});
    columns.push_back({"bound by"});
    if (results_) columns.push_back({"result"});
    return columns;
  }

  static double share(double part, double whole) {
    return whole <= 0 ? 0 : part == whole ? 1 : part / whole;
  }

  Costs sum(const Row& row) const {
    Costs costs;
    for (const std::size_t i : row) add(costs, views_[i].costs);
    return costs;
  }
  Costs sum(const BlockView& block) const {
    Costs costs;
    for (const Row& row : block.rows) add(costs, sum(row));
    return costs;
  }

  Piece time_piece(const Costs& costs, const LayerView& view) const {
    return {share(costs.cycles, all_.cycles) / time_end_, view.style, view.bottleneck};
  }
  // Rows side by side, those of one colour together.
  std::vector<Piece> time_pieces(const BlockView& block) const {
    std::vector<Piece> pieces;
    for (const Row& row : block.rows) {
      const Piece piece = time_piece(sum(row), views_[row.front()]);
      const auto same = std::ranges::find(pieces, piece.style, &Piece::style);
      if (same == pieces.end()) {
        pieces.push_back(piece);
      } else {
        same->share += piece.share;
      }
    }
    return pieces;
  }

  void write_block(const BlockView& block) {
    const auto body = out_.in("tbody");
    if (!block.names.empty()) {
      const auto row = out_.in("tr", {{"class", "block"}});
      {
        const auto head = out_.in("th", {{"scope", "rowgroup"}});
        breakable(out_, names_text(block.names));
        if (block.names.size() > 1) {
          out_.leaf("span", {{"class", "sub"}},
                    fmt::format(" {} equal blocks", block.names.size()));
        }
      }
      cell(count_text(static_cast<std::int64_t>(block.names.size())));
      write_figures(sum(block), time_pieces(block), {});
      for (std::size_t i = 0; i < (results_ ? 2 : 1); ++i) out_.leaf("td", "");
    }
    for (const Row& row : block.rows) write_row(block, row);
  }

  void write_row(const BlockView& block, const Row& row) {
    const LayerView& view = views_[row.front()];
    const bool unmapped = view.state == LayerView::State::kUnmapped;
    const bool traffic = view.state == LayerView::State::kTraffic;
    const std::string style = std::string(unmapped  ? "bad"
                                          : traffic ? "traffic"
                                                    : "other") +
                              (block.names.empty() ? "" : " inner");
    const auto line = out_.in("tr", {{"class", style}});
    const Costs costs = sum(row);
    write_name(row, view);
    cell(count_text(costs.runs));
    if (unmapped) {
      const auto why = out_.in("td", {{"class", "why"}, {"colspan", std::to_string(columns_ - 2)}});
      out_.text("not mapped: " + view.result);
      return;
    }
    write_figures(costs, {time_piece(costs, view)}, {view.main_time, view.main_energy});
    out_.leaf("td", view.bottleneck);
    if (results_) out_.leaf("td", view.result);
  }

  void write_name(const Row& row, const LayerView& view) {
    const Layer& layer = network_.layers[view.layer];
    std::vector<std::string> names;
    for (const std::size_t i : row) {
      std::string name = shown_name(network_.layers[views_[i].layer].name, views_[i].block);
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    const auto head = out_.in("th", {{"scope", "row"}});
    const auto& solved = plan_.layers[view.layer].solved;
    if (solved && plan_.solved[*solved].best) {
      const auto link = out_.in("a", {{"href", "#p" + std::to_string(*solved)}});
      breakable(out_, names_text(names));
    } else {
      breakable(out_, names_text(names));
    }
    std::string remark;
    if (!layer.op.empty() && layer.op != names.front()) remark += " " + layer.op;
    if (view.state == LayerView::State::kTraffic) remark += ", traffic only";
    if (!remark.empty()) out_.leaf("span", {{"class", "sub"}}, remark);
  }

  void cell(const std::string& text) { out_.leaf("td", {{"class", "number"}}, text); }
  void weighed_cell(const std::string& text, bool bold) {
    const auto cell = out_.in("td", {{"class", "number"}});
    if (bold) {
      out_.leaf("strong", text);
    } else {
      out_.text(text);
    }
  }

  // From the shares to DRAM.
  void write_figures(const Costs& costs, const std::vector<Piece>& times, Weight weight) {
    const double time = share(costs.cycles, all_.cycles);
    weighed_cell(percent_text(time), weight.time);
    {
      const auto drawn = out_.in("td");
      bar(out_, times, percent_text(time) + " of the time");
    }
    const double energy = share(costs.energy_pj, all_.energy_pj);
    weighed_cell(percent_text(energy), weight.energy);
    write_levels(costs, energy);
    const double units = static_cast<double>(arch_.compute_units());
    write_sums(costs, costs.computes > 0 && costs.cycles > 0
                          ? percent_text(share(costs.computes, costs.cycles * units))
                          : "-");
  }

  // From cycles to DRAM.
  void write_sums(const Costs& costs, const std::string& utilization) {
    cell(significant_text(costs.cycles, 4));
    if (arch_.clock_hz()) cell(si_text(costs.cycles / to_double(*arch_.clock_hz()), "s", 3));
    cell(energy_text(costs.energy_pj));
    cell(costs.computes > 0 ? si_text(costs.computes, "", 4) : "-");
    cell(utilization);
    cell(si_text(costs.dram_bits / 8, "B", 3));
  }

  void write_levels(const Costs& costs, double energy) {
    const std::vector<std::string> names = level_names(arch_);
    std::vector<Piece> pieces;
    std::string words = percent_text(energy) + " of the energy";
    for (std::size_t level = 0; level < costs.levels_pj.size(); ++level) {
      const double pj = costs.levels_pj[level];
      if (pj <= 0) continue;
      const std::string text = names[level] + " " + energy_text(pj);
      pieces.push_back({share(pj, all_.energy_pj) / energy_end_, level_class(arch_, level), text});
      words += ", " + text;
    }
    const auto drawn = out_.in("td");
    bar(out_, pieces, words);
  }

  void write_totals() {
    const PlanTotals& totals = plan_.totals;
    const auto foot = out_.in("tfoot");
    const auto row = out_.in("tr");
    out_.leaf("th", {{"scope", "row"}}, "total");
    for (int i = 0; i < 5; ++i) out_.leaf("td", "");
    Costs sums;
    sums.cycles = totals.cycles;
    sums.energy_pj = totals.energy_pj;
    sums.computes = totals.computes;
    sums.dram_bits = totals.dram_bits;
    write_sums(sums, percent_text(totals.utilization));
    for (std::size_t i = 0; i < (results_ ? 2 : 1); ++i) out_.leaf("td", "");
  }

  Markup& out_;
  const Network& network_;
  const Arch& arch_;
  const Plan& plan_;
  const std::vector<LayerView>& views_;
  std::vector<BlockView> blocks_;
  bool results_;  // have a column
  Costs all_;
  double time_end_ = 1;  // shares at which the tracks end
  double energy_end_ = 1;
  std::size_t columns_ = 0;
};

}  // namespace

void layers_table(Markup& out, const Planned& planned, const std::vector<LayerView>& views) {
  const auto figure = out.in("figure");
  LayersTable(out, planned, views).write();
  caption(out,
          "Figures are over all runs of a row, and a row stands for all equal layers of its "
          "blocks. Bold: the fewest kinds of layers that together take 80 % of the time, or of the "
          "energy. A track ends at the share that its title names. Total utilization is weighted "
          "by work. A layer without a mapping is not in any sum.");
}

}  // namespace tilewright
