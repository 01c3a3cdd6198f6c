// SPDX-License-Identifier: Apache-2.0
// The neighbours of a tiling: what a local search may change in one go without leaving the space.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright {

/// A mapping without its loop orders.
struct Point {
  Keeps keeps;
  Tiling tiling;

  bool operator==(const Point&) const = default;
};

/// Moves inside the space of some rules. Whether tiles fit is not its business. Not to be shared by
/// threads; `problem` and `rules` must outlive it.
class Moves {
 public:
  using Visit = std::function<void(const Point&)>;

  Moves(const Problem& problem, const Rules& rules);

  /// What a nest of the space chooses.
  Point read(std::span<const NestNode> nest) const;
  /// True if the rules allow it.
  bool allows(const Point& point) const;
  /// Each dim as far out as it may be; nothing if the rules do not allow the result.
  std::optional<Point> outermost(const Keeps& keeps);

  /// One dim is split anew between two places; or takes another factor at one place, at the cost of
  /// the places outside it.
  void resplit(const Point& from, const Visit& visit);
  /// A dim makes room on an axis for another one, which gives up as much elsewhere.
  void swap(const Point& from, const Visit& visit);
  /// A memory keeps other tensors. If it keeps none, its loops move outwards.
  void bypass(const Point& from, const Visit& visit);

  /// Another point some steps away: other keeps, axes filled at random. `fits` is asked about every
  /// step; a step that does not fit is not made.
  Point scatter(const Point& from, Random& random, const std::function<bool(const Point&)>& fits);

 private:
  int innermost() const { return places_ - 1; }
  const FactorRule& rule(int place, int dim) const {
    return rules_.places[static_cast<std::size_t>(place)].rules[static_cast<std::size_t>(dim)];
  }
  bool is_axis(int place) const {
    return axis_sizes_[static_cast<std::size_t>(place)] != FactorRule::kNoLimit;
  }
  std::int64_t size(int dim) const { return sizes_[static_cast<std::size_t>(dim)]; }

  // About `point_`.
  std::int64_t most(int place, int dim) const;
  std::int64_t left_at(int place, int dim) const;
  int sink(int dim) const;
  bool chain_is_legal(int dim) const;
  bool axes_are_legal() const;
  // What two places of a dim have to cover together.
  std::int64_t shared(int dim, int inner, int outer) const;

  // Changes to `point_`; false if the result of the dim is not legal.
  bool split(int dim, int place, std::int64_t factor, int other);
  bool carry(int dim, int place, std::int64_t factor);
  bool close(int place);

  void set_keeps(std::size_t memory, TensorSet kept, const Visit& visit);
  void resplit_dim(int dim, const Visit& visit);
  void nudge(int dim, const Visit& visit);
  void grow(int dim, const Visit& visit);
  void swap_on(int axis, int other, int dim, const Visit& visit);
  void report(const Visit& visit) const;

  std::vector<std::int64_t> column(int dim) const;
  void restore(int dim, const std::vector<std::int64_t>& factors);

  // Factors worth trying at a place that may take up to `count` steps.
  const std::vector<std::int64_t>& divisors(std::int64_t count);
  const std::vector<std::int64_t>& ragged_factors(std::int64_t count);

  const Rules& rules_;
  int dims_ = 0;
  int places_ = 0;
  std::vector<std::int64_t> sizes_;       // by DimId
  std::vector<std::int64_t> axis_sizes_;  // by place; no limit: a block
  std::vector<int> memory_of_place_;      // in Rules::keeps; -1: an axis
  std::vector<int> place_of_memory_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> divisors_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> ragged_;
  Point point_;  // the one being changed
};

}  // namespace tilewright
