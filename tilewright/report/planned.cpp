// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/planned.h"

#include <algorithm>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/report/evaluated.h"
#include "tilewright/search/gap.h"

namespace tilewright {
namespace {

constexpr double kMost = 0.8;  // of the time or the energy

bool is_same_row(const Planned& planned, const PlanRow& row, std::size_t layer) {
  const PlannedLayer& each = planned.plan.layers[layer];
  if (row.each.solved || each.solved) return row.each.solved == each.solved;
  const Layer& first = planned.network.layers[row.layers.front()];
  return first.op == planned.network.layers[layer].op && row.each.cycles == each.cycles &&
         row.each.energy_pj == each.energy_pj && row.each.dram_bits == each.dram_bits;
}

}  // namespace

std::vector<PlanRow> fold_layers(const Planned& planned) {
  std::vector<PlanRow> rows;
  for (std::size_t l = 0; l < planned.network.layers.size(); ++l) {
    const Layer& layer = planned.network.layers[l];
    if (layer.kind == LayerKind::kNothing) continue;
    const auto same = std::ranges::find_if(
        rows, [&](const PlanRow& row) { return is_same_row(planned, row, l); });
    PlanRow& row = same == rows.end() ? rows.emplace_back() : *same;
    if (row.layers.empty()) row.each = planned.plan.layers[l];
    row.layers.push_back(l);
    row.runs = checked_add(row.runs, layer.count);
  }
  return rows;
}

const Solved* find_solved(const Planned& planned, const PlannedLayer& layer) {
  return layer.solved ? &planned.plan.solved[*layer.solved] : nullptr;
}

double layer_utilization(const Planned& planned, const PlannedLayer& layer) {
  const Solved* solved = find_solved(planned, layer);
  if (solved == nullptr || !solved->best) return 0;
  return utilization(solved->best->evaluation, planned.arch.compute_units()).total;
}

std::string layer_bottleneck(const Planned& planned, const PlannedLayer& layer) {
  const Solved* solved = find_solved(planned, layer);
  if (solved == nullptr) {
    const NodeId outermost = planned.arch.memories().front();
    const bool on_chip = layer.dram_bits == 0 && planned.plan.buffer.valid();
    return node_or_compute_name(planned.arch, on_chip ? planned.plan.buffer : outermost);
  }
  return solved->best ? node_or_compute_name(planned.arch, solved->best->evaluation.bottleneck)
                      : "";
}

std::optional<double> solved_gap(const Solved& solved) {
  if (!solved.best) return std::nullopt;
  if (is_proved(solved)) return 0;
  if (!solved.bound) return std::nullopt;
  return find_gap(solved.best->score, *solved.bound);
}

std::optional<double> plan_seconds(const Planned& planned, double cycles) {
  const std::optional<Rational>& clock = planned.arch.clock_hz();
  if (!clock) return std::nullopt;
  return cycles / to_double(*clock);
}

std::vector<PlanRow> largest_rows(std::vector<PlanRow> rows, double PlannedLayer::*figure,
                                  double all) {
  const auto value = [figure](const PlanRow& row) {
    return static_cast<double>(row.runs) * row.each.*figure;
  };
  std::ranges::stable_sort(rows, std::greater{}, value);
  double sum = 0;
  std::size_t count = 0;
  while (count < rows.size() && sum < kMost * all) sum += value(rows[count++]);
  rows.resize(count);
  return rows;
}

std::vector<PlanRow> longest_rows(std::vector<PlanRow> rows, double all_cycles) {
  return largest_rows(std::move(rows), &PlannedLayer::cycles, all_cycles);
}

}  // namespace tilewright
