// SPDX-License-Identifier: Apache-2.0
// What mappings cost at least while some factors of the axes are still open (docs/optimal.md
// section 3).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/mapspace/keeps.h"
#include "tilewright/search/capacity_bound.h"
#include "tilewright/search/links.h"
#include "tilewright/search/spatial_choices.h"

namespace tilewright {

/// What is kept, and for every memory inside a fan-out one way to make tiles that fit. Energy is at
/// least `fixed` and, for each tensor, what is taken for all children of fan-outs one by one,
/// divided by how many of them can share it.
struct Outline {
  /// A tensor's accesses that children share: summed over children.
  struct Shared {
    double cost = 0;       ///< if none is shared
    double least = 0;      ///< if all are
    double reads = 0;      ///< of partial results, in addition to `cost` ...
    double spared = 0;     ///< ... less the first ones, of which there are at most so much
    std::size_t from = 0;  ///< fan-outs inside this memory may share
  };
  std::uint32_t keeps = 0;
  double fixed = 0;
  std::array<Shared, Workload::kMaxTensors> shared;
};

class OutlineBound {
 public:
  /// `common`: by keeps: energy that is the same for all loops in space.
  OutlineBound(const Facts& facts, const Resource& energy, std::span<const Keeps> keeps,
               std::span<const double> common, CapacityBound& capacity);

  std::span<const Outline> outlines() const { return outlines_; }
  /// From now on least() is about this part.
  void set(const SpatialChoices::Part& part);
  /// Energy of an outline with the part.
  double least(const Outline& outline) const;
  /// Least steps of all compute units.
  double steps() const { return steps_; }

 private:
  // Children that take an element together: as far as factors are chosen, and what the open ones
  // may multiply that by.
  struct Sharing {
    double chosen = 1;
    double room = 1;
  };

  void add_outlines(std::uint32_t number, const Keeps& keeps, double common,
                    CapacityBound& capacity);
  void add_inner(const Keeps& keeps, Outline& outline) const;
  std::vector<Outline> ways_into(std::size_t memory, const Links& links,
                                 CapacityBound& capacity) const;
  Outline way_into(std::size_t memory, const Links& links, const Counts& tiles,
                   TensorSet still) const;
  bool crosses(std::size_t outside, std::size_t inside) const;
  void set_steps(const SpatialChoices::Part& part);
  Sharing sharing(const SpatialChoices::Part& part, std::size_t tensor, std::size_t memory) const;
  double together(const Outline& outline, TensorSet tensors) const;

  const Facts& facts_;
  const Resource& energy_;
  std::vector<std::vector<std::size_t>> axes_;  // places by fan-out
  std::vector<Outline> outlines_;
  std::vector<TensorSet> apart_;   // sets of tensors that no dim is shared by two of
  std::vector<double> slack_;      // by tensor: what sharing along affine ranks may add
  std::vector<TensorSet> needed_;  // by memory: some outline has these shared from it
  // Of the part.
  double steps_ = 1;
  double all_room_ = 1;
  std::vector<std::vector<Sharing>> sharing_;  // by tensor and memory; only what is needed
};

}  // namespace tilewright
