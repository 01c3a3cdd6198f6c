// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tilewright/base/text/printable.h"
#include "tilewright/diff/diff_text.h"
#include "tilewright/diff/sides.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

constexpr std::size_t kMostLayers = 20;

std::string totals_text(const PlanSide& before, const PlanSide& after, const TextOptions& options) {
  const SavedPlan& left = before.plan;
  const SavedPlan& right = after.plan;
  SideTable table({printable(before.name), printable(after.name)}, options);
  table.add_energy(left.energy_pj, right.energy_pj);
  table.add_ratio("cycles", left.cycles, right.cycles, [](double value) {
    return count_text(static_cast<std::int64_t>(std::llround(value)));
  });
  table.add_edp(left.energy_pj * left.cycles, right.energy_pj * right.cycles);
  table.add_ratio("DRAM", left.dram_bits, right.dram_bits,
                  [](double value) { return si_text(value / 8, "B"); });
  table.add_utilization(left.utilization, right.utilization);
  table.add_proofs(left.proved, right.proved);
  return table.text();
}

std::string layers_table(const std::vector<LayerDifference>& layers, const TextOptions& options) {
  Table table({{"layer", Table::Align::kLeft, 2},
               {"runs"},
               {"energy"},
               {"->", Table::Align::kLeft},
               {"ratio"},
               {"cycles", Table::Align::kRight, 3},
               {"->", Table::Align::kLeft},
               {"ratio"}});
  const auto cycles = [](double value) {
    return short_count_text(static_cast<std::int64_t>(std::llround(value)));
  };
  for (std::size_t l = 0; l < std::min(layers.size(), kMostLayers); ++l) {
    const auto& [left, right] = layers[l];
    table.add_row({clip(printable(left.name), 16, options),
                   std::to_string(std::max(left.count, right.count)), energy_text(left.energy_pj),
                   energy_text(right.energy_pj),
                   ratio_cell(left.energy_pj, right.energy_pj, options), cycles(left.cycles),
                   cycles(right.cycles), ratio_cell(left.cycles, right.cycles, options)});
  }
  return table.text(options);
}

}  // namespace

std::string plan_diff_text(const PlanSide& before, const PlanSide& after,
                           const TextOptions& options) {
  const PlanDiff diff = find_differences(before, after);
  std::string result =
      settings_text(diff.settings, options) + "\n" + totals_text(before, after, options);
  if (diff.layers.empty()) return result + "  every layer costs the same\n";
  result +=
      "\n" + paint("layers", Style::kHeading, options) +
      paint(" one run of each, the largest change of the energy first", Style::kDim, options) +
      "\n" + layers_table(diff.layers, options);
  if (diff.layers.size() > kMostLayers) {
    result += fmt::format("  and {} more\n", diff.layers.size() - kMostLayers);
  }
  if (diff.equal > 0) {
    result += fmt::format("  {} with the same figures left out\n",
                          plural_text(static_cast<std::int64_t>(diff.equal), "layer"));
  }
  return result;
}

}  // namespace tilewright
