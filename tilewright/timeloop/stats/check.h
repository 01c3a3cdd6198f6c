// SPDX-License-Identifier: Apache-2.0
// A report of an old run against what we count: our way, and Timeloop's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tilewright/compat/compare.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/timeloop/stats/stats.h"

namespace tilewright::timeloop {

/// One figure of the report.
struct CheckedFigure {
  std::size_t figure = 0;  ///< in TimeloopComparison::figures
  double reported = 0;     ///< summed over instances, as there
  bool agrees = false;     ///< with Timeloop's way of counting, to the digits that are printed
};

/// A convention that the old run did not have, although docs/timeloop-counting.md has it; or the
/// other way round.
struct OtherConvention {
  compat::Convention convention;
  bool on = false;
};

struct StatsCheck {
  compat::TimeloopComparison
      comparison;  ///< ours against Timeloop's, by the conventions of the run
  std::vector<CheckedFigure> figures;
  std::vector<OtherConvention> other;  ///< without which fewer figures would agree
  std::vector<std::string> unknown;    ///< what the report names and the problem does not have

  std::size_t disagreements() const;
};

/// Holds `stats` against the problem and the mapping it was made from. Timeloop has changed its way
/// of counting over the years: conventions are switched one at a time as long as more figures agree
/// that way. `mapping` must have no structural violation.
StatsCheck check_stats(const Problem& problem, const Mapping& mapping, const Stats& stats);

}  // namespace tilewright::timeloop
