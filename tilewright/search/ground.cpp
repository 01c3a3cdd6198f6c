// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/ground.h"

#include <algorithm>
#include <cmath>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

bool may_slide_with_holes(const Facts& facts, std::size_t tensor) {
  const auto held = [&](TensorSet set) { return (set >> tensor & 1U) != 0; };
  const auto ragged = [](const Place& place) {
    return std::ranges::any_of(place.rules, &FactorRule::remainder);
  };
  const auto holes = [&](const Rank& rank) {
    const RankForm form = make_rank_form(facts.problem.workload(), rank, false);
    const auto strided = [](const Term& term) { return magnitude(term.coefficient) > 1; };
    return form.terms.size() > 2 ||
           (form.terms.size() == 2 && std::ranges::any_of(form.terms, strided));
  };
  return std::ranges::any_of(facts.slides, held) &&
         std::ranges::any_of(facts.rules.places, ragged) &&
         std::ranges::any_of(facts.problem.workload().tensors()[tensor].ranks, holes);
}

}  // namespace

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
  // Where slides leave holes and loops remainders, the first instance need not be the busiest
  // (docs/model.md (15)).
  for (std::size_t t = 0; t < facts.pairs.size(); ++t) {
    if (!may_slide_with_holes(facts, t)) continue;
    for (Resource& resource : resources) {
      if (resource.kind != Resource::Kind::kTime) continue;
      for (std::vector<Prices>& memory : resource.prices) memory[t] = {};
    }
  }
  TW_CHECK(resources.size() <= 16 || !resources.empty(), "energy is a resource");
  if (resources.size() > 16) resources.resize(16);
}

// Mostly the exponents are 0, 1 or 2.
double Ground::power(double value, double exponent) {
  if (exponent == 0) return 1;
  if (exponent == 1) return value;
  return exponent == 2 ? value * value : std::pow(value, exponent);
}

Least Ground::least(double energy, double cycles, double traffic) const {
  const Objective& goal = options.objective;
  energy += facts.leakage_pj * cycles;
  const double score =
      power(energy, goal.energy) * power(cycles, goal.latency) * power(traffic, goal.traffic);
  return {score, energy, cycles};
}

}  // namespace tilewright
