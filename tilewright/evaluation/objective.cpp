// SPDX-License-Identifier: Apache-2.0
#include "tilewright/evaluation/objective.h"

#include <array>
#include <cmath>

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

double score(const Objective& objective, const Evaluation& evaluation) {
  std::int64_t traffic = 0;
  if (!evaluation.memories.empty()) {
    for (const TensorCounts& counts : evaluation.memories.front().tensors) {
      traffic += counts.reads + counts.updates;
    }
  }
  // pow(x, 1) and pow(x, 0) are exact, so the usual objectives are plain products.
  return std::pow(evaluation.energy_pj, objective.energy) *
         std::pow(static_cast<double>(evaluation.cycles), objective.latency) *
         std::pow(static_cast<double>(traffic), objective.traffic);
}

}  // namespace tilewright
