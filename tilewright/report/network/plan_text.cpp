// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/network/plan_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tilewright/base/text/printable.h"
#include "tilewright/format/number_text.h"
#include "tilewright/report/assumptions_text.h"
#include "tilewright/result/assumptions.h"
#include "tilewright/search/questions/status.h"

namespace tilewright {
namespace {

constexpr int kFewestColumnsOfAName = 8;
constexpr int kMostColumnsOfALimit = 7;
constexpr std::size_t kMostNames = 40;

// A whole number that may be too large for one.
std::string whole_text(double value) {
  return value < 9e15 ? count_text(std::llround(value)) : significant_text(value, 6);
}

std::string bytes_text(double bits, int digits) { return si_text(bits / 8, "B", digits); }

// `1.23M`, in five columns.
std::string tight_text(double value) {
  if (value < 9999.5) return fmt::format("{:.0f}", value);
  std::string text = si_text(value, "", 3);
  std::erase(text, ' ');
  return text;
}

// Without the blank and the sign: the title has it.
std::string tight_percent(double fraction) {
  std::string text = percent_text(fraction);
  return text.substr(0, text.find(' '));
}

std::string edp_text(double energy_pj, double cycles, int digits) {
  return si_text(energy_pj * 1e-12 * cycles, "J*cycle", digits);
}

struct Proved {
  std::size_t layers = 0;  // mapped ones
  double share = 0;        // of the time of mapped layers that is proved
  double worst_gap = 0;    // of the others with a bound
  std::size_t unbounded = 0;
};

Proved find_proved(const Planned& planned) {
  Proved result;
  double all = 0;
  double proved = 0;
  for (std::size_t l = 0; l < planned.result.plan.layers.size(); ++l) {
    const PlannedLayer& layer = planned.result.plan.layers[l];
    const Solved* solved = find_solved(planned, layer);
    if (solved == nullptr) continue;
    ++result.layers;
    if (!solved->best) continue;
    const double cycles =
        layer.cycles * static_cast<double>(planned.result.network.layers[l].count);
    all += cycles;
    if (solved->status == Status::kProved && solved->asked.without.empty()) proved += cycles;
    const std::optional<double> gap = solved_gap(*solved);
    if (!gap) ++result.unbounded;
    result.worst_gap = std::max(result.worst_gap, gap.value_or(0));
  }
  result.share = all == 0 ? 0 : proved == all ? 1 : proved / all;
  return result;
}

// `r >= 3 on X of PE`, each in backticks.
std::string unmet_words(const Planned& planned) {
  std::vector<std::string> names;
  for (const Unmet& unmet : find_unmet(planned)) names.push_back(unmet.constraint);
  return join_names(names, "and");
}

// Where constraints do not fit every layer, those that they hold for and the others are counted
// apart.
std::string proved_words(const Planned& planned, const Proved& proved) {
  const PlanTotals& totals = planned.result.plan.totals;
  if (totals.proved + totals.proved_without < proved.layers) {
    std::string words = fmt::format("{} of {} layers proved optimal, {} of the time", totals.proved,
                                    proved.layers, percent_text(proved.share));
    if (totals.proved_without > 0) {
      words +=
          fmt::format("; {} more proved without {}", totals.proved_without, unmet_words(planned));
    }
    return words;
  }
  std::string words = fmt::format("proved: no mapping of any layer{} is better",
                                  leaves_out_uneven(planned.result) ? " with even placement" : "");
  if (totals.proved_without == 0) {
    return words + fmt::format(" ({} of {})", totals.proved, proved.layers);
  }
  return words + fmt::format(" ({} of {} with all constraints; {} more without {})", totals.proved,
                             proved.layers, totals.proved_without, unmet_words(planned));
}

std::string result_words(const Planned& planned) {
  const PlanTotals& totals = planned.result.plan.totals;
  const Proved proved = find_proved(planned);
  if (proved.layers == 0) return "no layer to map";
  std::string words = proved_words(planned, proved);
  if (proved.worst_gap > 0) {
    words += fmt::format("; for the others, no mapping is better by more than {}",
                         percent_text(proved.worst_gap));
  }
  if (proved.unbounded > 0) {
    words += fmt::format("; {} without a bound",
                         plural_text(static_cast<std::int64_t>(proved.unbounded), "layer"));
  }
  if (totals.unmapped > 0) {
    words += fmt::format("; {} without a mapping",
                         plural_text(static_cast<std::int64_t>(totals.unmapped), "layer"));
  }
  return words;
}

// Layers are best one by one; the product of their sums may be less with others.
std::string whole_words(const Planned& planned) {
  const PlanTotals& totals = planned.result.plan.totals;
  const double edp = totals.energy_pj * totals.cycles;
  if (totals.bound <= 0 || edp <= 0) return "";
  return fmt::format("other mappings of this space can lower the EDP of the network by at most {}",
                     percent_text(find_gap(edp, totals.bound)));
}

std::vector<std::string> verdict_items(const Planned& planned, const TextOptions& options) {
  const PlanTotals& totals = planned.result.plan.totals;
  const auto bold = [&](const std::string& text) { return paint(text, Style::kBold, options); };
  std::string cycles = bold(whole_text(totals.cycles)) + " cycles";
  if (const auto time = plan_seconds(planned, totals.cycles)) {
    cycles += " (" + si_text(*time, "s", 4) + ")";
  }
  return {bold(energy_text(totals.energy_pj)), cycles,
          "EDP " + bold(edp_text(totals.energy_pj, totals.cycles, 4)),
          "util " + bold(percent_text(totals.utilization)),
          off_chip_title(planned.result.arch) + " " + bold(bytes_text(totals.dram_bits, 4))};
}

constexpr const char* kUnmetMark = "*";

std::string row_name(const Planned& planned, const PlanRow& row) {
  const Layer& layer = planned.result.network.layers[row.layers.front()];
  // Traffic of one operator is told by what it is, if there is more of it.
  const bool traffic = !row.each.solved && row.layers.size() > 1 && !layer.op.empty();
  return traffic ? layer.op : layer.name;
}

// The table. Columns that would say nothing are left out.
class LayerTable {
 public:
  LayerTable(const Planned& planned, const TextOptions& options)
      : planned_(planned),
        options_(options),
        rows_(fold_layers(planned)),
        gaps_(std::ranges::any_of(planned.result.plan.solved,
                                  [](const Solved& s) { return solved_gap(s).value_or(0) > 0; })) {}

