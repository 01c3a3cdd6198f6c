// SPDX-License-Identifier: Apache-2.0
// What a mapping costs: counts per memory, tensor and action, energy, cycles, utilization.
// The model (fast) and the walker (slow) both return this value; docs/model.md defines each figure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/base/index.h"

namespace tilewright {

/// Counts of one tensor at one memory, in elements, summed over all instances.
struct TensorCounts {
  bool kept = false;
  std::int64_t tile = 0;     ///< largest tile, elements per instance
  std::int64_t reads = 0;    ///< to serve the inside, or old partial sums to add to
  std::int64_t fills = 0;    ///< elements that arrive from outside
  std::int64_t updates = 0;  ///< results that arrive from inside
  std::int64_t accesses =
      0;  ///< deliveries to (or from) the inside before first touches are left out
  /// Elements moved by the first instance, which bandwidth limits: reads, and fills + updates.
  std::int64_t peak_reads = 0;
  std::int64_t peak_writes = 0;
  double energy_pj = 0;
  /// Output: partial sums arrive here, so that elements have the width of partial sums ...
  bool unfinished = false;
  /// ... except for this many updates, each of which finishes an element (at home, if wider).
  std::int64_t finished_updates = 0;

  bool operator==(const TensorCounts&) const = default;
};

/// One memory.
struct MemoryEvaluation {
  NodeId node;
  std::int64_t instances = 0;  ///< that ever work
  std::int64_t cycles = 0;     ///< that its bandwidths require; 0 if none is limited
  double leakage_pj = 0;
  double energy_pj = 0;               ///< all tensors and leakage
  std::vector<TensorCounts> tensors;  ///< by TensorId

  bool operator==(const MemoryEvaluation&) const = default;
};

/// What one mapping costs.
struct Evaluation {
  std::int64_t computes = 0;
  std::int64_t compute_instances = 0;  ///< units that ever work
  std::int64_t compute_steps = 0;      ///< cycles of the busiest unit if it never waits
  std::int64_t cycles = 0;             ///< max of compute_steps and every memory's cycles
  NodeId bottleneck;                   ///< the memory that limits `cycles`; unset: compute-bound
  double compute_energy_pj = 0;        ///< computes and leakage of the compute units
  double energy_pj = 0;                ///< everything
  std::vector<MemoryEvaluation> memories;  ///< outermost first

  bool operator==(const Evaluation&) const = default;
};

/// Utilization as a product of named factors; total = spatial * edge * temporal.
struct Utilization {
  double spatial = 0;  ///< units that ever work / units there are
  double edge =
      0;  ///< computes / (steps * units that ever work): less than 1 where passes are ragged
  double temporal = 0;  ///< steps / cycles: less than 1 if the units wait for a memory
  double total = 0;     ///< computes / (cycles * units there are)
};

Utilization utilization(const Evaluation& evaluation, std::int64_t compute_units);

}  // namespace tilewright
