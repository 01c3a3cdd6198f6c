// SPDX-License-Identifier: Apache-2.0
// What the threads of a search know of each other.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "tilewright/search/search.h"
#include "tilewright/search/watch.h"

namespace tilewright {

/// Adds up what threads report, tells the user, and says when to end. Shared by all threads.
class Board {
 public:
  /// What one thread has reported so far.
  struct Reported {
    std::uint64_t seen = 0;
    std::uint64_t valid = 0;
  };

  /// `options` must outlive it.
  explicit Board(const SearchOptions& options) : watch_(options) {}

  /// Adds what a thread has seen since its last report, and its best score. False if the search is
  /// to end.
  bool report(const SearchResult& tally, std::optional<double> best, Reported& reported) {
    const std::lock_guard lock(mutex_);
    progress_.seen += tally.seen - reported.seen;
    progress_.valid += tally.valid - reported.valid;
    reported = {tally.seen, tally.valid};
    if (best && (!progress_.best || *best < *progress_.best)) progress_.best = best;
    watch_.tell(progress_);
    if (!interruption_) interruption_ = watch_.interruption();
    return !interruption_;
  }

  /// Why it ended early, if it did; once all threads are done.
  std::optional<Ending> interruption() const { return interruption_; }

 private:
  std::mutex mutex_;
  Watch watch_;
  Progress progress_;
  std::optional<Ending> interruption_;
};

/// Adds up mappings seen by different threads.
inline void add_counts(const SearchResult& part, SearchResult& total) {
  total.seen += part.seen;
  total.valid += part.valid;
  total.too_large += part.too_large;
  total.over_cap += part.over_cap;
}

}  // namespace tilewright
