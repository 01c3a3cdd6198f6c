// SPDX-License-Identifier: Apache-2.0
// Why a count is what it is: the parts of formulas (6) to (12) of docs/model.md for one memory and
// tensor, as numbers. The sentence is made by report/mapping/derivation_text.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

enum class Action { kReads, kFills, kUpdates };

/// What one loop outside the child does to the traffic.
struct LoopRole {
  enum class Kind {
    kMoves,    ///< in time, relevant: every iteration needs another tile
    kRepeats,  ///< in time, irrelevant, but a loop that moves lies inside: tiles are fetched again
    kStays,    ///< in time, irrelevant, nothing that moves inside: the tile stays
    kSplits,   ///< in space, relevant: every child has another tile
    kShares,   ///< in space, irrelevant: children share one read or are summed up
    kCopies,   ///< in space, irrelevant, but every child is served by itself
  };
  Kind kind = Kind::kMoves;
  int position = 0;  ///< in Mapping::nodes()
};

/// `count` along `dim`.
struct DimCount {
  DimId dim;
  std::int64_t count = 1;
};

/// value = whole - held_back - first_touches [+ drained];   whole = elements * affine * passes.
struct Derivation {
  Action action = Action::kReads;
  NodeId parent;
  NodeId child;                    ///< unset: the compute units
  std::int64_t child_tile = 1;     ///< elements; 1 for a compute unit
  std::vector<LoopRole> loops;     ///< outside the child, outermost first
  std::vector<DimCount> elements;  ///< plain relevant dims, whole
  bool has_affine = false;
  std::int64_t affine = 1;  ///< elements along the affine ranks, summed over their tiles
  std::vector<DimCount>
      passes;  ///< irrelevant dims: how often all that is moved; without those of 1
  std::int64_t whole = 0;
  std::int64_t held_back = 0;      ///< elements that sliding saves
  std::int64_t first_touches = 0;  ///< output only: nothing to read or fetch yet
  std::int64_t drained = 0;        ///< convention drains_are_reads
  std::int64_t value = 0;
};

/// Why `memory` does `action` on `tensor` so often; it must keep it. Fills of the tensor's home are
/// 0 and have no loops. The value is the one of evaluate().
Derivation derive(const Problem& problem, const Mapping& mapping, NodeId memory, TensorId tensor,
                  Action action);

/// Formula (17) for one action on elements of one width: in blocks, rounded up to accesses in every
/// instance; or bit by bit.
struct ActionCost {
  Action action = Action::kReads;
  std::int64_t elements = 0;
  std::int64_t bits = 0;   ///< of an element
  std::int64_t block = 1;  ///< elements in one access
  std::int64_t accesses = 0;
  std::optional<double> price_pj;  ///< of an access, or of a bit; absent: not given
  bool per_bit = false;

  double energy_pj() const {
    const double each = price_pj.value_or(0) * (per_bit ? static_cast<double>(bits) : 1);
    return static_cast<double>(accesses) * each;
  }
};

/// What the energy of `tensor` at `memory` is made of: the actions that occur, in the order of
/// Action; updates twice where those that finish an element are narrower. Their sum is
/// TensorCounts::energy_pj.
std::vector<ActionCost> derive_energy(const Problem& problem, const MemoryEvaluation& memory,
                                      TensorId tensor);

}  // namespace tilewright
