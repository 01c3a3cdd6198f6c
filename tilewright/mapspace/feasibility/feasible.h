// SPDX-License-Identifier: Apache-2.0
// Whether any mapping of a space fits the memories: decided exactly, with a witness.
#pragma once

#include <atomic>
#include <optional>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// A mapping that obeys `rules` and has no violation; nothing if there is none, which is then
/// proved. Throws StoppedError once `stop`, which may be null,
/// is true.
std::optional<Mapping> find_feasible(const Problem& problem, const Rules& rules,
                                     const std::atomic<bool>* stop = nullptr);

}  // namespace tilewright
