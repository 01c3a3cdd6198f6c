// SPDX-License-Identifier: Apache-2.0
#include "tilewright/walker/walk.h"

#include <cstddef>
#include <vector>

#include "tilewright/walker/link.h"
#include "tilewright/walker/nest.h"
#include "tilewright/walker/tally.h"

namespace tilewright {
namespace {

using walking::Clock;
using walking::Elements;
using walking::ElementSpace;
using walking::Link;
using walking::LinkEnds;
using walking::MemoryTally;
using walking::Nest;
using walking::Tally;

// The outermost memory of a tensor gets its tile from nobody, so no link sees it.
void note_home_tile(const Mapping& mapping, const Nest& nest, TensorId tensor, ElementSpace& space,
                    Tally& tally) {
  for (std::size_t i = 0; i < mapping.nodes().size(); ++i) {
    const NestNode& node = mapping.nodes()[i];
    if (node.is_loop() || (node.tensors & only(tensor)) == 0) continue;
    std::vector<std::vector<std::int64_t>> positions(nest.sizes.size());
    for (std::size_t d = 0; d < positions.size(); ++d) {
      for (const std::int64_t p : walking::positions_inside(nest, static_cast<int>(i), DimId(d))) {
        if (p < nest.sizes[d]) positions[d].push_back(p);
      }
    }
    Elements tile;
    space.collect(positions, tile);
    for (MemoryTally& memory : tally.memories) {
      if (memory.node != node.node) continue;
      memory.tensors[tensor.pos()].tile = static_cast<std::int64_t>(tile.size());
    }
    return;
  }
}

}  // namespace

std::optional<Evaluation> walk(const Problem& problem, const Mapping& mapping,
                               const WalkOptions& options) {
  const Workload& workload = problem.workload();
  if (workload.computes() > options.max_points) return std::nullopt;
  const Nest nest = walking::make_nest(workload, mapping);
  Tally tally = walking::start_tally(problem, nest);
  const std::vector<LinkEnds> ends = walking::find_links(problem, mapping, nest, tally);

  std::vector<ElementSpace> spaces;
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    const bool boxes = problem.conventions().holes_are_data && TensorId(t) != workload.output();
    spaces.emplace_back(workload, TensorId(t), boxes);
    note_home_tile(mapping, nest, TensorId(t), spaces.back(), tally);
  }
  std::vector<Link> links;
  links.reserve(ends.size());
  for (const LinkEnds& end : ends) {
    links.emplace_back(problem, mapping, nest, end, options, spaces[end.tensor.pos()], tally);
  }

  Clock clock(nest);
  do {
    walking::count_step(clock, tally);
    for (Link& link : links) link.step(clock);
  } while (clock.advance());
  return walking::evaluate_tally(problem, tally);
}

}  // namespace tilewright
