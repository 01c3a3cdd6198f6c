// SPDX-License-Identifier: Apache-2.0
// How good the best mapping of a search is known to be.
#pragma once

#include "tilewright/search/search.h"

namespace tilewright {

/// How much less than `best` any mapping may score, as a share of `best`.
inline double find_gap(double best, double bound) { return best <= bound ? 0 : 1 - bound / best; }

/// True if nothing better exists (or nothing at all, if there is no best).
inline bool is_proved(const SearchResult& result) {
  if (result.ending == Ending::kExhausted) return true;
  return result.best && result.bound && *result.bound >= result.best->score;
}

}  // namespace tilewright
