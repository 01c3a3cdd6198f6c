// SPDX-License-Identifier: Apache-2.0
// The tile sizes of a mapping by level and dim, for compilers: what to write into a schedule.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// One dim at one keep node. tile = factor * spatial * the tile of the next level inside, unless a
/// loop leaves a remainder: then the product is larger than what is left of the dim.
struct TileRow {
  NodeId memory;
  DimId dim;
  std::int64_t tile = 1;     ///< steady extent of the tiles that the level holds
  std::int64_t factor = 1;   ///< steady iterations in time over tiles of the next level
  std::int64_t spatial = 1;  ///< tiles of the next level side by side
};

/// Every dim at every keep node, outermost first; dims in the order of the workload.
std::vector<TileRow> tile_rows(const Problem& problem, const Mapping& mapping);

/// Columns level, dim, tile, factor, spatial.
std::string tiles_csv(const Problem& problem, const Mapping& mapping);

/// The same as a list of objects.
nlohmann::ordered_json tiles_json(const Problem& problem, const Mapping& mapping);

}  // namespace tilewright
