// SPDX-License-Identifier: Apache-2.0
// Where the optimal search starts: every choice of what is kept and of all loops in space, with a
// first lower bound.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "tilewright/search/inward_steps.h"
#include "tilewright/search/links.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {

/// The loops in space of all fan-outs; choices that differ only in the axis of a fan-out on which a
/// factor stands cost the same and are listed once.
class SpatialChoices {
 public:
  /// `worth`: whether mappings of so many steps and more are of interest. `stop`: asked now and
  /// then whether to give up.
  SpatialChoices(const Facts& facts, std::span<const InwardSteps> steps, bool merge_axes,
                 const std::function<bool(double)>& worth, const std::function<bool()>& stop);

  std::size_t size() const { return choices_.size(); }
  /// Sets the factors of all axes.
  void set(std::size_t choice, Tiling& tiling) const;
  /// True if there were too many to list, or it gave up.
  bool cut_off() const { return cut_off_; }

 private:
  void add(std::size_t fanout, std::size_t axis, int dim);
  void end_fanout(std::size_t fanout);
  bool enough_children(std::size_t fanout) const;
  double least_steps(std::size_t fanout, std::size_t axis, int dim) const;

  const Facts& facts_;
  std::span<const InwardSteps> steps_;
  bool merge_axes_;
  const std::function<bool(double)>& worth_;
  const std::function<bool()>& stop_;
  std::uint64_t looked_ = 0;
  std::vector<std::vector<std::size_t>> axes_;                   // places by fan-out
  std::vector<std::size_t> places_;                              // all axes
  std::vector<std::vector<std::vector<std::int64_t>>> factors_;  // by axis (place) and dim
  Tiling tiling_;
  std::vector<std::set<std::vector<std::int64_t>>> seen_;  // by fan-out: products by dim
  std::vector<std::vector<std::int32_t>> choices_;         // factors by axis and dim
  bool cut_off_ = false;
};

/// Least cost of the links into each memory, whatever the loops, as its capacity limits its tiles.
class CapacityBound {
 public:
  CapacityBound(const Facts& facts, std::span<const InwardSteps> steps,
                std::span<const TileForm> tiles, const Resource& energy, bool by_capacity);

  /// Links given from now on have other loops in space than before.
  void change_spatial() { known_.clear(); }
  /// Of all links between memories; `common`: those that common() has are left out.
  double least(const Links& links, bool common);
  /// Of the links into memories outside of all fan-outs: the same for all loops in space.
  double common(const Keeps& keeps);

 private:
  const std::vector<Counts>& smallest(std::size_t memory, TensorSet kept);
  double links_into(const Links& links, std::size_t memory);
  bool is_common(std::size_t memory) const;
  double with_tiles(const Links& links, std::size_t memory, const Counts& tiles,
                    std::span<const double> once) const;

  const Facts& facts_;
  std::span<const TileForm> tiles_;
  const Resource& energy_;
  bool by_capacity_;
  std::vector<DimChain> chains_;  // by dim, nothing fixed
  std::map<std::pair<std::size_t, TensorSet>, std::vector<Counts>> smallest_;
  // By memory and where its tensors come from; those of `shared_` hold for all loops in space.
  std::unordered_map<std::uint64_t, double> known_;
  std::unordered_map<std::uint64_t, double> shared_;
};

}  // namespace tilewright
