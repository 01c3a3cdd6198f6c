// SPDX-License-Identifier: Apache-2.0
// How a local search gets the next generation from the best mappings so far, and a local search
// told so: for searches that begin with a short one.
#pragma once

#include <cstddef>

#include "tilewright/search/search.h"

namespace tilewright {

struct Breeding {
  std::size_t pool = 24;      ///< so many of the best are crossed
  std::size_t children = 16;  ///< in a generation
  /// A child changes in up to three places after the crossing, and two dims may trade their splits;
  /// otherwise it changes in one place.
  bool bold = true;
};

/// For a search that only wants something to start from.
inline constexpr Breeding kCautiousBreeding{.pool = 12, .children = 8, .bold = false};

SearchResult search_local(const Problem& problem, const Rules& rules, const SearchOptions& options,
                          const Breeding& breeding);

}  // namespace tilewright