  std::string text() const {
    Table table(columns());
    int names = 0;
    for (const PlanRow& row : rows_) {
      names = std::max(names, display_width(name(row) + kUnmetMark));
    }
    // As wide as the rest leaves room for.
    Table without(columns());
    for (const PlanRow& row : rows_) without.add_row(cells(row, ""));
    const std::string total = "total";
    without.add_row(total_cells(""));
    const int room = std::max(kFewestColumnsOfAName,
                              options_.width - without.width() + display_width(columns()[0].title));
    for (const PlanRow& row : rows_) {
      add(table, row, shown_name(row, std::min(names, room)));
    }
    table.add_row(total_cells(total));
    return table.text(options_);
  }

 private:
  std::vector<Table::Column> columns() const {
    const auto right = Table::Align::kRight;
    std::vector<Table::Column> columns = {{"layer", Table::Align::kLeft, 0}, {"", right, 1}};
    columns.push_back({"cycles", right, 1});
    if (planned_.result.arch.clock_hz()) columns.push_back({"time", right, 1});
    columns.push_back({"energy", right, 1});
    columns.push_back({"EDP/Jc", right, 1});
    columns.push_back({"util%", right, 1});
    columns.push_back({clip(off_chip_title(planned_.result.arch), 8, options_), right, 1});
    columns.push_back({"time%", right, 1});
    if (gaps_) columns.push_back({"gap%", right, 1});
    columns.push_back({"limit", Table::Align::kLeft, 1});
    return columns;
  }

  std::string name(const PlanRow& row) const { return row_name(planned_, row); }

  // At most `room` columns, and a mark if some constraint does not fit it.
  std::string shown_name(const PlanRow& row, int room) const {
    const Solved* solved = find_solved(planned_, row.each);
    const bool unmet = solved != nullptr && !solved->asked.without.empty();
    return unmet ? clip(name(row), room - 1, options_) + kUnmetMark
                 : clip(name(row), room, options_);
  }

  std::vector<std::string> figures(double cycles, double energy_pj, double util, double bits,
                                   double share) const {
    std::vector<std::string> cells = {tight_text(cycles)};
    if (const auto time = plan_seconds(planned_, cycles)) {
      cells.push_back(si_text(*time, "s", 3));
    }
    std::string edp = si_text(energy_pj * 1e-12 * cycles, "", 3);
    std::erase(edp, ' ');
    cells.push_back(si_text(energy_pj * 1e-12, "J", 3));
    cells.push_back(edp);
    cells.push_back(tight_percent(util));
    cells.push_back(bytes_text(bits, 3));
    cells.push_back(tight_percent(share));
    return cells;
  }

