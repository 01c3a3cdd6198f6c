// SPDX-License-Identifier: Apache-2.0
// A mapping as Timeloop sees it: every memory is a level with its temporal loops and, inside them,
// the spatial loops of its fan-out. Outermost first throughout (Timeloop numbers levels from the
// inside).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright::compat {

/// One loop. It runs `remainder` times in the last pass and `factor` times in every other one.
struct CountedLoop {
  std::size_t level = 0;
  bool spatial = false;
  bool along_y = false;  ///< spatial loops only
  DimId dim;
  std::int64_t factor = 1;
  std::int64_t remainder = 1;
  std::int64_t step = 1;       ///< how far one iteration moves along the dim
  bool ragged_inside = false;  ///< a loop over the same dim further in has a remainder
};

/// A memory, its loops, and the size of the fan-out inside it.
struct Level {
  NodeId memory;
  TensorSet kept = 0;
  std::vector<CountedLoop> temporal;  ///< outermost first
  std::vector<CountedLoop> spatial;   ///< outermost first: those along Y, then those along X
  std::int64_t fanout_x = 1;          ///< children that exist along X ...
  std::int64_t fanout_y = 1;          ///< ... and along Y

  /// Children by the factors of `spatial`.
  std::int64_t children() const;
};

struct LevelNest {
  std::vector<std::int64_t> sizes;  ///< by DimId
  std::vector<Level> levels;        ///< outermost first

  bool ragged() const;  ///< some loop has a remainder
  /// Works out step, remainder and ragged_inside of every loop from the factors. To be called after
  /// a change of the loops.
  void settle();
};

/// A mapping as levels; or, in plain sentences, why Timeloop has no such mapping.
struct NestReading {
  LevelNest nest;
  std::vector<std::string> obstacles;  ///< empty: `nest` is the mapping
};

/// `mapping` must have no structural violation.
///
/// Timeloop orders the spatial loops along one axis, our mappings do not: the order in which they
/// stand in Mapping::nodes() is taken, innermost last. Nothing but link transfers depends on it.
NestReading read_levels(const Problem& problem, const Mapping& mapping);

}  // namespace tilewright::compat
