// SPDX-License-Identifier: Apache-2.0
// How large mapspaces are, and what each constraint takes away.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/base/natural.h"

namespace tilewright {

/// One constraint and the size of the mapspace with and without it, the others staying.
struct ConstraintEffect {
  std::string place;  ///< `constraints.yaml:12`
  std::string text;   ///< as constraint_text says it
  Natural with;
  Natural without;
};

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

}  // namespace tilewright
