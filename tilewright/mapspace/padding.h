// SPDX-License-Identifier: Apache-2.0
// Padding, the usual way round remainders: dims are rounded up until they fit the array, and what
// is added is really computed, moved and kept.
#pragma once

#include <vector>

#include "tilewright/mapping/problem.h"

namespace tilewright {

/// The problem with every choice of sizes in which each dim has its own size or the next multiple
/// of the size of an axis, the given one first, each once. The space `pad` is PFM over all of them.
std::vector<Problem> padded_problems(const Problem& problem);

}  // namespace tilewright
