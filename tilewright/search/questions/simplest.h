// SPDX-License-Identifier: Apache-2.0
// The simplest mapping that is good enough: the fewest loops, then the fewest bypasses.
#pragma once

#include <compare>

#include "tilewright/search/arranged.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// How simple a mapping is; less is simpler.
struct Simplicity {
  int loops = 0;
  int bypasses = 0;  ///< tensors that a memory may keep and does not, over all memories

  auto operator<=>(const Simplicity&) const = default;
};

/// What `rules` do not allow a memory to keep is no bypass.
Simplicity measure_simplicity(const Rules& rules, const Mapping& mapping);

struct SimplestResult {
  Found found;
  Simplicity simplicity;
  bool proved = false;  ///< no mapping that is good enough is simpler
  int searches = 0;
};

/// Among the mappings of `space` that score at most `limit`; `best` is one of them. Searches again
/// and again (search_optimal), each time with one loop or bypass of an earlier answer forbidden, at
/// most `most_searches` times. If it ends before it has tried everything, `found` is the simplest
/// so far.
SimplestResult find_simplest(const Problem& problem, const ArrangedSpace& space,
                             const SearchOptions& options, const Found& best, double limit,
                             int most_searches);

}  // namespace tilewright
