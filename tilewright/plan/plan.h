// SPDX-License-Identifier: Apache-2.0
// The best mapping of every layer of a network, and the total cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/mapspace/feasibility/conflict.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/network/network.h"
#include "tilewright/search/questions/status.h"
#include "tilewright/search/search.h"
#include "tilewright/search/strategy.h"

namespace tilewright {

struct PlanProgress {
  std::size_t done = 0;  ///< problems solved
  std::size_t all = 0;
  std::string layer;  ///< the one that this is about
  Progress progress;  ///< its search
};

/// The user's constraints as they apply to one layer.
struct FittingConstraints {
  std::vector<Constraint> constraints;
  std::vector<std::string> without;  ///< those that do not apply to the layer, in words

  bool operator==(const FittingConstraints&) const = default;
};

struct PlanOptions {
  Conventions conventions;
  SpaceKind space = SpaceKind::kRubyS;
  Placement placement;   ///< memories that may be uneven in the layers in which they can be
  SearchOptions search;  ///< `threads` are shared by all layers; its `progress` is not used
  Mapper mapper = Mapper::kOptimal;
  bool keep_on_chip = false;     ///< edges stay in an inner memory where they fit
  double seconds_per_layer = 0;  ///< takes the place of SearchOptions::max_seconds; 0: no limit
  /// The user's constraints as they read for one problem, called by several threads; may be empty.
  std::function<FittingConstraints(const Problem&)> constraints;
  /// From one thread at a time; may be empty.
  std::function<void(const PlanProgress&)> progress;
};

/// The problem of one layer, or of several equal ones, and its best mapping.
struct Solved {
  std::shared_ptr<const Problem> problem;  ///< outlives what refers to it
  FittingConstraints asked;                ///< that it was searched with, and without
  Placement placement;                     ///< memories that could be uneven
  std::optional<Found> best;
  std::optional<Conflict> conflict;  ///< why none exists
  std::string why_not;               ///< if there is neither: one sentence
  Status status = Status::kNotFound;
  Ending ending = Ending::kExhausted;
  std::optional<double> bound;  ///< no mapping scores less
  std::uint64_t nodes = 0;
  double seconds = 0;  ///< CPU time
};

/// The cost of a layer. Figures are those of one run; `Layer::count` is not included.
struct PlannedLayer {
  std::optional<std::size_t> solved;  ///< in Plan::solved; nothing for traffic and nothing
  double energy_pj = 0;
  double cycles = 0;
  double dram_bits = 0;  ///< read from and written to memories that are off-chip
  NodeId slowest;        ///< of traffic: the memory that it waits for
  /// `energy_pj` by level: memories as Arch::memories() has them, then the compute units. Empty if
  /// there is no energy to split.
  std::vector<double> levels_pj = {};
};

/// Sums over all runs, traffic included. A layer without a mapping is left out.
struct PlanTotals {
  double energy_pj = 0;
  double cycles = 0;
  double computes = 0;
  double dram_bits = 0;
  double utilization = 0;  ///< weighted by work: computes / (cycles x compute units)
  /// Energy x cycles at least, whatever mappings of these spaces are taken; 0 if the objective is
  /// not EDP or a layer has no bound (docs/networks.md).
  double bound = 0;
  std::size_t unmapped = 0;
  /// Mapped layers (runs not counted) whose mapping is proved with all constraints ...
  std::size_t proved = 0;
  std::size_t proved_without = 0;  ///< ... and without those that do not fit the layer
};

struct Plan {
  std::vector<Solved> solved;
  std::vector<PlannedLayer> layers;   ///< one per layer of the network
  std::vector<std::size_t> resident;  ///< edges that stay on chip (Network::edges) ...
  NodeId buffer;                      ///< ... in this memory; unset if there are none
  PlanTotals totals;
  double seconds = 0;  ///< wall time
};

/// Solves each of the layers by itself. The answer is the same for any number of threads, unless a
/// time limit or the stop flag ends a search. Throws OverflowError if the sums are too large.
Plan plan_network(const Network& network, const Arch& arch, const PlanOptions& options);

}  // namespace tilewright
