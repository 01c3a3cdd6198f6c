// SPDX-License-Identifier: Apache-2.0
// The neighbours of a tiling: what a local search may change in one go without leaving the space.
#pragma once

#include <array>
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

/// Moves inside the space of some rules; from a point of the space they lead to points of it.
/// Whether tiles fit is not looked at. Not to be shared by threads; `problem` and `rules` must
/// outlive it.
class Moves {
 public:
  using Visit = std::function<void(const Point&)>;
  using Fits = std::function<bool(const Point&)>;

  /// Throws OverflowError if a dim is too large.
  Moves(const Problem& problem, const Rules& rules);

  /// What a nest of the space chooses.
  Point read(std::span<const NestNode> nest) const;
  /// All dims as far out as the rules let them; nothing if that is not in the space.
  std::optional<Point> outermost(const Keeps& keeps);

  // The neighbours of `from`, which must be in the space. Some may come twice, or be `from` itself.

  /// `dim` is split anew between two places, or has another factor at one place and the places
  /// outside it cover the rest.
  void resplit(const Point& from, int dim, const Visit& visit);
  /// A dim leaves an axis, whole or in part, and another one takes its room.
  void swap(const Point& from, const Visit& visit);
  /// A dim leaves the loops of a memory for those of one further out, by a prime factor, and
  /// another one comes from there.
  void exchange(const Point& from, const Visit& visit);
  /// A memory keeps other tensors. If it keeps none, its loops move outwards.
  void bypass(const Point& from, const Visit& visit);

  /// `from` after some changes drawn at random: a memory keeps other tensors and loops move
  /// outwards until they fit, or a place is emptied and filled again. Changes that do not fit are
  /// not made.
  Point shake(const Point& from, int changes, Random& random, const Fits& fits);
  /// Two dims, drawn at random, are each split as the other one was; memories whose tiles do not
  /// fit then are relieved as by shake(). `from` itself where that is not legal.
  Point trade(const Point& from, Random& random, const Fits& fits);
  /// `from` with some of what `other` chooses, drawn at random: how a dim is split, what a memory
  /// keeps. What does not fit stays as it is.
  Point cross(const Point& from, const Point& other, Random& random, const Fits& fits);

 private:
  static std::size_t pos(int i) { return static_cast<std::size_t>(i); }
  int innermost() const { return places_ - 1; }
  const FactorRule& rule(int place, int dim) const {
    return rules_.places[pos(place)].rules[pos(dim)];
  }
  bool is_axis(int place) const { return memory_of_place_[pos(place)] < 0; }

  // About point_.
  std::int64_t most(int place, int dim) const;
  std::int64_t left_at(int place, int dim) const;
  std::int64_t shared(int dim, int place, int other) const;
  int sink(int dim) const;
  bool chain_is_legal(int dim) const;
  bool axes_are_legal() const;
  bool is_legal() const;

  // Changes of point_; false if the dim, or some dim, is not split legally then.
  bool split(int dim, int place, std::int64_t factor, int other);
  bool settle(int dim, int place, std::int64_t left);
  bool carry(int dim, int place, std::int64_t factor);
  bool set_keeps(std::size_t memory, TensorSet kept);
  bool shrink(Random& random, const Fits& fits);
  bool refill(int place, Random& random, const Fits& fits);

  void resplit_pair(int dim, int inner, int outer, const Visit& visit);
  void nudge(int dim, const Visit& visit);
  void grow(int dim, int place, const Visit& visit);
  void swap_with(int axis, int other, int dim, const Visit& visit);
  bool take_room(int axis, int other, int left, const Visit& visit);
  void exchange_with(int inner, int outer, int dim, const Visit& visit);
  void report(const Visit& visit) const {
    if (axes_are_legal()) visit(point_);
  }

  using Column = std::array<std::int64_t, Arch::kMaxNodes * Arch::kMaxAxes>;  // by place
  Column column(int dim) const;
  void restore(int dim, const Column& factors);
  bool fill(int dim, const Column& wanted);

  const std::vector<std::int64_t>& divisors(std::int64_t count);
  const std::vector<std::int64_t>& primes(std::int64_t count);
  const std::vector<std::int64_t>& ragged_factors(std::int64_t count);
  const std::vector<std::int64_t>& factors(bool ragged, std::int64_t count) {
    return ragged ? ragged_factors(count) : divisors(count);
  }
  std::int64_t largest(bool ragged, std::int64_t count, std::int64_t limit);

  const Problem& problem_;
  const Rules& rules_;
  int dims_ = 0;
  int places_ = 0;
  std::vector<std::int64_t> sizes_;       // by DimId
  std::vector<std::int64_t> axis_sizes_;  // by place; 0: a block
  std::vector<int> memory_of_place_;      // in Rules::keeps; -1: an axis
  std::vector<int> place_of_memory_;
  std::vector<int> axes_;  // places
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> divisors_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> primes_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> ragged_factors_;
  Point point_;  // the one being changed
};

}  // namespace tilewright
