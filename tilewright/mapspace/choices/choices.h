// SPDX-License-Identifier: Apache-2.0
// One mapping as the choices that a mapspace is made of.
#pragma once

#include <optional>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright {

struct Choices {
  Keeps keeps;
  Tiling tiling;
  Orders orders;
};

/// What a canonical mapping chooses; nothing if a tensor is kept where no point of the rules may
/// keep it, or keep nodes do not stand in the order of these points. Whether the rules allow its
/// factors and orders is not looked at.
std::optional<Choices> read_choices(const Problem& problem, const Rules& rules,
                                    const Mapping& mapping);

}  // namespace tilewright
