// SPDX-License-Identifier: Apache-2.0
// What is known once a search has ended: one word for all of it.
#pragma once

#include <string_view>

#include "tilewright/search/search.h"

namespace tilewright {

/// From kProved on ever less is known, up to "there is none": of several problems together, the
/// largest of their statuses holds.
enum class Status {
  kProved,         ///< no mapping of the space is better
  kWithinGap,      ///< no mapping is better by more than the gap that was asked for
  kNotProved,      ///< the best so far
  kNotFound,       ///< the search ended without a mapping, though one may exist
  kInfeasible,     ///< no mapping exists, proved
  kContradictory,  ///< no mapping exists on any architecture: the constraints exclude each other
};

/// "proved", "within-gap", "not-proved", "infeasible", "contradictory", "not-found".
std::string_view status_name(Status status);

/// "exhausted", "budget", ...
std::string_view ending_name(Ending ending);

/// Of a search, which never tells kContradictory from kInfeasible.
Status status_of(const SearchResult& result);

/// True if there is nothing left to find: the best is proved, or that there is none.
inline bool is_settled(Status status) {
  return status == Status::kProved || status == Status::kInfeasible ||
         status == Status::kContradictory;
}

/// How much less than `best` any mapping may score, as a share of `best`.
inline double find_gap(double best, double bound) { return best <= bound ? 0 : 1 - bound / best; }

}  // namespace tilewright
