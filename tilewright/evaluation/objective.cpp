// SPDX-License-Identifier: Apache-2.0
#include "tilewright/evaluation/objective.h"

#include <array>
#include <cmath>

#include "tilewright/base/checked.h"

namespace tilewright {

std::span<const NamedObjective> named_objectives() {
  static const std::array<NamedObjective, 5> kNamed{{
      {"edp", {.energy = 1, .latency = 1, .traffic = 0}},
      {"energy", {.energy = 1, .latency = 0, .traffic = 0}},
      {"latency", {.energy = 0, .latency = 1, .traffic = 0}},
      {"ed2p", {.energy = 1, .latency = 2, .traffic = 0}},
      {"traffic", {.energy = 0, .latency = 0, .traffic = 1}},
  }};
  return kNamed;
}

std::optional<Objective> objective_by_name(std::string_view name) {
  for (const NamedObjective& named : named_objectives()) {
    if (named.name == name) return named.objective;
  }
  return std::nullopt;
}

std::int64_t outermost_traffic(const Evaluation& evaluation) {
  std::int64_t traffic = 0;
  if (evaluation.memories.empty()) return traffic;
  for (const TensorCounts& counts : evaluation.memories.front().tensors) {
    traffic = checked_add(traffic, checked_add(counts.reads, counts.updates));
  }
  return traffic;
}

double score(const Objective& objective, const Evaluation& evaluation) {
  // pow(x, 1) and pow(x, 0) are exact, so the usual objectives are plain products.
  return std::pow(evaluation.energy_pj, objective.energy) *
         std::pow(static_cast<double>(evaluation.cycles), objective.latency) *
         std::pow(static_cast<double>(outermost_traffic(evaluation)), objective.traffic);
}

}  // namespace tilewright
