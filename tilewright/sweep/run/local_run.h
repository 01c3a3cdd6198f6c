// SPDX-License-Identifier: Apache-2.0
// A sweep on the processors of this machine: worker processes solve, this process stores. A problem
// that crashes, hangs or takes too much memory ends its worker, not the sweep.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "tilewright/store/store.h"
#include "tilewright/sweep/plan/plan.h"
#include "tilewright/sweep/run/dispatcher.h"

namespace tilewright {

struct LocalOptions {
  Shard shard;
  int jobs = 0;                   ///< worker processes; 0: as many as the machine allows
  std::uint64_t most_memory = 0;  ///< bytes for each worker; 0: no limit
  double most_seconds = 0;        ///< for one problem, then its worker is ended; 0: no limit
  /// Set from outside to end early; may be null.
  const std::atomic<bool>* stop = nullptr;
  /// Called a few times a second; may be empty.
  std::function<void(const SweepProgress&)> progress;
};

/// Solves what is left of the plan. Must be called while this process has no other threads.
/// Throws StoreError, InputError if a design cannot be built, and std::system_error if no
/// process can be started.
SweepProgress run_local(const SweepPlan& plan, Store& store, const LocalOptions& options);

}  // namespace tilewright
