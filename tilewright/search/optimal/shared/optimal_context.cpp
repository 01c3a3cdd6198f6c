// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/optimal_context.h"

#include <algorithm>

#include "tilewright/base/error.h"
#include "tilewright/mapspace/batch_loops.h"

namespace tilewright {
namespace {

// What costs no less may be left out, unless it is asked for, or what a verifier finds missing.
bool wants_best_alone(const SearchOptions& options) {
  return options.top == 1 && !options.proof &&
         (options.witness == nullptr || !options.witness->alone);
}

}  // namespace

OptimalContext::OptimalContext(const Problem& problem, const Rules& the_rules,
                               const SearchOptions& the_options)
    : options(the_options),
      prunes(the_options.prunes),
      rules(prunes.by_batch && wants_best_alone(options) ? leave_batches_outside(problem, the_rules)
                                                         : the_rules),
      tables(problem, rules),
      resources(make_resources(problem, rules, the_options.objective)) {
  for (std::size_t d = 0; d < problem.workload().dims().size(); ++d) {
    std::vector<FactorRule> places;
    for (const Place& place : rules.places) places.push_back(place.rules[d]);
    steps.emplace_back(problem.workload().dims()[d].size, places);
    possible = possible && steps.back().possible();
  }
  for (std::size_t t = 0; t < problem.workload().tensors().size(); ++t) {
    tiles.emplace_back(problem.workload(), TensorId(t), problem.conventions().holes_are_data);
  }
  const bool wants_time = options.front || options.objective.latency > 0 || tables.leakage_pj > 0;
  // A time that no score depends on need not be bounded.
  std::erase_if(resources, [&](const Resource& resource) {
    return resource.kind == Resource::Kind::kTime && !wants_time;
  });
  // Energy and traffic come first, so only times are left out, those of the innermost memories. A
  // time that is not looked at can only make a bound on the cycles smaller: what the search finds
  // is the same, and it may look at more nodes. The model has all of them.
  if (resources.size() > kMaxResources) resources.resize(kMaxResources);
  TW_CHECK(resources.front().kind == Resource::Kind::kEnergy, "energy is the first resource");
  // A witness may have the tile at both places, at the same cost.
  if (!wants_best_alone(options) || options.witness != nullptr) prunes.by_same_tile = false;
  // Where tiles overlap, to stand further out may change what is held back (docs/optimal.md
  // section 7).
  const auto is_affine = [](const Tensor& tensor) {
    return std::ranges::any_of(tensor.ranks,
                               [](const Rank& rank) { return rank.terms.size() > 1; });
  };
  if (!wants_best_alone(options) || std::ranges::any_of(problem.workload().tensors(), is_affine)) {
    prunes.by_placement = false;
  }
  if (options.witness == nullptr) return;
  witness = std::make_unique<const WitnessPath>(*options.witness, tables, options);
  if (witness->alone()) prunes.by_cost = prunes.by_first_answer = false;
}

LowerBounds OptimalContext::lower_bounds(double energy, double cycles, double traffic) const {
  const Objective& goal = options.objective;
  energy += tables.leakage_pj * cycles;
  const double score =
      power(energy, goal.energy) * power(cycles, goal.latency) * power(traffic, goal.traffic);
  return {score, energy, cycles};
}

}  // namespace tilewright
