// SPDX-License-Identifier: Apache-2.0
// Internal to compat: what follows from the loops alone, dim by dim, without running them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "tilewright/compat/nest.h"
#include "tilewright/compat/rules.h"
#include "tilewright/compat/tile.h"

namespace tilewright::compat {

/// docs/model.md (3), all dims multiplied: loops for which `counts` is true count their iterations,
/// the others are fixed at 0 or shared.
std::int64_t count_points(const LevelNest& nest,
                          const std::function<bool(const CountedLoop&)>& counts);

/// Instances that ever work: of the level, or of the compute units after the last level.
std::int64_t instances_ever(const LevelNest& nest, std::size_t level);

/// The number of instances in use, averaged over time: Timeloop's formula.
double instances_on_average(const LevelNest& nest, std::size_t level);

/// The product of the factors of all temporal loops.
std::int64_t temporal_product(const LevelNest& nest);

/// Positions that the loops on levels from `level` inwards reach along every dim, cut at its size;
/// `with_fanout`: and those that the children of the level outside it reach together.
PerDim steady_extent(const LevelNest& nest, std::size_t level, bool with_fanout);

/// Different elements that the instances of a level ever hold.
struct EverHeld {
  std::int64_t all = 0;    ///< added up over the instances that ever work
  std::int64_t first = 0;  ///< of the first instance
};
EverHeld ever_held(const Workload& workload, const LevelNest& nest, TensorId tensor,
                   std::size_t level, bool bounding_boxes);

}  // namespace tilewright::compat
