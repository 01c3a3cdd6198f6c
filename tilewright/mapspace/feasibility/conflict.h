// SPDX-License-Identifier: Apache-2.0
// Why no mapping exists: a smallest set of demands, the user's and the hardware's, that cannot hold
// together. Without any one of them a mapping exists.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// Something that must hold: a constraint, or a limit of the architecture.
struct Demand {
  enum class Kind {
    kConstraint,  ///< number `constraint` of the list
    kCapacity,    ///< the capacity of memory `node`
    kPartition,   ///< what `node` reserves for `tensor`
    kAxis,        ///< the size of axis `axis` of fan-out `node`
    kMayKeep,     ///< that `node` may keep only what the architecture lets it
    kSpace,       ///< that the space allows no remainders where it does not
  };
  Kind kind = Kind::kConstraint;
  int constraint = -1;
  NodeId node;
  TensorId tensor;
  int axis = -1;

  bool operator==(const Demand&) const = default;
};

/// The smallest change of one demand that makes the rest hold: what it is now and should be. For
/// demands without a number (keep, bypass, order, ...) there is only dropping it.
struct Relief {
  Demand demand;
  std::optional<std::int64_t> now;     ///< factor, bits, children, axis size, by the demand
  std::optional<std::int64_t> wanted;  ///< the nearest value that works; nothing: drop it
  /// False if there is another conflict: then even without this demand no mapping exists, and
  /// `wanted` settles this conflict only.
  bool enough = true;
};

struct Conflict {
  std::vector<Demand> demands;  ///< minimal; in the order constraints, then hardware
  std::vector<Relief> reliefs;  ///< one per demand, in the same order
  /// True if the architecture has no part in it: all are constraints, or the kind of space.
  bool among_constraints = false;
};

/// Nothing if a mapping exists. `constraints` as for make_rules. Throws StoppedError once `stop`,
/// which may be null, is true.
std::optional<Conflict> find_conflict(const Problem& problem, SpaceKind kind,
                                      std::span<const Constraint> constraints,
                                      const std::atomic<bool>* stop = nullptr);

}  // namespace tilewright
