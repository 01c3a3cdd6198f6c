// SPDX-License-Identifier: Apache-2.0
// The ways to split one dim that are worth trying when all that matters is whether it fits.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/base/index.h"
#include "tilewright/mapspace/feasibility/tile_limits.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// What is decided about the block of a memory.
enum class Block {
  kClosed,  ///< it has no loops
  kHeld,    ///< it may have loops, and the tiles fit
  kFree,    ///< it may have loops, and nobody asks whether the tiles fit
};

/// What a place asks of a chain. `extent` and `spread` are positions in Chain::costs, -1: no cost.
struct PlaceCost {
  int memory = -1;          ///< a block: position in Rules::keeps
  int extent = -1;          ///< a limited memory: the extent inside its keep node
  int spread = -1;          ///< an axis: its factor
  std::int64_t demand = 0;  ///< an axis of a fan-out that needs so many children; 0: it needs none
  bool closed = false;      ///< no loop may stand here
};

/// One cost table for all dims: by position in Rules::places. `blocks` are by memory.
std::vector<PlaceCost> make_costs(const Rules& rules, const TileLimits& limits,
                                  const std::vector<Block>& blocks);

/// One way to split a dim over all places.
struct Chain {
  std::vector<std::int64_t> factors;  ///< by place
  std::vector<std::int64_t> costs;    ///< the less the better, but for axes with a demand
  std::int64_t left = 1;              ///< what is not split yet
  std::int64_t extent = 1;            ///< what is
};

/// The chains of `dim` such that every chain that the rules allow is no better in any cost than one
/// of them and equal along axes with a demand. Empty if the rules allow none, or none that fits
/// with all other dims at 1.
std::vector<Chain> find_chains(const Rules& rules, const std::vector<PlaceCost>& costs,
                               const TileLimits& limits, const Workload& workload, DimId dim);

}  // namespace tilewright
