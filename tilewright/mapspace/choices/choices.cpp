// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/choices/choices.h"

#include <algorithm>

namespace tilewright {

std::optional<Choices> read_choices(const Problem& problem, const Rules& rules,
                                    const Mapping& mapping) {
  Choices choices;
  choices.keeps.assign(rules.keeps.size(), 0);
  choices.orders.resize(rules.places.size());
  choices.tiling.dims = static_cast<int>(problem.workload().dims().size());
  choices.tiling.factors.assign(rules.places.size() * problem.workload().dims().size(), 1);
  int here = -1;       // the last place met
  bool block = false;  // it is a block that a keep node opened
  for (const NestNode& node : mapping.nodes()) {
    if (node.kind == NestNode::Kind::kTemporal) {
      if (!block || choices.tiling.at(here, node.dim.value) > 1) return std::nullopt;
      choices.tiling.at(here, node.dim.value) = node.factor;
      choices.orders[static_cast<std::size_t>(here)].push_back(node.dim);
      continue;
    }
    block = node.kind == NestNode::Kind::kKeep;
    const auto place = std::ranges::find_if(rules.places, [&](const Place& p) {
      return p.node == node.node && p.axis == (block ? -1 : node.axis);
    });
    if (place == rules.places.end()) return std::nullopt;
    const int at = static_cast<int>(place - rules.places.begin());
    if (at < here || (block && at == here)) return std::nullopt;
    here = at;
    if (block) {
      const auto keep = std::ranges::find(rules.keeps, node.node, &KeepRule::memory);
      choices.keeps[static_cast<std::size_t>(keep - rules.keeps.begin())] = node.tensors;
    } else {
      if (choices.tiling.at(here, node.dim.value) > 1) return std::nullopt;
      choices.tiling.at(here, node.dim.value) = node.factor;
    }
  }
  return choices;
}

}  // namespace tilewright
