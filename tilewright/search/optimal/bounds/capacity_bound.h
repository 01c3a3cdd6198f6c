// SPDX-License-Identifier: Apache-2.0
// What the capacities of memories say about the links between them (docs/optimal.md section 3).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "tilewright/search/optimal/shared/inward_steps.h"
#include "tilewright/search/optimal/shared/links.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {

/// Least cost of the links into each memory, whatever the loops, as its capacity limits its tiles.
class CapacityBound {
 public:
  CapacityBound(const ProblemTables& tables, std::span<const InwardSteps> steps,
                std::span<const TileForm> tiles, std::span<const Resource> resources,
                bool by_capacity);

  /// Links given from now on have other loops in space than before.
  void change_spatial() {
    for (Known& known : known_) known.clear();
  }
  /// Of a resource, what all links between memories use but for those that common() has.
  double least(std::size_t resource, const Links& links);
  /// What links into memories outside of all fan-outs use: the same for all loops in space.
  double common(std::size_t resource, const Keeps& keeps);

  /// Of that, the links into `memory`.
  double links_into(std::size_t resource, const Links& links, std::size_t memory);

  /// The tuples of counts whose tiles fit, of which no smaller one does.
  const std::vector<Counts>& smallest(std::size_t memory, TensorSet kept);
  /// True if no fan-out is outside of it.
  bool is_common(std::size_t memory) const;

 private:
  // By memory and where its tensors come from.
  using Known = std::unordered_map<std::uint64_t, double>;

  std::vector<std::size_t> dims_of(TensorSet tensors) const;
  std::vector<Counts> find_smallest(std::size_t memory, TensorSet kept) const;
  double with_tiles(const Resource& resource, const Links& links, std::size_t memory,
                    const Counts& tiles, std::span<const double> once) const;

  const ProblemTables& tables_;
  std::span<const TileForm> tiles_;
  std::span<const Resource> resources_;
  bool by_capacity_;
  std::vector<DimChain> chains_;  // by dim, nothing fixed
  std::map<std::pair<std::size_t, TensorSet>, std::vector<Counts>> smallest_;
  // By resource; those of `shared_` hold for all loops in space.
  std::vector<Known> known_;
  std::vector<Known> shared_;
};

}  // namespace tilewright
