// SPDX-License-Identifier: Apache-2.0
// A mapping as a nest with the tile sizes beside it. The notes are comments: the text can be
// pasted into a `.nest` file and reads back to the same mapping.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/format/layout.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// A loop whose last pass is shorter, docs/model.md (1).
struct RaggedLoop {
  int position = 0;       ///< in Mapping::nodes()
  std::int64_t last = 0;  ///< iterations of the last pass, less than the factor
};

/// All of them, outermost first.
std::vector<RaggedLoop> find_ragged_loops(const Workload& workload, const Mapping& mapping);

/// `p 8`, `q 14 on X`, or with `last` > 0: `p 8 (last 4)`.
std::string loop_text(const Problem& problem, const NestNode& loop, std::int64_t last = 0);

/// Keep nodes are followed by the elements of their tiles, in the order of their tensors (with the
/// tensors' names if there is room); ragged loops by their last pass.
std::string nest_text(const Problem& problem, const Mapping& mapping, const TextOptions& options);

}  // namespace tilewright
