// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/ground.h"

#include <algorithm>

#include "tilewright/base/error.h"

namespace tilewright {
Ground::Ground(const Problem& problem, const Rules& rules, const SearchOptions& the_options)
    : options(the_options),
      facts(problem, rules, the_options.conventions),
      resources(make_resources(problem, rules, the_options.conventions, the_options.objective)) {
  for (std::size_t d = 0; d < problem.workload().dims().size(); ++d) {
    std::vector<FactorRule> places;
    for (const Place& place : rules.places) places.push_back(place.rules[d]);
    steps.emplace_back(problem.workload().dims()[d].size, places);
    possible = possible && steps.back().possible();
  }
  for (std::size_t t = 0; t < problem.workload().tensors().size(); ++t) {
    tiles.emplace_back(problem.workload(), TensorId(t), the_options.conventions.holes_are_data);
  }
  const bool wants_time = options.front || options.objective.latency > 0 || facts.leakage_pj > 0;
  std::erase_if(resources, [&](const Resource& resource) {
    return resource.kind == Resource::Kind::kTime && !wants_time;
  });
  TW_CHECK(resources.size() <= 16 || !resources.empty(), "energy is a resource");
  if (resources.size() > 16) resources.resize(16);
}

Least Ground::least(double energy, double cycles, double traffic) const {
  const Objective& goal = options.objective;
  energy += facts.leakage_pj * cycles;
  const double score =
      power(energy, goal.energy) * power(cycles, goal.latency) * power(traffic, goal.traffic);
  return {score, energy, cycles};
}

}  // namespace tilewright
