// SPDX-License-Identifier: Apache-2.0
// One architecture that is at least as good as each of several.
#pragma once

#include <optional>
#include <span>

#include "tilewright/arch/arch.h"

namespace tilewright {

/// The largest capacities, bandwidths and axes of all, the least energies, and no more leakage than
/// any: a mapping that one of them allows is allowed here and costs no more. So the best mapping on
/// it is a bound for all of them. (Demands on utilization aside: a larger array is harder to fill.)
/// Nothing if they differ in more than such figures. `archs` must not be empty.
std::optional<Arch> relax(std::span<const Arch> archs);

}  // namespace tilewright
