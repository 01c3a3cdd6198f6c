// SPDX-License-Identifier: Apache-2.0
// Threads for searches. This is all that the rest of the program knows of them: who runs them
// (oneTBB, or plain std::thread) is chosen at configure time by TILEWRIGHT_THREADS, and
// docs/decisions/0014-thread-pool.md says why there are two.
//
// What every implementation guarantees:
// - for_each() calls the body once for each index and returns when all calls have returned. What
//   the bodies wrote is then visible to the caller, and what the caller wrote before, to them.
// - The caller's thread takes part, so a pool of one thread is a plain loop in order.
// - Workers are numbered from 0 to size() - 1, and no two calls with the same worker number run at
//   the same time: what belongs to a worker needs no lock (see PerWorker).
// - Calls may run in any order and at the same time, but need not: a body must not wait for another
//   to begin. It may wait for something that a running body is going to do.
// - An exception of a body arrives at the caller of for_each(), one of them if there are several,
//   after all running bodies have returned. Indices that had not begun may then be left out.
// - Pools are independent: a body may make and use another pool.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace tilewright {

namespace internal {
class ThreadTeam;
}

/// How many processors this process may run on; at least 1.
int usable_processors();

class ThreadPool {
 public:
  using Body = std::function<void(int worker, std::size_t index)>;

  /// `threads` of them, the caller's included; 0: one per usable processor.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return size_; }

  /// body(worker, index) for each index below `count`. Must not be called by one of its own bodies,
  /// nor by two threads at the same time.
  void for_each(std::size_t count, const Body& body);

 private:
  int size_;
  std::unique_ptr<internal::ThreadTeam> team_;  // made when there is work to share
};

}  // namespace tilewright
