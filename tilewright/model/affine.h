// SPDX-License-Identifier: Apache-2.0
// Elements moved along one affine rank, summed over all events (docs/model.md (9) to (13)).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "tilewright/model/chain.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {

/// How the tiles of one event are counted.
enum class Sharing {
  kEqual,  ///< each different tile once
  kUnion,  ///< each different element once
};

/// One dim of a rank, from the child's boundary outwards.
struct TermView {
  Slots slots;
  std::int64_t size = 1;  ///< N
  std::int64_t tile = 1;  ///< T: steady extent inside the boundary
};

/// Which loops of the rank play which part for the sum. Loops of other dims do no harm, but without
/// any at all the sum has a direct form.
struct LoopParts {
  LoopSet merged = 0;  ///< their iterations are the tiles of one event
  LoopSet fixed = 0;   ///< their index is held at 0
};

/// A tile that moves on by `step` along the rank's first term and keeps what it still needs.
struct Slide {
  std::int64_t step = 0;
};

/// Sums over the events of one rank. A view must live as long as the sum.
class RankSum {
 public:
  RankSum(const RankForm& form, std::span<const TermView> terms, LoopParts parts, Sharing sharing)
      : form_(form), terms_(terms), parts_(parts), sharing_(sharing) {}

  /// Elements of whole tiles, over all events.
  std::int64_t whole() const;

  /// What sliding saves over the events in which the loops `zero` are at 0 and `advancing` is not:
  /// whole tiles minus what is new in them.
  std::int64_t saved(LoopSet zero, LoopSet advancing, Slide slide) const;

 private:
  bool single() const { return (parts_.merged | parts_.fixed) == 0; }  // every event: one tile
  template <typename Value>
  std::optional<std::int64_t> sum_lanes(LoopSet zero, LoopSet advancing, const Value& value) const;
  std::int64_t mark_all(LoopSet zero, LoopSet advancing, const Slide* slide) const;

  const RankForm& form_;
  std::span<const TermView> terms_;
  LoopParts parts_;
  Sharing sharing_;
};

}  // namespace tilewright
