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

/// What a canonical mapping chooses; nothing if its keep nodes do not stand side by side, as they
/// do in every mapspace. Whether the rules allow it is not looked at.
std::optional<Choices> read_choices(const Problem& problem, const Rules& rules,
                                    const Mapping& mapping);

}  // namespace tilewright
