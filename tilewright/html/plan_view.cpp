// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/plan_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tilewright/base/checked.h"
#include "tilewright/format/number_text.h"
#include "tilewright/html/parts.h"
#include "tilewright/html/plan_blocks.h"

namespace tilewright {
namespace {

std::string result_text(const Solved& solved) {
  const std::optional<double> gap = solved_gap(solved);
  const std::string result = solved.status == Status::kProved ? "proved"
                             : gap                            ? "gap " + percent_text(*gap)
                                                              : "not proved";
  if (solved.asked.without.empty()) return result;
  return fmt::format("{} without {}", result, fmt::join(solved.asked.without, ", "));
}

// Where the bottleneck stands in level_names().
std::size_t level_of(const Arch& arch, NodeId node) {
  const auto found = std::ranges::find(arch.memories(), node);  // at the end: the compute units
  return static_cast<std::size_t>(found - arch.memories().begin());
}

void add_mapping(const Planned& planned, const PlannedLayer& layer, LayerView& view) {
  const Solved* solved = find_solved(planned, layer);
  if (solved == nullptr) {
    view.state = LayerView::State::kTraffic;
    view.bottleneck = layer_bottleneck(planned, layer);
    view.style = "idle";
    view.result = "traffic only";
  } else if (!solved->best) {
    view.state = LayerView::State::kUnmapped;
    const std::string why = why_not(planned, *solved);
    view.result = why.empty() ? "no mapping was found" : why;
  } else {
    const Arch& arch = solved->problem->arch();
    view.utilization = layer_utilization(planned, layer);
    view.bottleneck = layer_bottleneck(planned, layer);
    view.style = level_class(arch, level_of(arch, solved->best->evaluation.bottleneck));
    view.result = result_text(*solved);
  }
}

Costs costs_of(const Layer& layer, const PlannedLayer& each) {
  const double runs = static_cast<double>(layer.count);
  Costs costs;
  costs.runs = layer.count;
  costs.cycles = each.cycles * runs;
  costs.energy_pj = each.energy_pj * runs;
  costs.dram_bits = each.dram_bits * runs;
  for (const double level_pj : each.levels_pj) costs.levels_pj.push_back(level_pj * runs);
  if (layer.workload) costs.computes = static_cast<double>(layer.workload->computes()) * runs;
  return costs;
}

void add_shares(const std::vector<PlanRow>& rows, std::vector<LayerView>& views) {
  Costs all;
  for (const LayerView& view : views) add(all, view.costs);
  const auto largest = [&](double PlannedLayer::*figure, double total) {
    std::set<std::size_t> layers;
    for (const PlanRow& row : largest_rows(rows, figure, total)) {
      layers.insert(row.layers.begin(), row.layers.end());
    }
    return layers;
  };
  const std::set<std::size_t> longest = largest(&PlannedLayer::cycles, all.cycles);
  const std::set<std::size_t> hungriest = largest(&PlannedLayer::energy_pj, all.energy_pj);
  for (LayerView& view : views) {
    if (all.cycles > 0) view.time_share = view.costs.cycles / all.cycles;
    if (all.energy_pj > 0) view.energy_share = view.costs.energy_pj / all.energy_pj;
    view.main_time = longest.contains(view.layer);
    view.main_energy = hungriest.contains(view.layer);
  }
}

}  // namespace

void add(Costs& sum, const Costs& more) {
  sum.runs = checked_add(sum.runs, more.runs);
  sum.computes += more.computes;
  sum.cycles += more.cycles;
  sum.energy_pj += more.energy_pj;
  sum.dram_bits += more.dram_bits;
  sum.levels_pj.resize(std::max(sum.levels_pj.size(), more.levels_pj.size()));
  for (std::size_t i = 0; i < more.levels_pj.size(); ++i) sum.levels_pj[i] += more.levels_pj[i];
}

std::vector<LayerView> layer_views(const Planned& planned) {
  std::vector<LayerView> views;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < planned.result.network.layers.size(); ++i) {
    const Layer& layer = planned.result.network.layers[i];
    if (layer.kind == LayerKind::kNothing) continue;
    LayerView view;
    view.layer = i;
    view.costs = costs_of(layer, planned.result.plan.layers[i]);
    add_mapping(planned, planned.result.plan.layers[i], view);
    views.push_back(std::move(view));
    names.push_back(layer.name);
  }
  const std::vector<PlanRow> rows = fold_layers(planned);
  for (std::size_t kind = 0; kind < rows.size(); ++kind) {
    for (const std::size_t layer : rows[kind].layers) {
      std::ranges::find(views, layer, &LayerView::layer)->kind = kind;
    }
  }
  const std::vector<std::string> blocks = find_blocks(names);
  for (std::size_t i = 0; i < views.size(); ++i) views[i].block = blocks[i];
  add_shares(rows, views);
  return views;
}

std::vector<std::string> level_names(const Arch& arch) {
  std::vector<std::string> names;
  for (const NodeId id : arch.memories()) names.push_back(arch.memory(id).name);
  names.push_back(arch.compute().name);
  return names;
}

std::string level_class(const Arch& arch, std::size_t level) {
  constexpr std::size_t kColors = 8;
  if (level >= arch.memories().size()) return "unit";
  return tensor_class(TensorId(level % kColors));
}

}  // namespace tilewright