  std::vector<std::string> cells(const PlanRow& row, const std::string& shown) const {
    std::vector<std::string> cells = {shown, row.runs > 1 ? "x" + count_text(row.runs) : ""};
    const Solved* solved = find_solved(planned_, row.each);
    if (solved != nullptr && !solved->best) return cells;
    const double all = planned_.result.plan.totals.cycles;
    const double mine = row.each.cycles * static_cast<double>(row.runs);
    const double share = all == 0 ? 0 : mine == all ? 1 : mine / all;
    for (std::string& cell :
         figures(row.each.cycles, row.each.energy_pj, layer_utilization(planned_, row.each),
                 row.each.dram_bits, share)) {
      cells.push_back(std::move(cell));
    }
    if (solved == nullptr) cells[cells.size() - 3] = "-";  // no utilization
    if (gaps_) cells.push_back(gap_cell(solved));
    cells.push_back(clip(layer_bottleneck(planned_, row.each), kMostColumnsOfALimit, options_));
    return cells;
  }

  static std::string gap_cell(const Solved* solved) {
    if (solved == nullptr) return "";
    const std::optional<double> gap = solved_gap(*solved);
    return gap ? tight_percent(*gap) : "?";
  }

  std::vector<std::string> total_cells(const std::string& shown) const {
    const PlanTotals& totals = planned_.result.plan.totals;
    std::vector<std::string> cells = {shown, ""};
    for (std::string& cell : figures(totals.cycles, totals.energy_pj, totals.utilization,
                                     totals.dram_bits, totals.cycles > 0 ? 1 : 0)) {
      cells.push_back(std::move(cell));
    }
    return cells;
  }

  void add(Table& table, const PlanRow& row, const std::string& shown) const {
    const Solved* solved = find_solved(planned_, row.each);
    if (solved == nullptr || solved->best) {
      table.add_row(cells(row, shown));
      return;
    }
    std::string head = shown + (row.runs > 1 ? " x" + count_text(row.runs) : "");
    std::string lines = wrap_words(head + "  ", why_not(planned_, *solved), options_.width);
    for (std::size_t start = 0; start < lines.size();) {
      const std::size_t end = lines.find('\n', start);
      table.add_line(paint(lines.substr(start, end - start), Style::kBad, options_));
      start = end + 1;
    }
  }

