// SPDX-License-Identifier: Apache-2.0
// What the user forbids: one value per demand, so that each can be echoed with its effect, dropped,
// and named in a conflict. See docs/mapspaces.md section 3.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/base/index.h"
#include "tilewright/mapping/mapping.h"

namespace tilewright {

/// One demand on the mappings of a problem, about one memory or fan-out (`node`).
struct Constraint {
  enum class Kind {
    kKeep,         ///< memory: `tensors` must be kept
    kBypass,       ///< memory: `tensors` must not be kept
    kEqual,        ///< the steady factor of `dim` is `value`
    kAtMost,       ///< ... at most `value`
    kAtLeast,      ///< ... at least `value`
    kPerfect,      ///< no remainders: every factor of `node` divides what it splits
    kOrder,        ///< memory: `outermost` and `innermost` say how its loops stand
    kAxisDims,     ///< fan-out: only `dims` may be spread over `axis`
    kUtilization,  ///< fan-out: at least `share` of its children work in a steady pass
  };

  Kind kind = Kind::kKeep;
  NodeId node;
  TensorSet tensors = 0;
  DimId dim;                     ///< factors only
  int axis = -1;                 ///< of a fan-out, for factors and kAxisDims; -1 at a memory
  std::int64_t value = 1;        ///< factors only
  std::vector<DimId> dims;       ///< kAxisDims
  std::vector<DimId> outermost;  ///< kOrder: these loops first, in this order, outermost first
  std::vector<DimId> innermost;  ///< kOrder: these loops last, in this order, outermost first
  Rational share{0, 1};          ///< kUtilization, 0 to 1

  bool operator==(const Constraint&) const = default;
};

}  // namespace tilewright
