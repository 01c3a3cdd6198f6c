// SPDX-License-Identifier: Apache-2.0
// One dim, split at one place after the other from the outermost inwards:
// mapspace/counting/splits.h read from the other end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/mapspace/counting/splits.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// The ways to go on from a count inwards.
class InwardSteps {
 public:
  /// Factors `first` to `last` all lead from the count outside to `count` inside.
  struct Step {
    int inner = 0;  ///< number of that count
    std::int64_t count = 1;
    std::int64_t first = 1;
    std::int64_t last = 1;
  };

  /// `rules`: what each place allows, outermost first.
  InwardSteps(std::int64_t size, std::span<const FactorRule> rules);

  /// False if no chain of factors covers the dim.
  bool possible() const { return possible_; }
  /// All factors that `place` may have, rising.
  std::vector<std::int64_t> factors(int place) const;
  /// The number of 1, the count outside of all places.
  int outermost() const { return splits_.end(); }
  /// By rising count.
  std::span<const Step> steps(int place, int count) const {
    return steps_[static_cast<std::size_t>(place)][static_cast<std::size_t>(count)];
  }
  int places() const { return static_cast<int>(steps_.size()); }

 private:
  Splits splits_;
  std::vector<std::vector<std::vector<Step>>> steps_;  // by place and the count outside it
  bool possible_ = false;
};

/// One dim whose loops in space are fixed: the counts that can be left between places.
class DimChain {
 public:
  /// From a count outside a place to one inside it.
  struct Way {
    int inner = 0;  ///< position in counts(place + 1)
    std::int64_t first = 1;
    std::int64_t last = 1;
  };

  /// `fixed`: the factor of each place; 0: any. `least`: smaller counts outside a place are left
  /// out.
  DimChain(const InwardSteps& steps, std::span<const std::int64_t> fixed,
           std::span<const std::int64_t> least);

  /// The same with counts of about the same size taken together: no count is more than `ratio`
  /// times another that it is one with. There is a way if there is one between any two of them.
  DimChain coarse(double ratio) const;

  bool possible() const { return !counts_.front().empty(); }
  /// About so much memory.
  std::size_t bytes() const;
  /// Outside `place`, rising; of the last place + 1: the whole size. The least of those that are
  /// taken together.
  std::span<const std::int64_t> counts(std::size_t place) const { return counts_[place]; }
  /// The largest of those that are taken together.
  std::span<const std::int64_t> largest(std::size_t place) const { return largest_[place]; }
  std::span<const Way> ways(std::size_t place, int outer) const {
    return ways_[place][static_cast<std::size_t>(outer)];
  }
  /// The way from one to the other; null if there is none.
  const Way* way(std::size_t place, int outer, int inner) const;
  /// The count outside a place of fixed factor, of which there is one; the least of those taken
  /// together.
  int outer(std::size_t place, int inner) const {
    return outer_[place][static_cast<std::size_t>(inner)];
  }
  /// Where the place leaves the count as it is; -1 if it cannot.
  int same(std::size_t place, int outer) const {
    return same_[place][static_cast<std::size_t>(outer)];
  }

 private:
  DimChain() = default;

  std::vector<std::vector<std::int64_t>> counts_;    // by boundary
  std::vector<std::vector<std::int64_t>> largest_;   // likewise
  std::vector<std::vector<std::vector<Way>>> ways_;  // by place and outer count
  std::vector<std::vector<int>> outer_;              // by place and inner count
  std::vector<std::vector<int>> same_;               // by place and outer count
};

}  // namespace tilewright
