// SPDX-License-Identifier: Apache-2.0
// Where the energy goes: one bar per memory and one for the compute units, by tensor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tilewright/format/bars.h"
#include "tilewright/format/number_text.h"
#include "tilewright/report/mapping/evaluation_text.h"
#include "tilewright/report/mapping/problem_text.h"

namespace tilewright {
namespace {

struct Row {
  std::string name;
  double energy = 0;
  double leakage = 0;
  std::vector<TensorCounts> tensors;  // empty for the compute units
};

std::vector<Row> rows_by_energy(const Evaluated& evaluated) {
  const Evaluation& evaluation = evaluated.evaluation;
  std::vector<Row> rows;
  for (const MemoryEvaluation& memory : evaluation.memories) {
    if (!keeps_anything(memory) && memory.energy_pj == 0) continue;
    rows.push_back({evaluated.problem.arch().memory(memory.node).name, memory.energy_pj,
                    memory.leakage_pj, memory.tensors});
  }
  rows.push_back({evaluated.problem.arch().compute().name, evaluation.compute_energy_pj, 0, {}});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.energy > b.energy; });
  return rows;
}

// All rows in the unit of the total, so that points line up.
class EnergyScale {
 public:
  explicit EnergyScale(double total_pj) {
    const std::string text = energy_text(total_pj);  // `59.28 uJ`
    const std::size_t blank = text.find(' ');
    const std::size_t point = text.find('.');
    unit_ = text.substr(blank + 1);
    decimals_ = point < blank ? static_cast<int>(blank - point) - 1 : 0;
    const double shown = std::strtod(text.c_str(), nullptr);
    per_pj_ = total_pj > 0 && shown > 0
                  ? std::pow(1000.0, std::round(std::log(shown / total_pj) / std::log(1000.0)))
                  : 1;
  }

  std::string text(double pj) const {
    return pj == 0 ? "0 " + unit_ : fmt::format("{:.{}f} {}", pj * per_pj_, decimals_, unit_);
  }

 private:
  std::string unit_;
  int decimals_ = 0;
  double per_pj_ = 1;
};

// Percent without its sign, `-` for nothing.
std::string share_text(double energy, double total) {
  if (energy == 0 || total == 0) return "-";
  const double percent = 100 * energy / total;
  return percent < 0.1 ? "<0.1" : fmt::format("{:.1f}", percent);
}

class EnergyTable {
 public:
  EnergyTable(const Evaluated& evaluated, const TextOptions& options)
      : evaluated_(evaluated), options_(options), rows_(rows_by_energy(evaluated)) {
    leaks_ = std::any_of(rows_.begin(), rows_.end(), [](const Row& r) { return r.leakage > 0; });
  }

  // Names give way before the bars get too short to see, gaps after that, then the energies.
  std::string text() const {
    constexpr Fit kFits[] = {{24, 14, 2, true}, {16, 10, 2, true}, {12, 7, 2, true},
                             {12, 5, 2, true},  {12, 5, 1, true},  {8, 5, 1, false}};
    for (const Fit& fit : kFits) {
      const int cells = options_.width - build(0, fit).width();
      if (cells >= 10) return build(std::min(cells, 26), fit).text(options_);
    }
    const int cells = options_.width - build(0, kFits[5]).width();
    return build(std::max(cells, 0), kFits[5]).text(options_);
  }

 private:
  struct Fit {
    int longest_node = 0;
    int longest_tensor = 0;
    int gap = 2;
    bool with_energy = true;
  };

  Table build(int cells, const Fit& fit) const {
    const auto tensors = evaluated_.problem.workload().tensors();
    std::vector<Table::Column> columns = {{"", Table::Align::kLeft, 2},
                                          {"", Table::Align::kRight, fit.with_energy ? 2 : 0},
                                          {"", Table::Align::kRight, 2},
                                          {"", Table::Align::kLeft, 2}};
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      columns.push_back({paint_color(clip(tensors[t].name, fit.longest_tensor, options_),
                                     tensor_color(TensorId(t)), options_),
                         Table::Align::kRight, fit.gap});
    }
    if (leaks_) columns.push_back({"leak", Table::Align::kRight, fit.gap});
    Table table(std::move(columns));
    for (const Row& row : rows_) {
      std::vector<std::string> line = cells_of(row, cells);
      line[0] = clip(row.name, fit.longest_node, options_);
      if (!fit.with_energy) line[1].clear();
      table.add_row(std::move(line));
    }
    return table;
  }

  std::vector<std::string> cells_of(const Row& row, int cells) const {
    const double total = evaluated_.evaluation.energy_pj;
    const double largest = rows_.front().energy;
    std::vector<BarPiece> pieces;
    for (std::size_t t = 0; t < row.tensors.size() && largest > 0; ++t) {
      pieces.push_back({row.tensors[t].energy_pj / largest, tensor_color(TensorId(t))});
    }
    if (row.tensors.empty() && largest > 0) pieces.push_back({row.energy / largest, 37});
    if (row.leakage > 0) pieces.push_back({row.leakage / largest, 90});
    const std::string drawn = stacked_bar(pieces, cells, options_);
    std::vector<std::string> result = {row.name, EnergyScale(total).text(row.energy),
                                       percent_text(total == 0 ? 0 : row.energy / total),
                                       pad_right(drawn, cells)};
    for (const TensorCounts& counts : row.tensors) {
      result.push_back(counts.kept ? share_text(counts.energy_pj, total) : "");
    }
    if (leaks_ && !row.tensors.empty()) result.push_back(share_text(row.leakage, total));
    return result;
  }

  const Evaluated& evaluated_;
  const TextOptions& options_;
  std::vector<Row> rows_;
  bool leaks_ = false;
};

// As far as it is short.
std::string sources_text(const Arch& arch, const TextOptions& options) {
  constexpr int kMostLines = 2;
  const std::string text = energy_sources_text(arch, options);
  if (std::count(text.begin(), text.end(), '\n') <= kMostLines) return text;
  return "  `tilewright show` lists where these energies come from\n";
}

}  // namespace

std::string energy_breakdown_text(const Evaluated& evaluated, const TextOptions& options) {
  const Evaluation& evaluation = evaluated.evaluation;
  const double per_mac = evaluation.energy_pj / static_cast<double>(evaluation.computes);
  std::string result = fmt::format("{} {}, {} pJ/MAC; shares in percent of the total\n",
                                   paint("energy", Style::kHeading, options),
                                   paint(energy_text(evaluation.energy_pj), Style::kBold, options),
                                   significant_text(per_mac, 4));
  return result + EnergyTable(evaluated, options).text() +
         sources_text(evaluated.problem.arch(), options);
}

}  // namespace tilewright
