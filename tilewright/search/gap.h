// SPDX-License-Identifier: Apache-2.0
// How good the best mapping of a search is known to be.
#pragma once

#include <optional>

#include "tilewright/search/search.h"

namespace tilewright {

/// How much less than `best` the best of all mappings may score, as a share of `bound`; nothing if
/// the bound says nothing.
inline std::optional<double> find_gap(double best, double bound) {
  if (best <= bound) return 0;
  if (!(bound > 0)) return std::nullopt;
  return best / bound - 1;
}

/// True if nothing better exists (or nothing at all, if there is no best).
inline bool is_proved(const SearchResult& result) {
  if (result.ending == Ending::kExhausted) return true;
  return result.best && result.bound && *result.bound >= result.best->score;
}

}  // namespace tilewright
