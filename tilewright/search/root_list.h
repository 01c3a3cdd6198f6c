// SPDX-License-Identifier: Apache-2.0
// Where the optimal search starts: every choice of what is kept and of all loops in space, with a
// first lower bound, the most promising first. There may be far more than fit in memory: they come
// in waves.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "tilewright/search/answers.h"
#include "tilewright/search/capacity_bound.h"
#include "tilewright/search/ground.h"
#include "tilewright/search/outline_bound.h"
#include "tilewright/search/spatial_choices.h"

namespace tilewright {

/// Some mappings that are not looked at yet.
struct Root {
  Least least;  ///< of all of them
  std::uint32_t keeps = 0;
  std::vector<std::int32_t> spatial;  ///< factors of all axes, by place and dim
  std::int64_t number = 0;            ///< by rising first bound
  int care = 0;                       ///< how often RootSearch has bounded it, each time better

  /// The one that is looked at later comes first, as a priority queue wants it.
  bool operator<(const Root& other) const {
    return std::tie(least.score, number) > std::tie(other.least.score, other.number);
  }
};

class RootList {
 public:
  /// `ground` must outlive it.
  explicit RootList(const Ground& ground);

  using Promises = std::function<bool(const Least&)>;
  /// The next ones in order, without those that do not promise; empty if `stop` (asked now and
  /// then) said so, or there are no more.
  std::vector<Root> next(const Promises& promises, const std::function<bool()>& stop);
  /// No root that has not been listed yet has a lower bound than this; infinite if all have been.
  double bound() const { return bound_; }

  const Keeps& keeps(const Root& root) const { return keeps_[root.keeps]; }
  Tiling spatial(const Root& root) const;

 private:
  // State of one wave.
  struct Wave;

  double least_cycles() const;
  void find_first_bound();
  void list(Wave& wave);
  bool is_worth_it(Wave& wave, const SpatialChoices::Part& part);
  void add_roots(Wave& wave, const Tiling& tiling);
  void cut(Wave& wave) const;

  const Ground& ground_;
  std::vector<Keeps> keeps_;
  CapacityBound capacity_;
  std::vector<double> common_;  // by keeps: energy that is the same for all loops in space
  std::optional<OutlineBound> outlines_;
  SpatialChoices choices_;
  double least_cycles_ = 1;
  double bound_ = 0;
  double first_bound_ = 0;
  std::optional<double> excess_;  // limit of the next wave, as a share of the first bound
  std::optional<Root> last_;      // of the wave before
  std::int64_t listed_ = 0;
};

}  // namespace tilewright
