// SPDX-License-Identifier: Apache-2.0
// The sub-space of loop orders of one block: whole, or one representative of each class of orders
// that cost the same. docs/mapspaces.md section 4 says why they do; the show `reuse-classes`
// checks it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright {

/// The orders of the loops over `active` in a block: those of Place::outermost first, those of
/// Place::innermost last, the free ones between them in any order.
class BlockOrders {
 public:
  BlockOrders(const Place& block, DimSet active);

  Natural size() const;  ///< (free loops)!
  /// Order number `rank` (lexicographic in DimIds), outermost first.
  std::vector<DimId> unrank(Natural rank) const;
  /// The number of an order; nothing if it is not one of these.
  std::optional<Natural> rank(std::span<const DimId> order) const;
  /// All of them, in order.
  std::vector<std::vector<DimId>> all() const;

 private:
  std::vector<DimId> outermost_;
  std::vector<DimId> free_;
  std::vector<DimId> innermost_;
};

/// Classes of loop orders that cost the same (QuickFlow's equi-dataflow, for our model). `problem`
/// and `rules` must outlive it.
class OrderClasses {
 public:
  OrderClasses(const Problem& problem, const Rules& rules) : problem_(problem), rules_(rules) {}

  /// One order of each class of the block at `place`, the first of its class in the order of
  /// BlockOrders, given which dims every place splits (by position in Rules::places) and what is
  /// kept. The classes of one block do not depend on the orders chosen in the others.
  std::vector<std::vector<DimId>> representatives(int place, std::span<const DimSet> active,
                                                  const Keeps& keeps) const;

  /// What these depend on: where two blocks have the same key, they have the same representatives.
  void key(int place, std::span<const DimSet> active, const Keeps& keeps,
           std::vector<std::uint64_t>& key) const;

  /// The one that stands for `order`, which must be one of BlockOrders.
  std::vector<DimId> representative(int place, std::span<const DimSet> active, const Keeps& keeps,
                                    std::span<const DimId> order) const;

 private:
  const Problem& problem_;
  const Rules& rules_;
};

/// QuickFlow's equi-reuse classes: how many permutations of all dims of more than one element are
/// left for a level, whatever the factors (its section IV-B; at most 26 for a simple convolution).
std::int64_t count_reuse_classes(const Workload& workload);

}  // namespace tilewright
