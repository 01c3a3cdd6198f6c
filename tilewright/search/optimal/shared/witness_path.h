// SPDX-License-Identifier: Apache-2.0
// Where in the tree of the optimal search a witness is: which roots, boundaries and orders hold it.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/mapspace/choices/choices.h"
#include "tilewright/search/optimal/shared/problem_tables.h"
#include "tilewright/search/optimal/shared/spatial_choices.h"
#include "tilewright/search/optimal/shared/witness.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// What is named must outlive it. May be used by several threads at a time.
class WitnessPath {
 public:
  /// Loop orders are replaced by the representatives of their classes, which cost the same.
  WitnessPath(const Witness& witness, const ProblemTables& tables, const SearchOptions& options);

  bool alone() const { return witness_.alone; }
  const Choices& choices() const { return choices_; }
  const LowerBounds& cost() const { return cost_; }

  /// Whether the part holds it, on the same axes or on others that count as the same.
  bool is_in(const SpatialChoices::Part& part) const;
  /// Counts outside the block of a memory (or of the compute units, behind the last one) ...
  const Counts& outside(std::size_t memory) const { return outside_[memory]; }
  /// ... and right inside the block.
  const Counts& inside(std::size_t memory) const { return inside_[memory]; }
  /// Position in ProblemTables::labels of the innermost loop of a block; -1: it has none.
  int label(std::size_t memory) const { return labels_[memory]; }

  /// `bounds` are of a set that holds it: throws WitnessLost if they are above what it costs.
  void check(std::string_view prune, const LowerBounds& bounds) const;
  /// A set that holds it was dropped; scores from `limit` on are of no interest. Throws WitnessLost
  /// unless something as good is known.
  void check_drop(std::string_view prune, double limit) const;
  [[noreturn]] void lose(std::string_view prune, const std::string& why) const;

  /// The search has come down to it.
  void reach() const { is_reached_ = true; }
  bool is_reached() const { return is_reached_; }

 private:
  void set_orders();
  void set_counts();

  const Witness& witness_;
  const ProblemTables& tables_;
  Choices choices_;
  LowerBounds cost_;
  std::vector<std::vector<std::size_t>> axes_;  // places by fan-out
  std::vector<Counts> outside_;                 // by memory, then compute units
  std::vector<Counts> inside_;                  // by memory
  std::vector<int> labels_;                     // by memory
  mutable std::mutex mutex_;
  mutable std::atomic<bool> is_reached_ = false;
};

}  // namespace tilewright
