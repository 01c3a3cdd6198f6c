// SPDX-License-Identifier: Apache-2.0
// The order of nodes that carry none among themselves.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tilewright/mapping/mapping.h"

namespace tilewright {

/// The canonical order of nodes none of which is to be dropped: positions in `nodes`. Neighbouring
/// keep nodes go by memory; neighbouring spatial loops of one fan-out by axis, then dim, but those
/// over one dim stay in the order in which they are given: it decides which one has the remainder.
std::vector<std::size_t> canonical_order(std::span<const NestNode> nodes);

}  // namespace tilewright
