// SPDX-License-Identifier: Apache-2.0
// What all roots of the optimal search share: the problem made ready, and how bounds make a score.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "tilewright/search/optimal/shared/inward_steps.h"
#include "tilewright/search/optimal/shared/lower_bounds.h"
#include "tilewright/search/optimal/shared/problem_tables.h"
#include "tilewright/search/optimal/shared/resources.h"
#include "tilewright/search/optimal/shared/witness_path.h"
#include "tilewright/search/search.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {

/// So many resources are bounded at most: a node of the search has a fixed size.
constexpr std::size_t kMaxResources = 16;

/// What all roots share. Everything named must outlive it.
struct OptimalContext {
  OptimalContext(const Problem& problem, const Rules& rules, const SearchOptions& options);

  /// The score of these figures; bounds give a bound.
  LowerBounds lower_bounds(double energy, double cycles, double traffic) const;

  const SearchOptions& options;
  std::function<bool()> stop;  ///< asked now and then where tables are made; may be empty
  Prunes prunes;               ///< of `options`, but for a witness that is looked at alone
  Rules rules;                 ///< as given, or fewer where the best mapping alone is asked for
  ProblemTables tables;
  std::vector<InwardSteps> steps;  ///< by dim
  std::vector<TileForm> tiles;     ///< by tensor
  std::vector<Resource>
      resources;  ///< energy first, then traffic, then times; kMaxResources at most
  std::unique_ptr<const WitnessPath> witness;  ///< may be null
  bool possible = true;                        ///< false: some dim cannot be covered
};

}  // namespace tilewright
