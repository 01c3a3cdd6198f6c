// SPDX-License-Identifier: Apache-2.0
// What mappings use up, and what each access costs of it: energy, traffic, the time of a memory.
#pragma once

#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/evaluation/objective.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// What an element costs in one memory. Of the output, `update` and `drain` are those of a finished
/// one; `read` is that of an old partial sum, with what its update costs more than a finished one.
struct Prices {
  double read = 0;
  double fill = 0;
  double update = 0;
  double drain = 0;
};

/// Something that is used up: energy, outermost traffic, or the time of one memory.
struct Resource {
  enum class Kind { kEnergy, kTraffic, kTime };
  Kind kind = Kind::kEnergy;
  std::vector<std::vector<Prices>> prices;  ///< by position in Rules::keeps and tensor
  double fixed = 0;                         ///< whatever the mapping
  int memory = -1;  ///< of kTime: whose (its first position); its instances share the work
};

/// Energy first; then traffic if `objective` has it, and time for every bandwidth that is limited.
std::vector<Resource> make_resources(const Problem& problem, const Rules& rules,
                                     const Objective& objective);

/// What all memories and compute units leak in one cycle, in pJ.
double leakage_per_cycle(const Arch& arch);

}  // namespace tilewright
