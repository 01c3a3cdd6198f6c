// SPDX-License-Identifier: Apache-2.0
// The C++ interface for one layer: the best mapping of a problem.
#pragma once

#include "tilewright/mapper/request.h"
#include "tilewright/mapper/result.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// Does all that `tilewright map` can: searches, answers the further questions of the request, and
/// says why there is no mapping if there is none. The answer is the same for any number of threads,
/// unless a time limit or the stop flag ends a search.
///
/// Throws RequestError if the request cannot be met, OverflowError if the space is too large to
/// count or no mapping has costs that can be counted, and what a callback of the request throws.
MapResult map(const Problem& problem, const MapRequest& request = {});

}  // namespace tilewright
