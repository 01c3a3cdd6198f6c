// SPDX-License-Identifier: Apache-2.0
// One root of the optimal search made ready: what is kept and all loops in space are fixed.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tilewright/mapspace/choices/keeps.h"
#include "tilewright/search/optimal/bounds/cost_to_go.h"
#include "tilewright/search/optimal/shared/links.h"
#include "tilewright/search/optimal/shared/optimal_context.h"
#include "tilewright/search/optimal/tree/root_chains.h"

namespace tilewright {

/// Threads that search the same root share it.
struct RootTables {
  /// Of no use if `stop` (asked now and then where tables are large) said so.
  RootTables(const OptimalContext& context, RootChains& known_chains, const Keeps& keeps,
             const Tiling& spatial, BoundPrecision precision, const std::function<bool()>& stop);
  RootTables(const RootTables&) = delete;
  RootTables& operator=(const RootTables&) = delete;

  std::size_t cells() const {
    std::size_t all = 0;
    for (const auto& one : to_go) all += one ? one->cells() : 0;
    return all;
  }
  bool are_of(const Keeps& other, const Tiling& loops, BoundPrecision how) const {
    return precision == how && keeps == other && spatial == loops;
  }
  /// A lower bound of all mappings ...
  LowerBounds lower_bounds() const {
    return lower_bounds([&](std::size_t r) { return to_go[r] ? to_go[r]->whole() : 0; });
  }
  /// ... and of some; `used(r)`: of resource r between memories.
  template <typename Used>
  LowerBounds lower_bounds(const Used& used) const {
    double energy = 0;
    double traffic = 1;
    double cycles = steps;
    for (std::size_t r = 0; r < inner.size(); ++r) {
      const double all = (inner[r] + used(r)) / share[r];
      switch (context.resources[r].kind) {
        case Resource::Kind::kEnergy:
          energy = all;
          break;
        case Resource::Kind::kTraffic:
          traffic = all;
          break;
        case Resource::Kind::kTime:
          cycles = std::max(cycles, all);
      }
    }
    return context.lower_bounds(energy, cycles, traffic);
  }

  const OptimalContext& context;
  Keeps keeps;
  Tiling spatial;
  BoundPrecision precision;
  Links links;
  double steps = 1;
  bool holds_witness = false;
  bool possible = false;                         ///< false: there is no such mapping
  std::vector<RootChains::Chain> owned;          ///< the same as `chains`
  std::vector<const DimChain*> chains;           ///< by dim
  std::vector<double> inner;                     ///< by resource
  std::vector<double> share;                     ///< by resource: instances that share its use
  std::vector<std::unique_ptr<CostToGo>> to_go;  ///< by resource; null: will hardly count
};

}  // namespace tilewright
