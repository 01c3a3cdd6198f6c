// SPDX-License-Identifier: Apache-2.0
// Internal to the walker: the nest as lists of loops, the steps of time, the instances in space,
// and the elements of a tensor, all enumerated one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/mapping/mapping.h"
#include "tilewright/workload/workload.h"

namespace tilewright::walking {

/// One loop; advancing it by one moves its dim by `step`.
struct Loop {
  int place = 0;  ///< in Mapping::nodes()
  NodeId fanout;  ///< unset for a loop in time
  DimId dim;
  std::int64_t factor = 1;
  std::int64_t step = 1;
};

/// All loops of a mapping, outermost first, in time and in space apart.
struct Nest {
  std::vector<std::int64_t> sizes;  ///< of the dims
  std::vector<Loop> temporal;
  std::vector<Loop> spatial;
};

Nest make_nest(const Workload& workload, const Mapping& mapping);

/// Positions along `dim`, relative to the first one, that the loops inside node `place` reach.
/// `place` = -1 means the whole nest.
std::vector<std::int64_t> positions_inside(const Nest& nest, int place, DimId dim);

/// A moment: one index per loop in time, and where all of them together stand.
class Clock {
 public:
  explicit Clock(const Nest& nest);

  /// On to the next time step; false if there is none.
  bool advance();

  std::span<const std::int64_t> indices() const { return indices_; }
  std::span<const std::int64_t> position() const { return position_; }

 private:
  const Nest& nest_;
  std::vector<std::int64_t> indices_;   // by temporal loop
  std::vector<std::int64_t> position_;  // by dim
};

/// The copies of one memory, or of the compute unit: every tuple of indices of the loops in space
/// outside it. Some may never be active.
class Instances {
 public:
  /// `loops` are positions in Nest::spatial, ascending.
  Instances(const Nest& nest, std::vector<std::size_t> loops);

  std::size_t count() const { return count_; }
  const std::vector<std::size_t>& loops() const { return loops_; }
  /// Index of the `k`th of loops() in `instance`.
  std::int64_t index(std::size_t instance, std::size_t k) const {
    return indices_[instance * loops_.size() + k];
  }
  /// How far `instance` lies from the first one, by dim.
  std::span<const std::int64_t> offset(std::size_t instance) const {
    return {offsets_.data() + instance * sizes_.size(), sizes_.size()};
  }
  /// True if a point with these temporal positions exists in `instance`.
  bool active(std::size_t instance, std::span<const std::int64_t> position) const;

  /// For each instance a number from 0 that is the same for those that agree in the indices of
  /// `some`, a part of loops().
  std::vector<std::size_t> classes(const std::vector<std::size_t>& some) const;

 private:
  std::vector<std::size_t> loops_;
  std::vector<std::int64_t> factors_;
  std::vector<std::int64_t> sizes_;
  std::size_t count_ = 1;
  std::vector<std::int64_t> indices_;  // count x loops
  std::vector<std::int64_t> offsets_;  // count x dims
};

/// Elements, each as a number; sorted, each once.
using Elements = std::vector<std::int64_t>;

/// Numbers the elements of one tensor from 0.
class ElementSpace {
 public:
  /// With `boxes`, whatever lies between the first and the last coordinate of a rank is data too.
  ElementSpace(const Workload& workload, TensorId tensor, bool boxes);

  std::int64_t size() const { return size_; }

  /// What the points touch whose position along each dim is one of `positions[dim]`.
  void collect(const std::vector<std::vector<std::int64_t>>& positions, Elements& out);

 private:
  void collect_rank(const Rank& rank, const std::vector<std::vector<std::int64_t>>& positions);

  const Tensor& tensor_;
  bool boxes_;
  std::vector<std::vector<std::int64_t>> coordinates_;  // by rank: all that occur, ascending
  std::int64_t size_ = 1;
  std::vector<std::int64_t> values_;  // scratch: coordinates of one rank
  std::vector<std::int64_t> next_;    // scratch
};

}  // namespace tilewright::walking
