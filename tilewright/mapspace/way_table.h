// SPDX-License-Identifier: Apache-2.0
// How many tilings lie behind every choice, by dynamic programming: dim after dim, and for each dim
// slot after slot from the innermost outwards. The state is what is left of the dim and of the
// array. With Natural numbers it counts and ranks exactly; with doubles it draws.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tilewright/base/error.h"
#include "tilewright/base/natural.h"
#include "tilewright/base/random.h"
#include "tilewright/mapspace/splits.h"
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

namespace internal {

inline bool is_zero(double value) { return value == 0; }
inline bool is_zero(const Natural& value) { return value.is_zero(); }
inline double as(double /*tag*/, std::int64_t value) { return static_cast<double>(value); }
inline Natural as(const Natural& /*tag*/, std::int64_t value) {
  return Natural(static_cast<std::uint64_t>(value));
}
inline void add_product(double& sum, double a, double b) { sum += a * b; }
inline void add_product(Natural& sum, const Natural& a, const Natural& b) { sum.add_product(a, b); }

// Says where to go among ways: a number below them all, or chance at every step.
class Target {
 public:
  explicit Target(Natural rank) : left_(std::move(rank)) {}

  void enter(const Natural& /*ways*/) {}
  bool take(const Natural& each, std::int64_t many, std::int64_t& index) {
    const Natural all = each * as(each, many);
    if (left_ >= all) {
      left_ -= all;
      return false;
    }
    const Natural::Division division = left_.divide(each);
    left_ = division.remainder;
    index = static_cast<std::int64_t>(division.quotient.to_uint64());
    return true;
  }

 private:
  Natural left_;
};

class Chance {
 public:
  explicit Chance(Random& random) : random_(random) {}

  void enter(double ways) {
    constexpr double kScale = 1.0 / static_cast<double>(std::uint64_t{1} << 53);
    left_ = ways * (static_cast<double>(random_.next() >> 11) * kScale);
  }
  bool take(double each, std::int64_t many, std::int64_t& index) {
    const double all = each * static_cast<double>(many);
    if (left_ >= all) {
      left_ -= all;
      return false;
    }
    index = many == 1 ? 0 : std::min(many - 1, static_cast<std::int64_t>(left_ / each));
    return true;
  }

 private:
  Random& random_;
  double left_ = 0;
};

}  // namespace internal

/// ways(d, slot, count, state): how many ways lead on from there, through the slots left of dim d
/// and all later dims. `shape` must outlive it.
template <typename Number>
class WayTable {
 public:
  explicit WayTable(const TilingShape& shape) : shape_(&shape) {
    const std::size_t states = static_cast<std::size_t>(shape.array.size());
    std::vector<Number> after(states);
    for (std::size_t s = 0; s < states; ++s) {
      after[s] = internal::as(Number{}, shape.array.accepts(static_cast<int>(s)) ? 1 : 0);
    }
    ways_.resize(shape.dims.size());
    for (std::size_t d = shape.dims.size(); d-- > 0;) {
      fill(d, after);
      for (std::size_t s = 0; s < states; ++s) after[s] = ways(d, 0, 0, static_cast<int>(s));
    }
  }

  const Number& size() const { return ways(0, 0, 0, shape_->array.start()); }
  const Number& ways(std::size_t d, int slot, int count, int state) const {
    return ways_[d][index(d, slot, count, state)];
  }

  /// The tiling that `guide` (Target or Chance) leads to. `tiling` must have the right size.
  template <typename Guide>
  void pick(Guide guide, Tiling& tiling) const {
    std::fill(tiling.factors.begin(), tiling.factors.end(), 1);
    int state = shape_->array.start();
    for (std::size_t d = 0; d < shape_->dims.size(); ++d) {
      const int end = shape_->dims[d].end();
      int count = 0;
      for (int slot = 0; slot < shape_->slots() && count != end; ++slot) {
        step(d, slot, count, state, guide, tiling);
      }
    }
  }

  /// The number of `tiling`, so that pick(Target(it)) leads there; nothing if it is not allowed.
  std::optional<Number> find(const Tiling& tiling) const {
    Number rank{};
    int state = shape_->array.start();
    for (std::size_t d = 0; d < shape_->dims.size(); ++d) {
      int count = 0;
      for (int slot = 0; slot < shape_->slots(); ++slot) {
        if (!pass(d, slot, count, state, tiling, rank)) return std::nullopt;
      }
      if (count != shape_->dims[d].end()) return std::nullopt;
    }
    if (!shape_->array.accepts(state)) return std::nullopt;
    return rank;
  }

