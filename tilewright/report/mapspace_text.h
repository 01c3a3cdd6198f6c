// SPDX-License-Identifier: Apache-2.0
// How large mapspaces are, and what each constraint takes away: for people and for programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/report/layout.h"

namespace tilewright {

/// One constraint and the size of the mapspace with and without it, the others staying.
struct ConstraintEffect {
  std::string place;  ///< `constraints.yaml:12`
  std::string text;   ///< as constraint_text says it
  Natural with;
  Natural without;
};

/// `removes 93.0 % of the space`; from a factor of 1000 on `leaves 1 in 12,345`; `never binding: no
/// effect on this layer`.
std::string effect_text(const ConstraintEffect& effect);

/// A line each; nothing if there are none. `space` is the one that the effects are about.
std::string constraints_text(const std::string& space, std::span<const ConstraintEffect> effects,
                             const TextOptions& options);

/// The sub-spaces of one mapspace.
struct SpaceSize {
  std::string space;       ///< "ruby-s"
  std::int64_t sizes = 1;  ///< `pad`: choices of the dims' sizes that are added up
  bool counted = true;     ///< false: too many of them, and the rest is not known
  Natural tilings;         ///< ways to split the dims over all places
  Natural assignments;     ///< of these, ways that split only over the array
  Natural keeps;           ///< choices of what is kept where
  Natural mappings;        ///< all of it
};

/// The loop orders of one block in which every dim that may be split is.
struct BlockOrderSize {
  std::string memory;
  Natural orders;
  Natural classes;  ///< of orders that cost the same
};

/// What `tilewright count` found out.
struct MapspaceSizes {
  std::vector<SpaceSize> spaces;
  std::vector<BlockOrderSize> blocks;
  std::string constrained;  ///< the space that `effects` are about
  std::vector<ConstraintEffect> effects;
};

/// Tables; `exact`: all digits, a line each.
std::string sizes_text(const Problem& problem, const MapspaceSizes& sizes, bool exact,
                       const TextOptions& options);

/// One JSON object, indented, with a line end; sizes are decimal texts. `version` is the program's.
std::string sizes_json(const Problem& problem, const MapspaceSizes& sizes,
                       const std::string& version);

}  // namespace tilewright
