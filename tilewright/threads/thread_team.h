// SPDX-License-Identifier: Apache-2.0
// What an implementation of ThreadPool writes.
#pragma once

#include <cstddef>
#include <memory>

#include "tilewright/threads/thread_pool.h"

namespace tilewright::internal {

/// The threads behind a pool of at least two.
class ThreadTeam {
 public:
  ThreadTeam() = default;
  virtual ~ThreadTeam() = default;
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// As ThreadPool::for_each().
  virtual void for_each(std::size_t count, const ThreadPool::Body& body) = 0;
};

std::unique_ptr<ThreadTeam> make_thread_team(int size);

}  // namespace tilewright::internal