  const Planned& planned_;
  const TextOptions& options_;
  std::vector<PlanRow> rows_;
  bool gaps_;
};

std::string line(const char* head, const std::string& words, const TextOptions& options) {
  return wrap_words(pad_right(paint(head, Style::kHeading, options), 9), words, options.width);
}

std::string longest_words(const Planned& planned) {
  const double all = planned.result.plan.totals.cycles;
  const std::vector<PlanRow> rows = fold_layers(planned);
  const std::vector<PlanRow> longest = longest_rows(rows, all);
  if (all <= 0 || longest.empty()) return "";
  std::vector<std::string> items;
  for (const PlanRow& row : longest) {
    const double share = row.each.cycles * static_cast<double>(row.runs) / all;
    items.push_back(fmt::format("{}{} {}", row_name(planned, row),
                                row.runs > 1 ? " x" + count_text(row.runs) : "",
                                percent_text(share == 1 ? 1 : share)));
    if (items.size() == kMostNames) break;
  }
  const std::size_t more = longest.size() - items.size();
  return fmt::format("80 % goes to {} of {} rows: {}{}", longest.size(), rows.size(),
                     fmt::join(items, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string on_chip_words(const Planned& planned) {
  const Plan& plan = planned.result.plan;
  if (plan.resident.empty()) return "no edge stays on chip: none fits or none helps";
  std::vector<std::string> names;
  for (const std::size_t edge : plan.resident) {
    names.push_back(planned.result.network.edges[edge].name);
    if (names.size() == kMostNames) break;
  }
  const std::size_t more = plan.resident.size() - names.size();
  return fmt::format(
      "{} of {} stay in {}: {}{}", plan.resident.size(),
      plural_text(static_cast<std::int64_t>(planned.result.network.edges.size()), "edge"),
      planned.result.arch.memory(plan.buffer).name, fmt::join(names, ", "),
      more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string layer_names(const Planned& planned, const std::vector<std::size_t>& layers) {
  std::vector<std::string> names;
  for (const std::size_t layer : layers) {
    names.push_back(planned.result.network.layers[layer].name);
    if (names.size() == kMostNames) break;
  }
  const std::size_t more = layers.size() - names.size();
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

// What may mislead.
std::vector<std::string> find_caveats(const Planned& planned) {
  std::vector<std::string> caveats;
  const std::vector<PlanRow> rows = fold_layers(planned);
  if (std::ranges::any_of(rows, [](const PlanRow& row) { return row.runs > 1; })) {
    caveats.emplace_back(
        "a row with x2 or more has the figures of one of so many equal layers; time% and the "
        "total count all of them");
  }
  bool traffic = false;
  for (const Layer& layer : planned.result.network.layers) {
    traffic = traffic || layer.kind == LayerKind::kTraffic;
  }
  if (traffic) {
    caveats.push_back(
        fmt::format("layers without multiply-accumulates move their data once through {}; neither "
                    "arithmetic nor inner memories are counted{}",
                    planned.result.plan.buffer.valid()
                        ? "the memory that holds their data"
                        : planned.result.arch.memory(planned.result.arch.memories().front()).name,
                    find_assumptions(planned.result.arch).empty()
                        ? ""
                        : ", nor any time where no bandwidth is given"));
  }
  for (const Unmet& unmet : find_unmet(planned)) {
    caveats.push_back(fmt::format("{} searched without {}, which does not apply: {}", kUnmetMark,
                                  in_backticks(unmet.constraint),
                                  layer_names(planned, unmet.layers)));
  }
  if (planned.result.plan.totals.unmapped > 0) {
    caveats.emplace_back("layers without a mapping are not in the totals");
  }
  return caveats;
}

}  // namespace

std::string layers_words(const Network& network) {
  std::int64_t layers = 0;
  std::int64_t runs = 0;
  for (const Layer& layer : network.layers) {
    if (layer.kind == LayerKind::kNothing) continue;
    ++layers;
    runs += layer.count;
  }
  const std::string words = plural_text(layers, "layer");
  return runs == layers ? words : fmt::format("{} in {} runs", words, count_text(runs));
}

std::string plan_head_text(const Planned& planned, const TextOptions& options) {
  const std::string title =
      fmt::format("{} on {}: {}, {} to solve, {} MACs, {}", planned.result.network.name,
                  planned.result.arch.name(), layers_words(planned.result.network),
                  planned.result.plan.solved.size(),
                  short_count_text(std::llround(planned.result.plan.totals.computes)),
                  plural_text(planned.result.arch.compute_units(), "unit"));
  std::string text = assumptions_text(planned.result.arch, options) + title_text(title, options);
  for (const std::string& items :
       wrap_items(verdict_items(planned, options), ", ", options.width)) {
    text += items + "\n";
  }
  return text + "\n" + plan_search_text(planned, options);
}

std::string plan_search_text(const Planned& planned, const TextOptions& options) {
  std::string text;
  std::string limits = planned.constraints.empty() ? "" : ", constraints of " + planned.constraints;
  if (const std::size_t unmet = count_unmet(planned); unmet > 0) {
    limits += fmt::format("; {} without {}", plural_text(static_cast<std::int64_t>(unmet), "layer"),
                          unmet_words(planned));
  }
  const std::string& placement = planned.result.request.placement;
  text += line(
      "space",
      fmt::format("{}{}, {} search, each layer on its own ({}){}", planned.result.request.space,
                  placement == "even" ? "" : ", placement " + placement,
                  mapper_name(planned.result.request.mapper), planned.result.request.objective.name,
                  limits),
      options);
  text += line("result", result_words(planned), options);
  if (const std::string words = whole_words(planned); !words.empty()) {
    text += line("whole", words, options);
  }
  return text;
}

std::string plan_table_text(const Planned& planned, const TextOptions& options) {
  return LayerTable(planned, options).text();
}

std::string plan_notes_text(const Planned& planned, const TextOptions& options) {
  std::string text;
  if (const std::string words = longest_words(planned); !words.empty()) {
    text += line("time", words, options);
  }
  if (planned.result.request.keep_on_chip) text += line("on chip", on_chip_words(planned), options);
  for (const std::string& caveat : find_caveats(planned)) {
    text += wrap_words(paint("note: ", Style::kWarning, options), caveat, options.width);
  }
  return text;
}

std::string plan_text(const Planned& planned, const TextOptions& options) {
  return plan_head_text(planned, options) + "\n" + plan_table_text(planned, options) + "\n" +
         plan_notes_text(planned, options);
}

}  // namespace tilewright
