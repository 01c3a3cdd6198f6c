// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/tree/root_tables.h"

#include <algorithm>
#include <limits>

namespace tilewright {
namespace {

// Time of a memory that may be below this share of all cycles will hardly ever count.
constexpr double kIdle = 0.2;

}  // namespace

RootTables::RootTables(const OptimalContext& the_context, RootChains& known_chains,
                       const Keeps& the_keeps, const Tiling& the_spatial,
                       BoundPrecision the_precision, const std::function<bool()>& stop)
    : context(the_context),
      keeps(the_keeps),
      spatial(the_spatial),
      precision(the_precision),
      links(context.tables, keeps, spatial),
      steps(context.prunes.by_steps ? links.steps() : 1) {
  for (std::size_t d = 0; d < static_cast<std::size_t>(context.tables.dims); ++d) {
    owned.push_back(known_chains.chain(d, keeps, spatial, precision));
    chains.push_back(owned.back().get());
    if (!chains.back()->possible()) return;
  }
  bool stopped = false;
  const auto stops = [&] { return stopped = stopped || stop(); };
  const Links::InnerMoves moves = links.inner_moves();
  std::vector<double> compulsory;  // by resource: if every tile is moved once
  double least_cycles = steps;
  for (const Resource& resource : context.resources) {
    const bool time = resource.kind == Resource::Kind::kTime;
    inner.push_back(links.inner_cost(resource, moves));
    share.push_back(time ? links.instances(static_cast<std::size_t>(resource.memory)) : 1);
    compulsory.push_back(time ? links.compulsory(resource, moves) : 0);
    least_cycles = std::max(least_cycles, compulsory.back() / share.back());
  }
  const bool any = context.witness && context.witness->alone();
  for (std::size_t r = 0; r < context.resources.size(); ++r) {
    const Resource& resource = context.resources[r];
    to_go.emplace_back();
    if (resource.kind == Resource::Kind::kTime) {
      if (!context.prunes.by_time_tables) continue;
      if (precision == BoundPrecision::kEnergy) {
        inner[r] = std::max(inner[r], compulsory[r]);
        continue;
      }
      if (!any && compulsory[r] / share[r] < kIdle * least_cycles) continue;
    }
    // Nodes are looked for by their energy alone.
    const bool searched =
        precision == BoundPrecision::kFull && resource.kind == Resource::Kind::kEnergy;
    to_go.back() = std::make_unique<CostToGo>(
        links, chains, resource, context.tiles, context.prunes,
        searched ? CostToGo::Use::kSearch : CostToGo::Use::kBound, stops);
    if (stopped) return;
    if (to_go.back()->whole() == std::numeric_limits<double>::infinity()) return;
  }
  possible = true;
}

}  // namespace tilewright
