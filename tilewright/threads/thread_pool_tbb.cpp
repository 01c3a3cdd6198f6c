// SPDX-License-Identifier: Apache-2.0
// ThreadPool on oneTBB.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <optional>

#include "tilewright/threads/thread_team.h"

namespace tilewright::internal {
namespace {

class TbbTeam final : public ThreadTeam {
 public:
  explicit TbbTeam(int size) : arena_(size) {
    // By itself oneTBB has no more threads than there are processors.
    if (size > usable_processors()) {
      allow_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(size));
    }
  }

  void for_each(std::size_t count, const ThreadPool::Body& body) override {
    const auto call = [&](std::size_t index) {
      body(tbb::this_task_arena::current_thread_index(), index);
    };
    arena_.execute(
        [&] { tbb::parallel_for(std::size_t{0}, count, call, tbb::simple_partitioner()); });
  }

 private:
  tbb::task_arena arena_;
  std::optional<tbb::global_control> allow_;
};

}  // namespace

std::unique_ptr<ThreadTeam> make_thread_team(int size) { return std::make_unique<TbbTeam>(size); }

}  // namespace tilewright::internal
