// SPDX-License-Identifier: Apache-2.0
// The proof of an optimum, for tilewright-verify (docs/optimal.md section 6).
#pragma once

#include <span>
#include <string>

#include "tilewright/mapspace/constraint.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// `result` must be proved (Ending::kExhausted, gap 0), have a best, and have been asked for
/// `opened`.
std::string proof_json(const Problem& problem, std::span<const Constraint> constraints,
                       SpaceKind space, const SearchOptions& options, const SearchResult& result);

}  // namespace tilewright
