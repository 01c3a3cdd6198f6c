// SPDX-License-Identifier: Apache-2.0
// A pipeline: items are made one after the other, worked on by many threads, and taken in the order
// in which they were made.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "tilewright/threads/thread_pool.h"

namespace tilewright {

/// How many items may be under way for each thread. With one, threads would wait for the slowest.
inline constexpr int kUnderWayPerThread = 4;

/// Until `make` returns nothing: std::optional<Item> make(), void work(int worker, Item&) and
/// void take(Item). `take` gets every item that was made, in the order of making, as if by one
/// thread. No two calls of `make` and `take` run at the same time; `work` runs beside anything.
/// An exception ends the pipeline and arrives at the caller.
template <typename Item, typename Make, typename Work, typename Take>
class InOrder {
 public:
  InOrder(ThreadPool& pool, Make make, Work work, Take take)
      : pool_(pool), make_(std::move(make)), work_(std::move(work)), take_(std::move(take)) {}

  void run() {
    pool_.for_each(static_cast<std::size_t>(pool_.size()),
                   [&](int worker, std::size_t) { go(worker); });
  }

 private:
  // One thread. The lock is held but while it works.
  void go(int worker) {
    std::unique_lock lock(mutex_);
    try {
      while (std::optional<Item> item = next(lock)) {
        const std::uint64_t number = made_++;
        lock.unlock();
        work_(worker, *item);
        lock.lock();
        if (ended_early_) return;
        ready_.emplace(number, *std::move(item));
        take_ready();
      }
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      ended_early_ = true;
      changed_.notify_all();
      throw;
    }
  }

  // Waits while too many are under way: each of them is with a thread that runs.
  std::optional<Item> next(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t most =
        static_cast<std::uint64_t>(kUnderWayPerThread) * static_cast<std::uint64_t>(pool_.size());
    changed_.wait(lock, [&] { return is_last_made_ || ended_early_ || made_ - taken_ < most; });
    if (is_last_made_ || ended_early_) return std::nullopt;
    std::optional<Item> item = make_();
    if (!item) is_last_made_ = true;
    return item;
  }

  void take_ready() {
    for (auto first = ready_.begin(); first != ready_.end() && first->first == taken_;
         first = ready_.begin()) {
      Item item = std::move(first->second);
      ready_.erase(first);
      ++taken_;
      take_(std::move(item));
    }
    changed_.notify_all();
  }

  ThreadPool& pool_;
  Make make_;
  Work work_;
  Take take_;
  std::mutex mutex_;  // guards all that follows
  std::condition_variable changed_;
  std::map<std::uint64_t, Item> ready_;  // worked on, but one before it is not
  std::uint64_t made_ = 0;
  std::uint64_t taken_ = 0;
  bool is_last_made_ = false;
  bool ended_early_ = false;  // by an exception
};

template <typename Item, typename Make, typename Work, typename Take>
void run_in_order(ThreadPool& pool, Make make, Work work, Take take) {
  InOrder<Item, Make, Work, Take>(pool, std::move(make), std::move(work), std::move(take)).run();
}

}  // namespace tilewright
