// SPDX-License-Identifier: Apache-2.0
// The slow, obvious judge: executes the nest step by step and instance by instance with explicit
// tile contents, by the definitions of docs/model.md. Shares no code with the model's closed forms.
#pragma once

#include <cstdint>
#include <optional>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

struct WalkOptions {
  bool compare_tiles = false;  ///< the dynamic rule: a tile that is there is not sent again
  std::int64_t max_points = 100'000'000;  ///< computes beyond which walking is refused
};

/// The evaluation by execution, or nothing if the workload has more than `max_points` computes.
/// `mapping` must have no structural violation. Time and memory grow with the computes.
std::optional<Evaluation> walk(const Problem& problem, const Mapping& mapping,
                               const WalkOptions& options = {});

}  // namespace tilewright
