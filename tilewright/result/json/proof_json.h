// SPDX-License-Identifier: Apache-2.0
// The proof of an optimum, for tilewright-verify (docs/optimal.md section 6).
#pragma once

#include <span>
#include <string>

#include "tilewright/mapper/result.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// `result` must be proved (Ending::kExhausted, gap 0), have a best, and have been asked for
/// `opened`.
std::string proof_json(const Problem& problem, std::span<const Constraint> constraints,
                       SpaceKind space, const Placement& placement, const Objective& objective,
                       const SearchResult& result);
/// Of a proved result that was asked for a proof.
std::string proof_json(const MapResult& mapped);

}  // namespace tilewright