 private:
  using Step = Splits::Step;

  // Counts side by side: a loop in time chooses among them.
  std::size_t index(std::size_t d, int slot, int count, int state) const {
    const std::size_t states = static_cast<std::size_t>(shape_->array.size());
    return (static_cast<std::size_t>(slot) * states + static_cast<std::size_t>(state)) *
               shape_->dims[d].counts().size() +
           static_cast<std::size_t>(count);
  }
  bool in_space(int slot) const { return shape_->in_space[static_cast<std::size_t>(slot)]; }
  int place(int slot) const { return shape_->place_of_slot[static_cast<std::size_t>(slot)]; }

  void fill(std::size_t d, const std::vector<Number>& after_dim) {
    const Splits& splits = shape_->dims[d];
    const int slots = shape_->slots();
    const int counts = static_cast<int>(splits.counts().size());
    const int states = shape_->array.size();
    ways_[d].resize(static_cast<std::size_t>(slots + 1) * static_cast<std::size_t>(counts) *
                    static_cast<std::size_t>(states));
    for (int s = 0; s < states && splits.end() >= 0; ++s) {
      ways_[d][index(d, slots, splits.end(), s)] = after_dim[static_cast<std::size_t>(s)];
    }
    for (int slot = slots; slot-- > 0;) {
      for (int s = 0; s < states; ++s) {
        for (int count = 0; count < counts; ++count) add_steps(d, slot, count, s);
      }
    }
  }

  void add_steps(std::size_t d, int slot, int count, int state) {
    Number& sum = ways_[d][index(d, slot, count, state)];
    for (const Step& step : shape_->dims[d].steps(slot, count)) {
      if (!in_space(slot)) {
        internal::add_product(sum, ways(d, slot + 1, step.next, state),
                              internal::as(Number{}, step.last - step.first + 1));
        continue;
      }
      for (std::int64_t factor = step.first; factor <= step.last; ++factor) {
        const int next = shape_->after(state, slot, factor);
        if (next < 0) return;
        sum += ways(d, slot + 1, step.next, next);
      }
    }
  }

  template <typename Guide>
  void step(std::size_t d, int slot, int& count, int& state, Guide& guide, Tiling& tiling) const {
    guide.enter(ways(d, slot, count, state));
    std::int64_t& chosen = tiling.at(place(slot), static_cast<int>(d));
    chosen = 0;
    int chosen_count = count;
    int chosen_state = state;
    bool found = false;
    for (const Step& step : shape_->dims[d].steps(slot, count)) {
      // Loops in time take all factors of a step at once, loops in space one at a time.
      const std::int64_t many = in_space(slot) ? 1 : step.last - step.first + 1;
      for (std::int64_t factor = step.first; factor <= step.last && !found; factor += many) {
        const int next = shape_->after(state, slot, factor);
        if (next < 0) break;
        const Number& each = ways(d, slot + 1, step.next, next);
        if (internal::is_zero(each)) continue;
        std::int64_t within = 0;
        found = guide.take(each, many, within);
        chosen = factor + within;
        chosen_count = step.next;
        chosen_state = next;
      }
      if (found) break;
    }
    // Rounding of doubles may leave a chance over: the last way is it.
    TW_CHECK(chosen > 0, "a guide below the number of ways finds one");
    count = chosen_count;
    state = chosen_state;
  }

  // Goes through one slot as `tiling` says and adds to `rank` what comes before; false if it is not
  // allowed.
  bool pass(std::size_t d, int slot, int& count, int& state, const Tiling& tiling,
            Number& rank) const {
    const std::int64_t wanted = tiling.at(place(slot), static_cast<int>(d));
    for (const Step& step : shape_->dims[d].steps(slot, count)) {
      const std::int64_t many = in_space(slot) ? 1 : step.last - step.first + 1;
      for (std::int64_t factor = step.first; factor <= step.last && factor < wanted;
           factor += many) {
        const int next = shape_->after(state, slot, factor);
        if (next < 0) break;
        const std::int64_t before = std::min(many, wanted - factor);
        internal::add_product(rank, ways(d, slot + 1, step.next, next),
                              internal::as(Number{}, before));
      }
      if (wanted < step.first || wanted > step.last) continue;
      state = shape_->after(state, slot, wanted);
      count = step.next;
      return state >= 0;
    }
    return false;
  }

  const TilingShape* shape_;
  std::vector<std::vector<Number>> ways_;  // by dim
};

}  // namespace tilewright
