// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/choices/choices.h"

#include <algorithm>

namespace tilewright {
namespace {

int find_axis(const Rules& rules, const NestNode& node) {
  const auto place = std::ranges::find_if(
      rules.places, [&](const Place& p) { return p.node == node.node && p.axis == node.axis; });
  return place == rules.places.end() ? -1 : static_cast<int>(place - rules.places.begin());
}

// The block that a keep node opens, behind place `after`; -1 if no points of its memory may keep
// its tensors. Points without loops between them have one keep node: the block is that of the last.
int find_block(const Rules& rules, const NestNode& node, int after, Keeps& keeps) {
  std::size_t point = 0;
  TensorSet left = node.tensors;
  int block = -1;
  for (std::size_t p = 0; p < rules.places.size() && left != 0; ++p) {
    if (!rules.places[p].is_block()) continue;
    const TensorSet here = left & rules.keeps[point++].allowed;
    if (rules.places[p].node != node.node || here == 0 || static_cast<int>(p) <= after) continue;
    keeps[point - 1] = here;
    left &= ~here;
    block = static_cast<int>(p);
  }
  return left == 0 ? block : -1;
}

}  // namespace

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
    const int at = block ? find_block(rules, node, here, choices.keeps) : find_axis(rules, node);
    if (at < here || at < 0 || (block && at == here)) return std::nullopt;
    here = at;
    if (block) continue;
    if (choices.tiling.at(here, node.dim.value) > 1) return std::nullopt;
    choices.tiling.at(here, node.dim.value) = node.factor;
  }
  return choices;
}

}  // namespace tilewright
