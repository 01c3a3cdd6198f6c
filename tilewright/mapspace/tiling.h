// SPDX-License-Identifier: Apache-2.0
// How far each dim is split at each place: loops without their order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// A set of dims, one bit each.
using DimSet = std::uint32_t;

/// Steady factors by place (of Rules::places, outermost first) and dim.
struct Tiling {
  int dims = 0;
  std::vector<std::int64_t> factors;  ///< place by place

  std::int64_t& at(int place, int dim) {
    return factors[static_cast<std::size_t>(place * dims + dim)];
  }
  std::int64_t at(int place, int dim) const {
    return factors[static_cast<std::size_t>(place * dims + dim)];
  }
  /// The dims that are split at `place`.
  DimSet active(int place) const {
    DimSet set = 0;
    for (int d = 0; d < dims; ++d) set |= (at(place, d) > 1 ? DimSet{1} : DimSet{0}) << d;
    return set;
  }
  bool operator==(const Tiling&) const = default;
};

/// What each memory keeps, by position in Rules::keeps.
using Keeps = std::vector<TensorSet>;

/// The loops of each block, outermost first, by position in Rules::places; empty for axes.
using Orders = std::vector<std::vector<DimId>>;

/// The nest of these choices, outermost first, without loops of factor 1 and empty keep nodes.
void build_nest(const Rules& rules, const Keeps& keeps, const Tiling& tiling, const Orders& orders,
                std::vector<NestNode>& nest);

}  // namespace tilewright
