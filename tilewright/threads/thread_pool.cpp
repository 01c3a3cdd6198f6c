// SPDX-License-Identifier: Apache-2.0
// What both implementations have in common.
#include "tilewright/threads/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <thread>

#include "tilewright/base/error.h"
#include "tilewright/threads/thread_team.h"

namespace tilewright {

int usable_processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    return std::max(1, CPU_COUNT(&allowed));
  }
  // More processors than the set has room for.
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads) : size_(threads > 0 ? threads : usable_processors()) {
  TW_CHECK(threads >= 0, "there is no negative number of threads");
}

ThreadPool::~ThreadPool() = default;

void ThreadPool::for_each(std::size_t count, const Body& body) {
  if (size_ > 1 && count > 1) {
    if (!team_) team_ = internal::make_thread_team(size_);
    team_->for_each(count, body);
  } else {
    for (std::size_t index = 0; index < count; ++index) body(0, index);
  }
}

}  // namespace tilewright
