// SPDX-License-Identifier: Apache-2.0
// A time limit for work that knows only a flag.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace tilewright {

/// Its flag becomes true after some seconds, or soon after another flag, which may be null, does.
class TimedStop {
 public:
  TimedStop(double seconds, const std::atomic<bool>* other)
      : thread_([this, seconds, other](const std::stop_token& ended) {
          wait(std::chrono::duration<double>(seconds), other, ended);
        }) {}

  const std::atomic<bool>* flag() const { return &flag_; }

 private:
  static constexpr std::chrono::milliseconds kStep{10};

  void wait(std::chrono::duration<double> limit, const std::atomic<bool>* other,
            const std::stop_token& ended) {
    const auto start = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    while (!ended.stop_requested()) {
      const std::chrono::duration<double> left = limit - (std::chrono::steady_clock::now() - start);
      if (left.count() <= 0 || (other != nullptr && other->load())) {
        flag_.store(true);
        return;
      }
      const std::chrono::duration<double> step = kStep;
      changed_.wait_for(lock, ended, left < step ? left : step, [] { return false; });
    }
  }

  std::atomic<bool> flag_ = false;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace tilewright
