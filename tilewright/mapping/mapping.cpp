// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/mapping.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

#include "tilewright/base/error.h"
#include "tilewright/mapping/canonical_order.h"

namespace tilewright {
namespace {

using Kind = NestNode::Kind;

// Neighbours of one group carry no order among themselves: keep nodes in a row, and spatial loops
// of one fan-out in a row.
bool same_group(const NestNode& a, const NestNode& b) {
  if (a.kind != b.kind) return false;
  return a.kind == Kind::kKeep || (a.kind == Kind::kSpatial && a.node == b.node);
}

// Spatial loops over different dims commute, those over one dim do not: again and again the least
// by axis, then dim, of the loops that are the first of their dim.
void sort_loops(std::span<const NestNode> nodes, std::span<std::size_t> order) {
  std::map<DimId, std::deque<std::size_t>> left;
  for (const std::size_t i : order) left[nodes[i].dim].push_back(i);
  for (std::size_t& next : order) {
    auto least = left.begin();
    for (auto it = left.begin(); it != left.end(); ++it) {
      if (nodes[it->second.front()].axis < nodes[least->second.front()].axis) least = it;
    }
    next = least->second.front();
    least->second.pop_front();
    if (least->second.empty()) left.erase(least);
  }
}

}  // namespace

std::vector<std::size_t> canonical_order(std::span<const NestNode> nodes) {
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t first = 0; first < nodes.size();) {
    std::size_t last = first + 1;
    while (last < nodes.size() && same_group(nodes[first], nodes[last])) ++last;
    const std::span<std::size_t> group(order.data() + first, last - first);
    if (nodes[first].kind == Kind::kSpatial) {
      sort_loops(nodes, group);
    } else {
      std::ranges::stable_sort(group, {}, [&](std::size_t i) { return nodes[i].node; });
    }
    first = last;
  }
  return order;
}

NestNode keep(NodeId memory, TensorSet tensors) {
  NestNode node;
  node.kind = Kind::kKeep;
  node.node = memory;
  node.tensors = tensors;
  return node;
}

NestNode temporal(DimId dim, std::int64_t factor) {
  NestNode node;
  node.dim = dim;
  node.factor = factor;
  return node;
}

NestNode spatial(NodeId fanout, int axis, DimId dim, std::int64_t factor) {
  NestNode node;
  node.kind = Kind::kSpatial;
  node.node = fanout;
  node.axis = axis;
  node.dim = dim;
  node.factor = factor;
  return node;
}

Mapping::Mapping(std::vector<NestNode> outermost_first) : nodes_(std::move(outermost_first)) {
  for (const NestNode& node : nodes_) {
    TW_CHECK(!node.is_loop() || node.factor >= 1, "a loop has a factor of at least 1");
  }
  std::erase_if(nodes_, [](const NestNode& node) {
    return node.is_loop() ? node.factor == 1 : node.tensors == 0;
  });
  const std::vector<NestNode> given = nodes_;
  const std::vector<std::size_t> order = canonical_order(given);
  for (std::size_t i = 0; i < order.size(); ++i) nodes_[i] = given[order[i]];
  // Keep nodes that name one memory are now neighbours; a tensor named twice stays visible as two
  // nodes, so that find_violations can object.
  for (std::size_t i = 1; i < nodes_.size();) {
    NestNode& before = nodes_[i - 1];
    const bool joins = nodes_[i].kind == Kind::kKeep && same_group(before, nodes_[i]) &&
                       before.node == nodes_[i].node && (before.tensors & nodes_[i].tensors) == 0;
    if (joins) {
      before.tensors |= nodes_[i].tensors;
      nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

}  // namespace tilewright
