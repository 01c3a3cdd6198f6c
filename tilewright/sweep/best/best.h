// SPDX-License-Identifier: Apache-2.0
// The best design, or the front, without solving every design: branch and bound over designs
// (docs/sweeps.md "Only the best designs").
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tilewright/store/store.h"
#include "tilewright/sweep/plan/plan.h"
#include "tilewright/sweep/table.h"

namespace tilewright {

struct BestProgress {
  std::uint64_t designs = 0;
  std::uint64_t solved = 0;     ///< of these
  std::uint64_t ruled_out = 0;  ///< of these: by a bound, unsolved
  std::uint64_t relaxed = 0;    ///< designs that are not of the plan, solved for a bound
  std::uint64_t problems = 0;   ///< solved in this run
};

struct BestOptions {
  std::size_t request = 0;
  std::vector<Figure> figures;  ///< less is better in each; one: the best design
  int threads = 0;              ///< 0: one for each processor; what is solved does not depend on it
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const BestProgress&)> progress;
};

/// Why a design was not solved.
struct Ruling {
  std::uint64_t design = 0;
  std::vector<double> bounds;  ///< by figure: it has none less; empty: a layer has no mapping
  /// A design that is not worse in any figure, and better in one or the first of equal ones.
  std::optional<std::uint64_t> by;
};

struct BestDesigns {
  std::size_t request = 0;
  std::vector<Figure> figures;
  std::vector<DesignCost> solved;  ///< in the order of the plan
  std::vector<std::size_t> front;  ///< in `solved`, as find_front has it
  std::vector<Ruling> ruled_out;   ///< in the order of the plan
  bool complete = true;            ///< false: stopped before all designs were solved or ruled out
  BestProgress counts;

  /// Of the solved designs, those that may be better than their figures say: searches ended early.
  std::int64_t not_proved() const;
};

/// Throws InputError if the request's objective does not bound one of the figures other than the
/// area, constraints demand a utilization, which a larger array need not reach, or there are more
/// than 200,000 designs. Throws StoreError.
BestDesigns find_best(const SweepPlan& plan, Store& store, const BestOptions& options);

}  // namespace tilewright
