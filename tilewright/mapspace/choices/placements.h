// SPDX-License-Identifier: Apache-2.0
// The sub-space of keep-node placements: the loops of a nest stay where they are, and each keep
// node below a tensor's home stands anywhere between the fan-outs around its memory, in the order
// of the memories.
#pragma once

#include <optional>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

class Placements {
 public:
  /// All placements of the tensors that `mapping` keeps, around its loops. It must have no
  /// structural violation.
  Placements(const Problem& problem, const Mapping& mapping);

  /// Product over tensors and segments between fan-outs of (loops + memories over memories). A
  /// fan-out without loops in the nest separates nothing: find_violations lets keep nodes pass it.
  Natural size() const;
  Mapping unrank(Natural rank) const;
  /// The number of a placement; nothing if `mapping` has other loops or keeps, or is not legal.
  std::optional<Natural> rank(const Mapping& mapping) const;

 private:
  // One tensor in one segment: its memories, and the gaps between loops that they may stand in.
  struct Chain {
    TensorId tensor;
    std::vector<NodeId> memories;  // outermost first
    int first_gap = 0;             // loops outside the segment
    int loops = 0;                 // in the segment
  };
  std::vector<NestNode> loops_;
  std::vector<NestNode> homes_;
  std::vector<Chain> chains_;
};

}  // namespace tilewright
