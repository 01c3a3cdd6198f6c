// SPDX-License-Identifier: Apache-2.0
// What every report about a planned network needs, and the few figures that several of them show.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tilewright/advice/conflict_text.h"
#include "tilewright/io/constraints/layer_constraints.h"
#include "tilewright/mapper/plan.h"
#include "tilewright/plan/plan.h"

namespace tilewright {

/// A network that has been planned, with what its reports say about where the inputs come from.
/// Refers to values that outlive it.
struct Planned {
  const PlanResult& result;
  std::string constraints = "";  ///< files that they come from, for the head of a report
  ArchSource arch_source = {};   ///< empty: not known
  std::span<const LayerConstraints> sources = {};  ///< where the constraints of layers stand
};

/// Why a problem has no mapping: one sentence, with the user's lines where they are known.
std::string why_not(const Planned& planned, const Solved& solved);

/// The demands that cannot hold together; empty if that is not why.
std::vector<ConflictLine> conflict_lines(const Planned& planned, const Solved& solved);

/// For each problem that has no mapping what `map` says about it, with the names of its layers.
void report_conflicts(const Planned& planned, Diagnostics& diagnostics);

/// A constraint that does not fit some layers, and these, in their order.
struct Unmet {
  std::string constraint;           ///< `r >= 3 on X of PE`
  std::vector<std::size_t> layers;  ///< in Network::layers
};

/// Constraints that some layers were searched without, in the order of their first layers.
std::vector<Unmet> find_unmet(const Planned& planned);

/// Layers that were searched without some constraint.
std::size_t count_unmet(const Planned& planned);

/// Layers that cost the same: those of one problem, or the same traffic of one operator.
struct PlanRow {
  std::vector<std::size_t> layers;  ///< in Network::layers
  std::int64_t runs = 0;            ///< of all of them
  PlannedLayer each;                ///< one run
};

/// All layers but those that cost nothing, in the order of the first of each row.
std::vector<PlanRow> fold_layers(const Planned& planned);

/// The problem of a layer; null for traffic and nothing.
const Solved* find_solved(const Planned& planned, const PlannedLayer& layer);

/// Utilization of one run; 0 where nothing is computed.
double layer_utilization(const Planned& planned, const PlannedLayer& layer);

/// What sets the cycles of one run: a memory, or the compute units.
std::string layer_bottleneck(const Planned& planned, const PlannedLayer& layer);

/// How much less than the best any mapping may score; nothing if no bound is known.
std::optional<double> solved_gap(const Solved& solved);

/// Seconds, if the architecture has a clock.
std::optional<double> plan_seconds(const Planned& planned, double cycles);

/// Rows by how much of `figure` all their runs take, the largest first, until they make up 80 % of
/// `all`.
std::vector<PlanRow> largest_rows(std::vector<PlanRow> rows, double PlannedLayer::*figure,
                                  double all);
/// The same for time.
std::vector<PlanRow> longest_rows(std::vector<PlanRow> rows, double all_cycles);

}  // namespace tilewright
