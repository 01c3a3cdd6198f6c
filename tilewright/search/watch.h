// SPDX-License-Identifier: Apache-2.0
// What ends a search before it is done, and when the user hears of it.
#pragma once

#include <chrono>
#include <optional>

#include "tilewright/search/memory_limit.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// Starts when it is made. `options` must outlive it. seconds() and interruption() may be called by
/// several threads at a time, tell() by one.
class Watch {
 public:
  explicit Watch(const SearchOptions& options) : options_(options), memory_(options.max_memory) {}

  double seconds() const;
  /// Why to stop now, if there is a reason: the user's wish, or the end of the time
  /// or the memory allowed.
  std::optional<Ending> interruption() const;
  /// Hands `progress` on, with the time, unless it did so a moment ago.
  void tell(Progress progress);

 private:
  using Clock = std::chrono::steady_clock;

  const SearchOptions& options_;
  MemoryLimit memory_;
  Clock::time_point start_ = Clock::now();
  double told_ = 0;  // when, in seconds
};

}  // namespace tilewright
