// SPDX-License-Identifier: Apache-2.0
// What keeps a mapping from being legal, as values: an enum and numbers. The sentence is made when
// it is shown (advice/violation_text.h).
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

struct Violation {
  enum class Kind {
    // The nest makes no sense: it cannot be evaluated.
    kUncovered,    ///< loops over `dim` cover `value` < its size `limit`
    kOvercovered,  ///< the loop at `position` has factor `value`, but only `limit` steps are left
    kNotKept,      ///< no memory keeps `tensor`
    kKeptTwice,    ///< `node` keeps `tensor` a second time at `position`
    kKeepOrder,    ///< at `position` `node` keeps `tensor` inside a memory that lies further in
    kMayNotKeep,   ///< the architecture does not let `node` keep `tensor`
    kLoopOutsideHome,  ///< the loop at `position` lies outside the outermost keep node of `tensor`
    kFanoutOrder,      ///< `other`, at `position`, is on the wrong side of the loops of `node`
    kFanoutSplit,      ///< the loops of fan-out `node` do not stand together
    kTooManyLoops,     ///< more than kMaxLoops loops
    // The nest makes sense but is too large for the hardware.
    kAxis,       ///< `value` children along `axis` of fan-out `node`, which has `limit`
    kCapacity,   ///< `value` bits needed in `node`, `limit` available
    kPartition,  ///< `value` bits of `tensor` needed in `node`, `limit` reserved for it
  };

  Kind kind = Kind::kUncovered;
  NodeId node;
  NodeId other;
  TensorId tensor;
  DimId dim;
  int axis = 0;
  int position = -1;  ///< in Mapping::nodes(); -1: not one node's fault
  std::int64_t value = 0;
  std::int64_t limit = 0;

  bool operator==(const Violation&) const = default;
};

/// A nest may have this many loops; dims whose product fits in 62 bits never need more.
constexpr int kMaxLoops = 64;

/// True for the kinds that forbid evaluation.
constexpr bool is_structural(Violation::Kind kind) { return kind < Violation::Kind::kAxis; }

/// Everything that is wrong, structural faults first; empty for a legal mapping. If there is a
/// structural fault, fit is not looked at.
std::vector<Violation> find_violations(const Problem& problem, const Mapping& mapping);

/// Elements of the steady tile of `tensor` inside node `position` of the nest (docs/model.md (5)).
std::int64_t tile_elements(const Problem& problem, const Mapping& mapping, TensorId tensor,
                           int position);

/// Steady extent of every dim inside node `position` of the nest, by DimId: min(size, product of
/// the factors inside).
std::vector<std::int64_t> tile_extents(const Problem& problem, const Mapping& mapping,
                                       int position);

}  // namespace tilewright
