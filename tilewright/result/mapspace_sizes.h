// SPDX-License-Identifier: Apache-2.0
// How large mapspaces are, and what each constraint takes away, as values with names.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tilewright/mapper/result.h"
#include "tilewright/mapper/space.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// What one constraint takes away, with its name.
struct NamedEffect {
  std::string place;  ///< `constraints.yaml:12`
  std::string text;   ///< as constraint_text says it
  ConstraintEffect effect;
};

/// One for each of `effects`; `places` says where the user wrote each constraint, or is empty.
std::vector<NamedEffect> name_effects(const Problem& problem,
                                      std::span<const Constraint> constraints,
                                      std::span<const std::string> places,
                                      std::span<const ConstraintEffect> effects);
/// Those of a search.
std::vector<NamedEffect> name_effects(const MapResult& mapped);

/// What `tilewright count` found out.
struct MapspaceSizes {
  std::vector<SpaceSize> spaces;
  std::vector<BlockOrderSize> blocks;
  std::string constrained;  ///< the space that `effects` are about
  std::vector<NamedEffect> effects;
};

/// Counts the space called `wanted`, or all that can be counted in no time if it is empty.
/// `places`: as for name_effects. Throws OverflowError if one is too large to count.
MapspaceSizes measure_spaces(const Problem& problem, std::span<const Constraint> constraints,
                             std::span<const std::string> places, const std::string& wanted);

}  // namespace tilewright
