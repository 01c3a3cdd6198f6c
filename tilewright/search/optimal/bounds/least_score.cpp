// SPDX-License-Identifier: Apache-2.0
// What needs no table and no search: see search.h.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/search/optimal/shared/resources.h"
#include "tilewright/search/search.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

// Elements of each tensor that some compute uses. Holes are none of them, even where those inside a
// tile count as data: small tiles have none.
std::vector<double> elements_of(const Problem& problem) {
  const Workload& workload = problem.workload();
  std::vector<std::int64_t> sizes;
  for (const Dim& dim : workload.dims()) sizes.push_back(dim.size);
  std::vector<double> elements;
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    constexpr bool kHolesAreData = false;
    const TileForm form(workload, TensorId(t), kHolesAreData);
    elements.push_back(static_cast<double>(form.elements(sizes)));
  }
  return elements;
}

// The position in Rules::keeps at which each tensor enters the accelerator; nothing if the rules do
// not fix it.
std::vector<std::optional<std::size_t>> homes_of(const Rules& rules, std::size_t tensors) {
  std::vector<std::optional<std::size_t>> homes;
  for (std::size_t t = 0; t < tensors; ++t) {
    const auto may_keep = [&](const KeepRule& rule) { return (rule.allowed >> t & 1U) != 0; };
    const auto home = std::ranges::find_if(rules.keeps, may_keep);
    const bool is_fixed = home != rules.keeps.end() && (home->required >> t & 1U) != 0;
    homes.push_back(is_fixed ? std::optional(static_cast<std::size_t>(home - rules.keeps.begin()))
                             : std::nullopt);
  }
  return homes;
}

}  // namespace

double least_score(const Problem& problem, const Rules& rules, const Objective& objective) {
  const std::vector<double> elements = elements_of(problem);
  const auto homes = homes_of(rules, elements.size());
  const std::size_t output = problem.workload().output().pos();
  const auto crossing = [&](const Resource& resource) {
    double sum = resource.fixed;
    for (std::size_t t = 0; t < elements.size(); ++t) {
      if (!homes[t]) continue;
      const Prices& prices = resource.prices[*homes[t]][t];
      sum += elements[t] * (t == output ? prices.update : prices.read);
    }
    return sum;
  };
  double energy = 0;
  double traffic = 1;
  double cycles =
      static_cast<double>(ceil_div(problem.workload().computes(), problem.arch().compute_units()));
  for (const Resource& resource : make_resources(problem, rules, objective)) {
    const double used = crossing(resource);
    switch (resource.kind) {
      case Resource::Kind::kEnergy:
        energy = used;
        break;
      case Resource::Kind::kTraffic:
        traffic = std::max(traffic, used);
        break;
      case Resource::Kind::kTime: {
        const NodeId memory = rules.keeps[static_cast<std::size_t>(resource.memory)].memory;
        cycles = std::max(cycles, used / static_cast<double>(problem.arch().instances(memory)));
        break;
      }
    }
  }
  energy += leakage_per_cycle(problem.arch()) * cycles;
  return power(energy, objective.energy) * power(cycles, objective.latency) *
         power(traffic, objective.traffic);
}

}  // namespace tilewright
