// SPDX-License-Identifier: Apache-2.0
// How many threads a search gets.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include "tilewright/base/error.h"

namespace tilewright {

/// Calls `work`, whose parallel parts then use `threads` threads; 0: one per processor that this
/// process may run on.
template <typename Work>
void run_on(int threads, const Work& work) {
  TW_CHECK(threads >= 0, "there is no negative number of threads");
  const int count = threads > 0 ? threads : tbb::info::default_concurrency();
  // The arena alone never gets more threads than there are processors.
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(count));
  tbb::task_arena(count).execute(work);
}

}  // namespace tilewright
