// SPDX-License-Identifier: Apache-2.0
// The report that a run of Timeloop would have left for a mapping.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "tilewright/compat/counts.h"
#include "tilewright/timeloop/stats/stats.h"

namespace tilewright {

/// By the conventions `rules`; innermost memory first, as in Timeloop's files.
inline timeloop::Stats old_report(const Problem& problem, const Mapping& mapping,
                                  const compat::TimeloopRules& rules) {
  const compat::TimeloopFigures figures =
      count_timeloop(problem, compat::read_levels(problem, mapping).nest, rules).figures;
  timeloop::Stats stats;
  for (const compat::MemoryFigures& memory : figures.memories) {
    timeloop::LevelStats level;
    level.name = problem.arch().memory(memory.node).name;
    level.cycles = std::max(memory.cycles, figures.compute_steps);
    for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
      const compat::TensorFigures& tensor = memory.tensors[t];
      if (!tensor.kept) continue;
      level.tensors.push_back({.name = problem.workload().tensor(TensorId(t)).name,
                               .tile = tensor.tile,
                               .instances = memory.instances,
                               .reads = tensor.reads,
                               .fills = tensor.fills,
                               .updates = tensor.updates,
                               .energy_pj = tensor.energy_pj});
    }
    stats.levels.insert(stats.levels.begin(), std::move(level));
  }
  stats.computes = figures.computes;
  stats.cycles = figures.cycles;
  stats.energy_pj = figures.energy_pj;
  return stats;
}

}  // namespace tilewright
