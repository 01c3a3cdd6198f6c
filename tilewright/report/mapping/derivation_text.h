// SPDX-License-Identifier: Apache-2.0
// The answer to "why": a derivation (model/derive.h) in words and numbers.
#pragma once

#include <string>
#include <vector>

#include "tilewright/format/layout.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/model/derive.h"

namespace tilewright {

/// "reads", "fills" or "updates".
std::string action_name(Action action);

/// Lines without ends, the value first: `DRAM.Weights.reads = 13,824`.
std::vector<std::string> derivation_lines(const Problem& problem, const Mapping& mapping,
                                          NodeId memory, TensorId tensor,
                                          const Derivation& derivation, const TextOptions& options);

/// What one loop does to the traffic of `tensor`, in a few words.
std::string role_text(LoopRole::Kind kind, const std::string& tensor, bool output);

/// As derivation_lines, for the tile of `tensor` in `memory`: its extents.
std::vector<std::string> tile_lines(const Problem& problem, const Mapping& mapping, NodeId memory,
                                    TensorId tensor, std::int64_t tile);

}  // namespace tilewright
