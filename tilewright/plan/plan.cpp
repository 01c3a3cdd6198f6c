// SPDX-License-Identifier: Apache-2.0
#include "tilewright/plan/plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/plan/on_chip.h"
#include "tilewright/plan/solver.h"
#include "tilewright/plan/traffic.h"

namespace tilewright {
namespace {

class Planner {
 public:
  Planner(const Network& network, const Arch& arch, const PlanOptions& options)
      : network_(network),
        arch_(arch),
        options_(options),
        on_chip_(network, arch, find_first_equal(network, arch, options)),
        solver_(network, arch, options),
        chosen_(on_chip_.tenants().size(), false) {
    solver_.set_buffer(on_chip_.buffer());
  }

  Plan run() {
    Plan plan = solve(chosen_);
    if (options_.keep_on_chip) plan = improve(std::move(plan));
    const std::vector<bool> resident = on_chip_.resident(chosen_);
    for (std::size_t e = 0; e < resident.size(); ++e) {
      if (resident[e]) plan.resident.push_back(e);
    }
    if (!plan.resident.empty()) plan.buffer = on_chip_.buffer();
    hand_over(plan);
    return plan;
  }

 private:
  // Tries one flip after the other and keeps what helps, until none of them does.
  Plan improve(Plan plan) {
    const std::vector<std::vector<std::size_t>> flips = on_chip_.flips();
    std::size_t since = 0;  // the last that helped
    for (std::size_t i = 0; since < flips.size(); i = (i + 1) % flips.size(), ++since) {
      Chosen next = chosen_;
      for (const std::size_t tenant : flips[i]) next[tenant] = !next[tenant];
      if (!on_chip_.fits(next)) continue;
      Plan other = solve(next);
      if (solver_.stopped()) break;
      if (!(cost(other.totals) < cost(plan.totals))) continue;
      chosen_ = std::move(next);
      plan = std::move(other);
      since = 0;
    }
    return plan;
  }

  // Layers without a mapping first, then the objective of the whole.
  std::pair<std::size_t, double> cost(const PlanTotals& totals) const {
    const Objective& objective = options_.search.objective;
    return {totals.unmapped, power(totals.energy_pj, objective.energy) *
                                 power(totals.cycles, objective.latency) *
                                 power(totals.dram_bits, objective.traffic)};
  }

  // All but what Plan::solved holds: PlannedLayer::solved still counts in the solver's.
  Plan solve(const Chosen& chosen) {
    std::vector<Ask> asks;
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      if (network_.layers[l].kind == LayerKind::kMapped) asks.push_back(on_chip_.ask(l, chosen));
    }
    solver_.solve(asks);
    const std::vector<bool> resident = on_chip_.resident(chosen);
    Plan plan;
    auto ask = asks.begin();
    for (const Layer& layer : network_.layers) {
      PlannedLayer planned;
      if (layer.kind == LayerKind::kMapped) planned = plan_mapped(solver_.index(*ask++));
      if (layer.kind == LayerKind::kTraffic) {
        planned = plan_traffic(network_, layer, arch_, on_chip_.buffer(), resident);
      }
      plan.layers.push_back(planned);
    }
    plan.totals = total(plan.layers);
    return plan;
  }

  PlannedLayer plan_mapped(std::size_t index) const {
    const Solved& solved = solver_.solved()[index];
    PlannedLayer planned;
    planned.solved = index;
    if (!solved.best) return planned;
    planned.energy_pj = solved.best->evaluation.energy_pj;
    planned.cycles = static_cast<double>(solved.best->evaluation.cycles);
    planned.dram_bits =
        static_cast<double>(off_chip_bits(*solved.problem, solved.best->evaluation));
    planned.levels_pj = levels_of(solved.best->evaluation);
    return planned;
  }

  std::vector<double> levels_of(const Evaluation& evaluation) const {
    std::vector<double> levels;
    for (const NodeId id : arch_.memories()) {
      const auto memory = std::ranges::find(evaluation.memories, id, &MemoryEvaluation::node);
      levels.push_back(memory == evaluation.memories.end() ? 0 : memory->energy_pj);
    }
    levels.push_back(evaluation.compute_energy_pj);
    return levels;
  }

  PlanTotals total(const std::vector<PlannedLayer>& layers) const {
    PlanTotals totals;
    double root = 0;  // of the bound
    bool bounded = options_.search.objective == Objective{};
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const PlannedLayer& planned = layers[l];
      const Layer& layer = network_.layers[l];
      const double count = static_cast<double>(layer.count);
      totals.energy_pj += count * planned.energy_pj;
      totals.cycles += count * planned.cycles;
      totals.dram_bits += count * planned.dram_bits;
      double least = planned.energy_pj * planned.cycles;
      if (planned.solved) {
        const Solved& solved = solver_.solved()[*planned.solved];
        const bool whole = solved.asked.without.empty();
        if (solved.status == Status::kProved) ++(whole ? totals.proved : totals.proved_without);
        if (!solved.best) ++totals.unmapped;
        if (solved.best) totals.computes += count * static_cast<double>(layer.workload->computes());
        bounded = bounded && solved.best && solved.bound;
        least = solved.bound.value_or(0);
      }
      // Cauchy-Schwarz: the product of two sums is at least the square of the sum of the roots.
      root += count * std::sqrt(least);
    }
    if (totals.cycles > 0) {
      const double units = static_cast<double>(arch_.compute_units());
      totals.utilization = totals.computes / (totals.cycles * units);
    }
    if (bounded) totals.bound = root * root;
    return totals;
  }

  // Only what the layers use, in their order.
  void hand_over(Plan& plan) const {
    std::map<std::size_t, std::size_t> place;
    for (PlannedLayer& layer : plan.layers) {
      if (!layer.solved) continue;
      const auto [found, is_new] = place.emplace(*layer.solved, plan.solved.size());
      if (is_new) plan.solved.push_back(solver_.solved()[*layer.solved]);
      layer.solved = found->second;
    }
  }

  const Network& network_;
  const Arch& arch_;
  const PlanOptions& options_;
  OnChip on_chip_;
  Solver solver_;
  Chosen chosen_;
};

}  // namespace

Plan plan_network(const Network& network, const Arch& arch, const PlanOptions& options) {
  TW_CHECK(find_network_faults(network).empty(), "only a network without faults can be planned");
  const auto start = std::chrono::steady_clock::now();
  Plan plan = Planner(network, arch, options).run();
  plan.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return plan;
}

}  // namespace tilewright
