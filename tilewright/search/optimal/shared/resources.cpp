// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/resources.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

namespace tilewright {
namespace {

double value_of(const Rational& rational) {
  return static_cast<double>(rational.num) / static_cast<double>(rational.den);
}

// What one element costs, action by action.
struct Actions {
  double read = 0;
  double fill = 0;
  double update = 0;
};

// Only partial sums are read and filled, and for each that is read there is an update that does not
// finish its element (docs/optimal.md (4)). Of inputs both are the same.
Prices make_prices(const Actions& finished, const Actions& partial, bool drains_are_reads) {
  return {partial.read + (partial.update - finished.update), partial.fill, finished.update,
          drains_are_reads ? finished.read : 0};
}

}  // namespace

std::vector<Resource> make_resources(const Problem& problem, const Rules& rules,
                                     const Objective& objective) {
  const std::size_t tensors = problem.workload().tensors().size();
  const std::size_t memories = rules.keeps.size();
  const auto none = [&] {
    return std::vector<std::vector<Prices>>(memories, std::vector<Prices>(tensors));
  };
  std::vector<Resource> resources(1);
  resources[0].prices = none();
  resources[0].fixed = static_cast<double>(problem.workload().computes()) *
                       problem.arch().compute().energy_pj.value_or(0);
  std::vector<Resource> times;
  for (std::size_t m = 0; m < memories; ++m) {
    const NodeId node = rules.keeps[m].memory;
    const Memory& memory = problem.arch().memory(node);
    const ResolvedMemory& resolved = problem.memory(node);
    const bool first = m == 0 || rules.keeps[m - 1].memory != node;  // of the points of a memory
    const auto limit = [&](const std::optional<Rational>& bandwidth, bool reads, bool writes) {
      if (!bandwidth || !first) return;
      Resource time{Resource::Kind::kTime, none(), 0, static_cast<int>(m)};
      for (std::size_t t = 0; t < tensors; ++t) {
        const auto of = [&](std::int64_t bits) {
          const double cycles = static_cast<double>(bits) / value_of(*bandwidth);
          return Actions{reads ? cycles : 0, writes ? cycles : 0, writes ? cycles : 0};
        };
        const Prices prices = make_prices(of(resolved.bits[t]), of(resolved.partial_bits[t]),
                                          problem.conventions().drains_are_reads);
        for (std::size_t point = m; point < memories; ++point) {
          if (rules.keeps[point].memory == node) time.prices[point][t] = prices;
        }
      }
      times.push_back(std::move(time));
    };
    limit(memory.read_bandwidth, true, false);
    limit(memory.write_bandwidth, false, true);
    limit(memory.shared_bandwidth, true, true);
    for (std::size_t t = 0; t < tensors; ++t) {
      const auto of = [&](std::int64_t bits) {
        const Charge charge = charge_of(memory, bits);
        const auto pj = [&](const std::optional<double>& access) {
          return access.value_or(0) * charge.factor / static_cast<double>(charge.block);
        };
        return Actions{pj(memory.energy.read_pj), pj(memory.energy.fill_pj),
                       pj(memory.energy.update_pj)};
      };
      resources[0].prices[m][t] = make_prices(of(resolved.bits[t]), of(resolved.partial_bits[t]),
                                              problem.conventions().drains_are_reads);
    }
  }
  if (objective.traffic > 0) {
    Resource traffic{Resource::Kind::kTraffic, none(), 0, -1};
    for (Prices& prices : traffic.prices[0]) prices = {1, 0, 1, 0};
    resources.push_back(std::move(traffic));
  }
  std::ranges::move(times, std::back_inserter(resources));
  return resources;
}

double leakage_per_cycle(const Arch& arch) {
  double pj = arch.compute().leakage_pj_per_cycle * static_cast<double>(arch.compute_units());
  for (const NodeId memory : arch.memories()) {
    pj += arch.memory(memory).leakage_pj_per_cycle * static_cast<double>(arch.instances(memory));
  }
  return pj;
}

}  // namespace tilewright
