// SPDX-License-Identifier: Apache-2.0
// How many tilings lie behind every choice, by dynamic programming: dim after dim, and for each dim
// slot after slot from the innermost outwards. The state is what is left of the dim and of the
// array.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/mapspace/counting/splits.h"
#include "tilewright/mapspace/tiling.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// The slots of a space of tilings: the places that may hold loops, from the innermost outwards.
struct TilingShape {
  TilingShape(const Workload& workload, const Rules& rules, std::uint64_t open);

  std::vector<Splits> dims;
  ArrayStates array;
  std::vector<int> place_of_slot;
  std::vector<bool> in_space;  ///< by slot
  int places = 0;

  int slots() const { return static_cast<int>(place_of_slot.size()); }
  /// The state of the array after `factor` at `slot`; -1: no room.
  int after(int state, int slot, std::int64_t factor) const {
    const std::size_t at = static_cast<std::size_t>(slot);
    return in_space[at] ? array.next(state, place_of_slot[at], factor) : state;
  }
  /// A tiling of this shape that splits nothing.
  Tiling blank() const {
    const int count = static_cast<int>(dims.size());
    return {count, std::vector<std::int64_t>(static_cast<std::size_t>(count * places), 1)};
  }
};

/// ways(d, slot, count, state): how many ways lead on from there, through the slots left of dim d
/// and all later dims. `shape` must outlive it.
class WayTable {
 public:
  explicit WayTable(const TilingShape& shape);

  const Natural& size() const { return ways(0, 0, 0, shape_->array.start()); }
  const Natural& ways(std::size_t d, int slot, int count, int state) const {
    return ways_[d][index(d, slot, count, state)];
  }
  /// The tiling number `rank` < size(). `tiling` must have the right size.
  void pick(Natural rank, Tiling& tiling) const;
  /// The number of `tiling`; nothing if it is not allowed.
  std::optional<Natural> find(const Tiling& tiling) const;

 private:
  using Step = Splits::Step;

  std::size_t index(std::size_t d, int slot, int count, int state) const {
    const std::size_t states = static_cast<std::size_t>(shape_->array.size());
    return (static_cast<std::size_t>(slot) * states + static_cast<std::size_t>(state)) *
               shape_->dims[d].counts().size() +
           static_cast<std::size_t>(count);
  }
  bool in_space(int slot) const { return shape_->in_space[static_cast<std::size_t>(slot)]; }
  int place(int slot) const { return shape_->place_of_slot[static_cast<std::size_t>(slot)]; }
  // How many factors of a step are taken together: all in time, one in space, where each leaves
  // another state.
  std::int64_t together(int slot, const Step& step) const {
    return in_space(slot) ? 1 : step.last - step.first + 1;
  }

  void fill(std::size_t d, const std::vector<Natural>& after_dim);
  void add_steps(std::size_t d, int slot, int count, int state);
  void pick_factor(std::size_t d, int slot, int& count, int& state, Natural& rank,
                   Tiling& tiling) const;
  bool pass(std::size_t d, int slot, int& count, int& state, const Tiling& tiling,
            Natural& rank) const;

  const TilingShape* shape_;
  std::vector<std::vector<Natural>> ways_;  // by dim
};

}  // namespace tilewright
