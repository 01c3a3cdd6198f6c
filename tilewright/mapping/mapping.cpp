// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapping/mapping.h"

#include <algorithm>
#include <tuple>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

using Kind = NestNode::Kind;

// Neighbours of one group carry no order among themselves: keep nodes in a row, and spatial loops
// of one fan-out in a row.
bool same_group(const NestNode& a, const NestNode& b) {
  if (a.kind != b.kind) return false;
  return a.kind == Kind::kKeep || (a.kind == Kind::kSpatial && a.node == b.node);
}

bool canonical_less(const NestNode& a, const NestNode& b) {
  return std::tie(a.node, a.axis, a.dim, a.factor) < std::tie(b.node, b.axis, b.dim, b.factor);
}

}  // namespace

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
  for (auto first = nodes_.begin(); first != nodes_.end();) {
    const auto last = std::find_if_not(
        first + 1, nodes_.end(), [&](const NestNode& node) { return same_group(*first, node); });
    std::stable_sort(first, last, canonical_less);
    first = last;
  }
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
