// SPDX-License-Identifier: Apache-2.0
// Draws tilings uniformly and fast. Dim after dim: first its factors on all axes at once, by a
// table for the state of the array, then its loops in time from the innermost outwards. Weights are
// doubles: a draw is fair to within rounding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/mapspace/counting/profiles.h"
#include "tilewright/mapspace/counting/way_table.h"

namespace tilewright {

/// Chooses one of some things in proportion to their weights in constant time (Walker's alias
/// method).
class AliasTable {
 public:
  explicit AliasTable(std::span<const double> weights);

  std::size_t draw(Random& random) const {
    // Two numbers: one for the place, one for which of the two that share it.
    const auto place =
        static_cast<std::size_t>((static_cast<Ways>(random.next()) * entries_.size()) >> 64);
    const double at = static_cast<double>(random.next() >> 11) * 0x1p-53;
    return at < entries_[place].share ? place : entries_[place].other;
  }

 private:
  struct Entry {
    double share = 1;  // of the place itself
    std::uint32_t other = 0;
  };
  std::vector<Entry> entries_;
};

/// `shape` must outlive it.
class DrawTable {
 public:
  explicit DrawTable(const TilingShape& shape);

  /// About how many tilings there are; 0 if there are none, and only then.
  double size() const { return size_; }
  /// `tiling` must have the shape's size; size() must not be 0.
  void draw(Random& random, Tiling& tiling) const;

 private:
  // Ways to the end by count, before one slot, given the factors on the axes from there outwards.
  struct Row {
    int outside = -1;  // the row behind the slot
    std::vector<double> ways;
  };
  // The factors of one dim on all axes.
  struct Spread {
    std::vector<std::int64_t> factors;  // by axis slot, innermost first
    int row = 0;                        // before the innermost slot
    double ways = 0;
  };
  struct DimTable {
    std::vector<Row> rows;
    std::vector<Spread> spreads;
    std::vector<AliasTable> choice;  // by state of the array; empty: too many, look one by one
    std::vector<double> after;       // ways of all later dims, by state of the array
    // Every split, `slots` factors each, spread by spread; empty: too many.
    std::vector<std::int32_t> listed;
    std::vector<std::size_t> first_listed;  // of each spread
  };

  void add_rows(std::size_t d, int slot, int row, std::vector<std::int64_t>& outermost_first);
  void finish_dim(std::size_t d, std::vector<double>& ways);
  void list_splits(std::size_t d);
  void list_from(std::size_t d, const Spread& spread, int slot, int count,
                 std::vector<std::int32_t>& factors);
  int state_after(int state, const Spread& spread) const;
  std::size_t draw_spread(const DimTable& dim, int state, Random& random) const;
  void draw_loops(std::size_t d, const Spread& spread, Random& random, Tiling& tiling) const;

  const TilingShape* shape_;
  std::vector<int> axis_slots_;  // innermost first
  std::vector<DimTable> dims_;
  double size_ = 0;
};

}  // namespace tilewright
