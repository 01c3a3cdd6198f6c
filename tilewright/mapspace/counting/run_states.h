// SPDX-License-Identifier: Apache-2.0
// What the dims split so far have done to a run of blocks, as one number: how many of them are
// active in one block, in two, ... That is enough to count the loop orders and keep sets of all
// ways to say which blocks those are.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/mapspace/counting/profiles.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// Keep sets of a memory that keeps something, and of one that need not.
struct KeepCounts {
  Natural some;
  Natural any;
};

KeepCounts count_keeps(const KeepRule& rule);

/// The states of one run over up to `dims` dims.
class RunStates {
 public:
  /// `blocks`: the keep sets of each block, innermost first. `fixed`: some dims have a fixed place
  /// in the order (a run of one block only).
  RunStates(std::vector<KeepCounts> blocks, int dims, bool fixed);

  int size() const { return static_cast<int>(states_.size()); }
  /// State 0 is the one without any loop. `fixed`: this dim has a fixed place in the order.
  int next(int state, std::int64_t active, bool fixed) const {
    if (active == 0) return state;
    const std::size_t column = fixed ? blocks_.size() : static_cast<std::size_t>(active - 1);
    return next_[static_cast<std::size_t>(state) * (blocks_.size() + 1) + column];
  }
  /// Dims that are active in the state; a fixed one counts once for all.
  int dims_in(int state) const;
  /// Loop orders and keep sets over all ways to say which blocks are active.
  const Natural& weight(int state) const { return weights_[static_cast<std::size_t>(state)]; }

  /// One way to say it: which blocks each dim is active in (bit b for block b, by dim as given),
  /// and the number of its orders and keep sets. `active`: blocks of each dim; `rank` < weight.
  std::vector<std::uint32_t> unrank(const std::vector<std::int64_t>& active, Natural& rank) const;
  /// The inverse; adds to `rank`.
  void rank(const std::vector<std::int64_t>& active, const std::vector<std::uint32_t>& blocks,
            Natural& rank) const;
  /// Orders and keep sets of block `b` with this many free loops; `fixed`: and some fixed ones.
  Natural block_weight(std::size_t block, int free, bool fixed) const;

 private:
  // How many dims are active in 1, 2, ... blocks, and whether some fixed one is.
  using Histogram = std::vector<int>;
  using Loops = std::vector<int>;  // by block

  Natural assign(const Histogram& left, const Loops& loops) const;
  std::vector<std::size_t> by_activity(const std::vector<std::int64_t>& active) const;

  std::vector<KeepCounts> blocks_;
  std::vector<Histogram> states_;
  std::vector<int> next_;  // by state and what is added; -1: more dims than there are
  std::vector<Natural> weights_;
  mutable std::map<std::pair<Histogram, Loops>, Natural> assigned_;
};

}  // namespace tilewright
