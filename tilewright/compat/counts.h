// SPDX-License-Identifier: Apache-2.0
// What Timeloop answers for a mapping, counted by its conventions (docs/timeloop-counting.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tilewright/compat/link.h"
#include "tilewright/compat/nest.h"
#include "tilewright/compat/rules.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright::compat {

/// One tensor at one memory, in elements.
struct TensorFigures {
  bool kept = false;
  std::int64_t tile = 0;   ///< of an instance
  std::int64_t share = 0;  ///< Timeloop's partition_size: what an instance ever holds
  // Of an instance, on average; the totals where averaged_instances is off:
  std::int64_t reads = 0;
  std::int64_t fills = 0;
  std::int64_t updates = 0;
  // Of all instances:
  std::int64_t total_reads = 0;
  std::int64_t total_fills = 0;
  std::int64_t total_updates = 0;
  double energy_pj = 0;
  /// Accesses of an instance by the way they serve children; for a bypassed memory those that pass
  /// through it. Of all instances where averaged_instances is off.
  std::map<Fanning, double> accesses;
  /// What the network inside the memory carries: the accesses; but a memory off chip cannot add, so
  /// that old partial sums go down to the children as well.
  std::map<Fanning, double> carried;
  std::int64_t spatial_reductions = 0;  ///< additions in that network, cut to an integer
  double link_transfers = 0;            ///< between the children of an instance
  /// What limits bandwidth, where average_demand is off: moved by the first instance.
  double peak_reads = 0;
  double peak_writes = 0;
};

struct MemoryFigures {
  NodeId node;
  std::int64_t instances = 0;  ///< in use
  std::int64_t cycles = 0;     ///< at least those of the compute units, if average_demand is on
  double slowdown = 1;         ///< bandwidth / demand, at most 1; if average_demand is on
  double leakage_pj = 0;
  double energy_pj = 0;  ///< all tensors and leakage
  std::vector<TensorFigures> tensors;
};

struct TimeloopFigures {
  std::int64_t computes = 0;
  std::int64_t compute_instances = 0;
  std::int64_t compute_steps = 0;
  std::int64_t cycles = 0;
  double utilization = 0;
  double compute_energy_pj = 0;
  double energy_pj = 0;
  std::vector<MemoryFigures> memories;  ///< outermost first
};

/// Why Timeloop refuses a mapping.
struct Refusal {
  enum class Kind {
    kWords,  ///< the tiles in `level` need `value` words, `limit` fit
    kBits,   ///< the same in bits, where tensors differ in their width
    kAxisX,  ///< `value` instances of `level` side by side along X, `limit` exist
    kAxisY,  ///< the same along Y
  };
  Kind kind = Kind::kWords;
  std::size_t level = 0;  ///< in LevelNest::levels; after the last one: the compute units
  std::int64_t value = 0;
  std::int64_t limit = 0;
  bool operator==(const Refusal&) const = default;
};

/// A refusal as a sentence.
std::string to_text(const Problem& problem, const Refusal& refusal);

struct TimeloopAnswer {
  std::vector<Refusal> refusals;  ///< innermost first; Timeloop reports the first one
  TimeloopFigures figures;        ///< whether or not Timeloop refuses
};

/// Counts by `rules`. Elements are as wide as finished ones, and fan-outs share and reduce, as in
/// Timeloop: what the architecture says about partial sums, multicast, reduction, sliding and
/// partitions has no effect. Time grows with the steps of the nest unless both extrapolations are
/// on. Throws OverflowError if a count does not fit in 64 bits.
TimeloopAnswer count_timeloop(const Problem& problem, const LevelNest& nest,
                              const TimeloopRules& rules = {});

/// At most so many steps does count_timeloop go through for each tensor, whatever the rules.
double steps_to_count(const LevelNest& nest);

}  // namespace tilewright::compat
