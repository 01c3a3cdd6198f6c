// SPDX-License-Identifier: Apache-2.0
// ThreadPool on std::thread: every step of it is visible to the thread sanitizer.
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "tilewright/threads/thread_team.h"

namespace tilewright::internal {
namespace {

// Helpers wait for a round of work; the caller of for_each() is worker 0.
class StdTeam final : public ThreadTeam {
 public:
  explicit StdTeam(int size) {
    for (int worker = 1; worker < size; ++worker) {
      helpers_.emplace_back([this, worker] { help(worker); });
    }
  }

  ~StdTeam() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    begun_.notify_all();
  }  // and the helpers are joined

  void for_each(std::size_t count, const ThreadPool::Body& body) override {
    {
      const std::lock_guard lock(mutex_);
      body_ = &body;
      count_ = count;
      next_ = 0;
      ++round_;
    }
    begun_.notify_all();
    work(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
    body_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void help(int worker) {
    std::uint64_t seen = 0;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        begun_.wait(lock, [&] { return ending_ || round_ != seen; });
        if (ending_) return;
        seen = round_;
      }
      work(worker);
    }
  }

  // Takes indices until there are none; a helper may come when the round is over.
  void work(int worker) {
    std::unique_lock lock(mutex_);
    while (body_ != nullptr && next_ < count_) {
      const ThreadPool::Body& body = *body_;
      const std::size_t index = next_++;
      ++busy_;
      lock.unlock();
      std::exception_ptr failure;
      try {
        body(worker, index);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      --busy_;
      if (failure) {
        next_ = count_;  // leaves out what has not begun
        if (!failure_) failure_ = std::move(failure);
      }
    }
    if (busy_ == 0) done_.notify_one();
  }

  std::mutex mutex_;  // guards all that follows but helpers_
  std::condition_variable begun_;
  std::condition_variable done_;
  const ThreadPool::Body* body_ = nullptr;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  int busy_ = 0;             // bodies that run
  std::uint64_t round_ = 0;  // of for_each()
  bool ending_ = false;
  std::exception_ptr failure_;
  std::vector<std::jthread> helpers_;
};

}  // namespace

std::unique_ptr<ThreadTeam> make_thread_team(int size) { return std::make_unique<StdTeam>(size); }

}  // namespace tilewright::internal
