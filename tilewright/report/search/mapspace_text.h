// SPDX-License-Identifier: Apache-2.0
// How large mapspaces are, and what each constraint takes away: for people and for programs.
#pragma once

#include <span>
#include <string>

#include "tilewright/format/layout.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/result/mapspace_sizes.h"

namespace tilewright {

/// `removes 93.0 % of the space`; from a factor of 1000 on `leaves 1 in 12,345`; `never binding: no
/// effect on this layer`.
std::string effect_text(const NamedEffect& effect);

/// A line each; nothing if there are none. `space` is the one that the effects are about.
std::string constraints_text(const std::string& space, std::span<const NamedEffect> effects,
                             const TextOptions& options);

/// Tables; `exact`: all digits, a line each.
std::string sizes_text(const Problem& problem, const MapspaceSizes& sizes, bool exact,
                       const TextOptions& options);

/// One JSON object, indented, with a line end; sizes are decimal texts. `version` is the program's.
std::string sizes_json(const Problem& problem, const MapspaceSizes& sizes,
                       const std::string& version);

}  // namespace tilewright
