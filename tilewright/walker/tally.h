// SPDX-License-Identifier: Apache-2.0
// Internal to the walker: what was counted, instance by instance, and what it costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/walker/nest.h"

namespace tilewright::walking {

/// What one tensor did in one instance of a memory, in elements.
struct Moves {
  std::int64_t reads = 0;
  std::int64_t fills = 0;
  std::int64_t updates = 0;
  std::int64_t accesses = 0;
};

struct TensorTally {
  bool kept = false;
  bool home = false;        ///< nothing fills it
  bool unfinished = false;  ///< something arrived that was not wholly summed
  std::int64_t tile = 0;
  std::vector<Moves> moves;  ///< by instance
};

struct MemoryTally {
  NodeId node;
  Instances instances;
  std::vector<bool> worked;          ///< by instance: was active once
  std::vector<TensorTally> tensors;  ///< by TensorId
};

struct Tally {
  std::int64_t computes = 0;
  std::int64_t steps = 0;
  Instances units;
  std::vector<bool> worked;           ///< by compute unit
  std::vector<MemoryTally> memories;  ///< outermost first
};

/// Nothing counted yet; `nest` is the mapping's.
Tally start_tally(const Problem& problem, const Nest& nest);

/// One time step: counts the points, and who works.
void count_step(const Clock& clock, Tally& tally);

/// Sums, cycles and energy of what was counted.
Evaluation evaluate_tally(const Problem& problem, const Tally& tally);

}  // namespace tilewright::walking
