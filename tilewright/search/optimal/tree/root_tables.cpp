// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/tree/root_tables.h"

#include <limits>

namespace tilewright {
namespace {

// Time of a memory that is below this share of the compute steps will hardly ever count.
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
  for (const Resource& resource : context.resources) {
    const bool time = resource.kind == Resource::Kind::kTime;
    inner.push_back(links.inner_cost(resource, moves));
    share.push_back(time ? links.instances(static_cast<std::size_t>(resource.memory)) : 1);
    to_go.emplace_back();
    if (time && !context.prunes.by_time_tables) continue;
    const bool any = context.witness && context.witness->alone();
    if (time && !any && links.compulsory(resource, moves) / share.back() < kIdle * steps) continue;
    to_go.back() =
        std::make_unique<CostToGo>(links, chains, resource, context.tiles, context.prunes, stops);
    if (stopped) return;
    if (to_go.back()->whole() == std::numeric_limits<double>::infinity()) return;
  }
  possible = true;
}

}  // namespace tilewright
