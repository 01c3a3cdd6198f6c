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

  /// What the search asks for.
  struct Wish {
    std::function<bool(const Least&)> promises;  ///< whether it is of interest
    std::function<double()> limit;               ///< any score at or above this is not
    std::function<bool()> stop;                  ///< asked now and then
  };
  /// The next ones in order, without those that do not promise; empty if it was stopped, or there
  /// are no more.
  std::vector<Root> next(const Wish& wish);
  /// No root that has not been listed yet has a lower bound than this; infinite if all have been.
  double bound() const { return bound_; }

  const Keeps& keeps(const Root& root) const { return keeps_[root.keeps]; }
  Tiling spatial(const Root& root) const;

 private:
  // State of one wave.
  struct Wave;

  void set(const SpatialChoices::Part& part);
  template <typename LeastOf>
  double cycles_by(std::uint32_t keeps, const LeastOf& least_of) const;
  double cycles(std::uint32_t keeps);
  double cycles(std::uint32_t keeps, const OpenSharing& most) const;
  double least_cycles(const Links& links, std::uint32_t keeps);
  void find_first_bound();
  void list(Wave& wave);
  bool is_worth_it(Wave& wave, const SpatialChoices::Part& part);
  bool may_score(double limit, const Outline& outline);
  void add_needed(double limit, std::uint32_t keeps, const OpenSharing& most,
                  OpenSharing& needed) const;
  void add_roots(Wave& wave, const Tiling& tiling);
  void cut(Wave& wave) const;

  const Ground& ground_;
  std::vector<Keeps> keeps_;
  CapacityBound capacity_;
  std::vector<std::size_t> resources_;       // energy, then times
  std::vector<std::vector<double>> common_;  // of these, by keeps: the same for all loops in space
  PartRoom room_;
  std::vector<OutlineBound> outlines_;         // of these
  std::vector<std::optional<double>> cycles_;  // by keeps, of the part that is looked at
  SpatialChoices choices_;
  double bound_ = 0;
  double first_bound_ = 0;
  std::optional<double> excess_;  // limit of the next wave, as a share of the first bound
  std::optional<Root> last_;      // of the wave before
  std::int64_t listed_ = 0;
};

}  // namespace tilewright
