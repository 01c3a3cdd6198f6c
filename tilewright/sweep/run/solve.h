// SPDX-License-Identifier: Apache-2.0
// From the problems of a sweep to rows of a store.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tilewright/mapping/problem.h"
#include "tilewright/store/row.h"
#include "tilewright/sweep/plan/plan.h"

namespace tilewright {

/// A row that says that a problem could not be solved, and why.
Row failed_row(const Digest& key, std::string reason);

/// The answer to one problem. Never throws: what goes wrong is a failed row.
Row solve(const Problem& problem, const MapRequest& request, const Digest& key);

/// How a workload is searched under a request: with the constraints of the sweep.
MapRequest request_of(const SweepWorkload& workload, const SweepRequest& request);

/// Solves problems one after the other, in their order; each design is made once.
class SweepSolver {
 public:
  /// The plan must outlive it.
  explicit SweepSolver(const SweepPlan& plan) : plan_(plan), designs_(plan) {}

  Row solve(std::uint64_t number);

 private:
  const SweepPlan& plan_;
  DesignCursor designs_;
};

}  // namespace tilewright
