// SPDX-License-Identifier: Apache-2.0
// Uneven placement: the tensors of one memory may be kept at different points of the nest. See
// docs/mapspaces.md section 7.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"

namespace tilewright {

/// Which memories may keep their tensors at different points of the nest.
struct Placement {
  std::vector<NodeId> uneven;  ///< in ascending order; empty: even placement

  bool operator==(const Placement&) const = default;
};

/// In which order memories keep their tensors. A memory that is not named keeps all that it keeps
/// at one point.
struct Arrangement {
  struct Points {
    NodeId memory;
    std::vector<TensorSet> kept;  ///< what it keeps at each point, outermost first

    bool operator==(const Points&) const = default;
  };
  std::vector<Points> memories;
  /// All blocks between two points of a memory have loops. Without them the points are one, and the
  /// mapping is also in the arrangement that has them as one.
  bool is_distinct = false;

  /// Empty if the memory is not named.
  std::span<const TensorSet> points_of(NodeId memory) const;
  bool operator==(const Arrangement&) const = default;
};

/// Why a memory can only be even; kNone if it can be uneven.
enum class EvenBecause {
  kNone,
  kFewTensors,   ///< it keeps at most one tensor
  kUnlimited,    ///< everything fits, so that keeping a tensor further in saves nothing
  kHome,         ///< it is the outermost memory that may keep a tensor, and no loop lies outside it
  kConstrained,  ///< a constraint says what the loops of its block, or of a block outside it, are
};
EvenBecause why_even(const Problem& problem, std::span<const Constraint> constraints,
                     NodeId memory);

/// All memories that can be uneven.
Placement most_uneven(const Problem& problem, std::span<const Constraint> constraints);

/// Those memories of `wished` that can be uneven.
Placement as_uneven_as_can_be(const Problem& problem, std::span<const Constraint> constraints,
                              const Placement& wished);

/// More arrangements than this are not searched one by one.
constexpr std::uint64_t kMostArrangements = 20'000;

/// How many list_arrangements() would list; no more than a few times kMostArrangements are counted.
std::uint64_t count_arrangements(const Problem& problem, std::span<const Constraint> constraints,
                                 const Placement& placement);

/// Arrangements that together hold every mapping whose memories, but for those of `placement`, keep
/// their tensors at one point: first the even one, then every order of two or more tensors that an
/// uneven memory may keep. Some mappings are in several of them. Every memory of `placement` must
/// be one that can be uneven.
std::vector<Arrangement> list_arrangements(const Problem& problem,
                                           std::span<const Constraint> constraints,
                                           const Placement& placement);

/// The same mappings, each in just one arrangement; there are more of these.
std::vector<Arrangement> list_distinct_arrangements(const Problem& problem,
                                                    std::span<const Constraint> constraints,
                                                    const Placement& placement);

}  // namespace tilewright
