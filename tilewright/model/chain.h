// SPDX-License-Identifier: Apache-2.0
// Loops of one dim, and the counting recursion over them (docs/model.md sections 1 and 2).
#pragma once

#include <cstdint>
#include <span>

namespace tilewright {

/// A set of loops of a nest, bit i for loop i counted from the innermost.
using LoopSet = std::uint64_t;

/// The loops 0 .. n-1; n may be 64.
constexpr LoopSet loops_below(int n) { return n >= 64 ? ~LoopSet{0} : (LoopSet{1} << n) - 1; }

/// One loop as its dim sees it, by (1).
struct Slot {
  std::int64_t factor = 1;  ///< P: steady iterations
  std::int64_t count = 1;   ///< n: iterations of everything from here outwards
  std::int64_t rest = 1;    ///< R: iterations in the last pass
  int loop = 0;             ///< bit in a LoopSet
  std::int64_t tile = 1;    ///< T: steady extent inside the loop

  bool in(LoopSet set) const { return (set >> loop & 1U) != 0; }
};

/// Loops of one dim from some boundary outwards, innermost first.
using Slots = std::span<const Slot>;

/// (3): events along one dim; iterations of the `merged` loops share one event. A loop whose index
/// is held at 0 acts the same way.
inline std::int64_t count_events(Slots slots, LoopSet merged) {
  std::int64_t full = 1;
  std::int64_t last = 1;
  for (const Slot& slot : slots) {
    if (slot.in(merged)) {
      if (slot.rest > 1) last = full;
    } else {
      last += (slot.rest - 1) * full;
      full *= slot.factor;
    }
  }
  return last;
}

/// (3) for extents: what the events together cover, where a steady tile covers `tile`, the very
/// last one `edge`, and the index of the `fixed` loops is held at 0.
inline std::int64_t sum_extents(Slots slots, LoopSet fixed, std::int64_t tile, std::int64_t edge) {
  std::int64_t full = tile;
  std::int64_t last = edge;
  for (const Slot& slot : slots) {
    if (slot.in(fixed)) {
      if (slot.rest > 1) last = full;
    } else {
      last += (slot.rest - 1) * full;
      full *= slot.factor;
    }
  }
  return last;
}

}  // namespace tilewright
