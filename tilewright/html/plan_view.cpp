// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/plan_view.h"

#include <algorithm>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/html/parts.h"
#include "tilewright/report/evaluated.h"
#include "tilewright/report/number_text.h"
#include "tilewright/search/gap.h"

namespace tilewright {
namespace {

constexpr double kMainShare = 0.8;

std::string result_text(const Solved& solved) {
  if (is_proved(solved)) return "proved";
  if (!solved.bound || *solved.bound <= 0) return "not proved";
  return "gap " + percent_text(find_gap(solved.best->score, *solved.bound));
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

void add_mapping(const Solved& solved, LayerView& view) {
  if (!solved.best) {
    view.state = LayerView::State::kUnmapped;
    view.result = solved.why_not.empty() ? "no mapping was found" : solved.why_not;
    return;
  }
  const Arch& arch = solved.problem->arch();
  const Evaluation& evaluation = solved.best->evaluation;
  view.utilization = utilization(evaluation, arch.compute_units()).total;
  view.bottleneck = node_or_compute_name(arch, evaluation.bottleneck);
  view.style = bottleneck_class(arch, evaluation.bottleneck);
  view.result = result_text(solved);
}

}  // namespace

std::vector<LayerView> layer_views(const Network& network, const Plan& plan) {
  std::vector<LayerView> views;
  double all = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& layer = network.layers[i];
    if (layer.kind == LayerKind::kNothing) continue;
    const PlannedLayer& planned = plan.layers[i];
    const double runs = static_cast<double>(layer.count);
    LayerView view;
    view.layer = i;
    view.cycles = planned.cycles * runs;
    view.energy_pj = planned.energy_pj * runs;
    view.dram_bits = planned.dram_bits * runs;
    if (layer.workload) view.computes = static_cast<double>(layer.workload->computes()) * runs;
    if (planned.solved) {
      add_mapping(plan.solved[*planned.solved], view);
    } else {
      view.state = LayerView::State::kTraffic;
      view.bottleneck = "traffic";
      view.style = kTrafficStyle;
      view.result = "traffic only";
    }
    all += view.cycles;
    views.push_back(std::move(view));
  }
  if (all <= 0) return views;
  for (LayerView& view : views) view.share = view.cycles / all;
  for (const LayerView* view : main_layers(views))
    views[static_cast<std::size_t>(view - views.data())].main = true;
  return views;
}

std::vector<const LayerView*> main_layers(const std::vector<LayerView>& views) {
  std::vector<const LayerView*> sorted;
  for (const LayerView& view : views) sorted.push_back(&view);
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const LayerView* view) { return view->share; });
  double sum = 0;
  std::size_t count = 0;
  while (count < sorted.size() && sum < kMainShare && sorted[count]->share > 0) {
    sum += sorted[count++]->share;
  }
  sorted.resize(count);
  return sorted;
}

}  // namespace tilewright
