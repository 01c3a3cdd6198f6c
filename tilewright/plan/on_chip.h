// SPDX-License-Identifier: Apache-2.0
// Which edges of a network may stay on chip, and what that asks of the layers (docs/networks.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tilewright/plan/solver.h"

namespace tilewright {

/// Edges that hold the same data, because the layers between them do nothing: they stay in the
/// buffer together or not at all.
struct Tenant {
  std::vector<std::size_t> edges;  ///< in Network::edges, rising
  std::int64_t bits = 0;           ///< room in the buffer
  std::size_t first = 0;           ///< the layer that makes it ...
  std::size_t last = 0;            ///< ... and the last one that uses it
};

/// Which tenants stay, one flag each.
using Chosen = std::vector<bool>;

/// Where edges may stay and which. `network` and `arch` must outlive it.
class OnChip {
 public:
  /// `first_equal`: see find_first_equal.
  OnChip(const Network& network, const Arch& arch, std::vector<std::size_t> first_equal);

  /// The outermost memory inside the outermost one that is on the chip, is alone and may keep an
  /// edge of this network; unset if there is none.
  NodeId buffer() const { return buffer_; }
  /// In the order in which they are made.
  const std::vector<Tenant>& tenants() const { return tenants_; }

  /// What layer number `layer`, a mapped one, asks for.
  Ask ask(std::size_t layer, const Chosen& chosen) const;
  /// False if the tenants alone are too much for the buffer somewhere.
  bool fits(const Chosen& chosen) const;
  /// Changes of a choice that are worth a try: each tenant alone, then two and three that are there
  /// at the same time (of many, those that are made soon after the first).
  std::vector<std::vector<std::size_t>> flips() const;
  /// By edge: whether it stays.
  std::vector<bool> resident(const Chosen& chosen) const;

 private:
  std::vector<Tenant> find_tenants(NodeId buffer) const;
  bool may_stay(const Tenant& tenant, NodeId buffer) const;
  std::int64_t edge_bits(std::size_t edge, NodeId buffer) const;
  std::int64_t tensor_bits(std::size_t layer, TensorId tensor) const;

  const Network& network_;
  const Arch& arch_;
  std::vector<std::size_t> first_equal_;  // by layer
  std::vector<std::size_t> joined_;       // by edge: the first of those that hold the same
  NodeId buffer_;
  std::vector<Tenant> tenants_;
};

}  // namespace tilewright
