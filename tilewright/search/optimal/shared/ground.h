// SPDX-License-Identifier: Apache-2.0
// What all roots of the optimal search share: the problem made ready, and how bounds make a score.
#pragma once

#include <vector>

#include "tilewright/search/optimal/shared/answers.h"
#include "tilewright/search/optimal/shared/inward_steps.h"
#include "tilewright/search/optimal/shared/links.h"
#include "tilewright/search/search.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {

/// What all roots share. Everything named must outlive it.
struct Ground {
  Ground(const Problem& problem, const Rules& rules, const SearchOptions& options);

  /// The score of these figures; bounds give a bound.
  Least least(double energy, double cycles, double traffic) const;

  const SearchOptions& options;
  Facts facts;
  std::vector<InwardSteps> steps;   ///< by dim
  std::vector<TileForm> tiles;      ///< by tensor
  std::vector<Resource> resources;  ///< energy first
  bool possible = true;             ///< false: some dim cannot be covered
};

}  // namespace tilewright
