// SPDX-License-Identifier: Apache-2.0
// Where the optimal search starts: every choice of what is kept and of all loops in space, with a
// first lower bound, the most promising first. There may be far more than fit in memory: they come
// in waves.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tilewright/search/optimal/roots/root_lister.h"
#include "tilewright/search/optimal/shared/answers.h"
#include "tilewright/search/optimal/shared/optimal_context.h"
#include "tilewright/threads/thread_pool.h"

namespace tilewright {

class RootList {
 public:
  /// What is named must outlive it. The threads of `pool` list. Throws StoppedError if `context`
  /// says so.
  RootList(const OptimalContext& context, const Answers& answers, ThreadPool& pool);

  /// The next ones in order, without those that cannot be among the answers; empty if there are no
  /// more, or none whose bound is `enough` or less, or `stop`, which any thread asks now and then,
  /// says so.
  std::vector<Root> next(double enough, const std::function<bool()>& stop);
  /// No root that has not been listed yet has a lower bound than this; infinite if all have been.
  double bound() const { return bound_; }

  const Keeps& keeps(const Root& root) const { return common_.keeps[root.keeps]; }
  Tiling spatial(const Root& root) const;

 private:
  // Adds what the listers find; whether they find more than the wave may have.
  bool list(RootWave& wave, std::vector<Root>& roots);

  RootContext common_;
  ThreadPool& pool_;
  std::vector<RootLister> listers_;
  double first_bound_ = 0;
  double bound_ = 0;
  double excess_ = 0;         // limit of the next wave, as a share of the first bound
  std::size_t most_roots_;    // of the next wave
  std::optional<Root> last_;  // of the wave before
  std::int64_t listed_ = 0;
};

}  // namespace tilewright
