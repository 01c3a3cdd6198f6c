// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/plan_view.h"

#include <algorithm>
#include <set>

#include "tilewright/html/parts.h"
#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

std::string result_text(const Solved& solved) {
  if (is_proved(solved)) return "proved";
  const std::optional<double> gap = solved_gap(solved);
  return gap ? "gap " + percent_text(*gap) : "not proved";
}

// One colour a memory, in the order of the architecture; the last one is that of traffic.
constexpr std::size_t kMemoryColors = 7;
constexpr const char* kTrafficStyle = "t7";

std::string bottleneck_class(const Arch& arch, NodeId node) {
  if (!node.valid()) return "unit";
  const auto found = std::ranges::find(arch.memories(), node);
  const auto place = static_cast<std::size_t>(found - arch.memories().begin());
  return tensor_class(TensorId(place % kMemoryColors));
}

void add_mapping(const Planned& planned, const PlannedLayer& layer, LayerView& view) {
  const Solved* solved = find_solved(planned, layer);
  if (solved == nullptr) {
    view.state = LayerView::State::kTraffic;
    view.bottleneck = "traffic";
    view.style = kTrafficStyle;
    view.result = "traffic only";
  } else if (!solved->best) {
    view.state = LayerView::State::kUnmapped;
    view.result = solved->why_not.empty() ? "no mapping was found" : solved->why_not;
  } else {
    view.utilization = layer_utilization(planned, layer);
    view.bottleneck = layer_bottleneck(planned, layer);
    view.style = bottleneck_class(solved->problem->arch(), solved->best->evaluation.bottleneck);
    view.result = result_text(*solved);
  }
}

}  // namespace

std::vector<LayerView> layer_views(const Planned& planned) {
  std::vector<LayerView> views;
  double all = 0;
  for (std::size_t i = 0; i < planned.network.layers.size(); ++i) {
    const Layer& layer = planned.network.layers[i];
    if (layer.kind == LayerKind::kNothing) continue;
    const PlannedLayer& each = planned.plan.layers[i];
    const double runs = static_cast<double>(layer.count);
    LayerView view;
    view.layer = i;
    view.cycles = each.cycles * runs;
    view.energy_pj = each.energy_pj * runs;
    view.dram_bits = each.dram_bits * runs;
    if (layer.workload) view.computes = static_cast<double>(layer.workload->computes()) * runs;
    add_mapping(planned, each, view);
    all += view.cycles;
    views.push_back(std::move(view));
  }
  if (all <= 0) return views;
  std::set<std::size_t> main;
  for (const PlanRow& row : longest_rows(fold_layers(planned), all)) {
    main.insert(row.layers.begin(), row.layers.end());
  }
  for (LayerView& view : views) {
    view.share = view.cycles / all;
    view.main = main.contains(view.layer);
  }
  return views;
}

}  // namespace tilewright
