// SPDX-License-Identifier: Apache-2.0
// One dim, split at one place after the other from the innermost outwards (docs/model.md (1)): a
// factor P leaves ceil(n / P) of n steps, and in the end one is left. What is left is all that the
// places further out need to know.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "tilewright/mapspace/rules.h"

namespace tilewright {

class Splits {
 public:
  /// The factors `first` to `last` all lead to count number `next`.
  struct Step {
    int next = 0;
    std::int64_t first = 1;
    std::int64_t last = 1;
  };

  /// `rules`: what each slot allows, innermost first. Throws OverflowError if the dim is too large
  /// to be split imperfectly.
  Splits(std::int64_t size, std::vector<FactorRule> rules);

  int slots() const { return static_cast<int>(table_of_slot_.size()); }
  /// Number 0 is the whole size; every count that can be left has a number.
  std::span<const std::int64_t> counts() const { return counts_; }
  /// The number of 1, where a chain ends; -1 if no chain gets there.
  int end() const { return end_; }
  /// What `slot` can do with count number `count`, by rising factors.
  std::span<const Step> steps(int slot, int count) const {
    return tables_[static_cast<std::size_t>(table_of_slot_[static_cast<std::size_t>(slot)])]
                  [static_cast<std::size_t>(count)];
  }

 private:
  std::vector<Step> make_steps(const FactorRule& rule, std::int64_t count);
  void add_step(std::int64_t left, std::int64_t first, std::int64_t last, std::vector<Step>& steps);
  int number_of(std::int64_t count);

  std::vector<std::int64_t> counts_;
  std::unordered_map<std::int64_t, int> numbers_;
  int end_ = -1;
  std::vector<int> table_of_slot_;                      // slots with the same rule share a table
  std::vector<std::vector<std::vector<Step>>> tables_;  // by table and count
};

/// What the loops in space chosen so far leave of all axes together, as one number.
class ArrayStates {
 public:
  explicit ArrayStates(const Rules& rules);

  int size() const { return size_; }
  int start() const { return start_; }
  /// The state after `factor` more on the axis at `place`; -1: no room.
  int next(int state, int place, std::int64_t factor) const;
  /// True if enough children of every fan-out work.
  bool accepts(int state) const { return accepts_[static_cast<std::size_t>(state)]; }

 private:
  // Without a demand only the room left matters: floor(size / product), of which there are few.
  // With one the product itself does.
  struct AxisState {
    std::int64_t size = 1;
    bool exact = false;
    std::vector<std::int64_t> values;
    int stride = 1;
    std::vector<std::int16_t> table;  // by value and factor, the next value; for short axes

    int next(int at, std::int64_t factor) const;
    void fill_table();
  };

  std::vector<AxisState> axes_;
  std::vector<int> axis_of_place_;
  std::vector<bool> accepts_;
  int size_ = 1;
  int start_ = 0;
};

}  // namespace tilewright
