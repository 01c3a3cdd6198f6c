// SPDX-License-Identifier: Apache-2.0
// What a layer costs that only moves data (docs/networks.md).
#pragma once

#include <functional>

#include "tilewright/plan/plan.h"

namespace tilewright {

/// Bits of one element of an edge in a memory, where it plays `role` ("input", "output").
std::int64_t bits_in(const Memory& memory, const char* role, std::int64_t bits);

/// Bits that memories off the chip read and are written with. Throws OverflowError.
std::int64_t off_chip_bits(const Problem& problem, const Evaluation& evaluation);

/// One run of `layer`, which is traffic: each edge passes once through the memory that it lies in,
/// `buffer` if it is resident and its home if not, and the parameters through theirs. The home of a
/// role is the outermost memory that may keep it. `buffer` may be unset if no edge is resident.
/// Throws OverflowError.
PlannedLayer plan_traffic(const Network& network, const Layer& layer, const Arch& arch,
                          NodeId buffer, const std::vector<bool>& resident);

}  // namespace tilewright
