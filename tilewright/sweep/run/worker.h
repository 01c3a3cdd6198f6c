// SPDX-License-Identifier: Apache-2.0
// A process that solves problems for the one that made it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/store/row.h"
#include "tilewright/sweep/plan/plan.h"

namespace tilewright {

/// An end of a pipe.
class PipeEnd {
 public:
  explicit PipeEnd(int number = -1) : number_(number) {}
  PipeEnd(PipeEnd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  PipeEnd& operator=(PipeEnd&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~PipeEnd();

  int number() const { return number_; }

 private:
  int number_;
};

/// A worker as the process sees it that made it. It ends with either of the two.
class Worker {
 public:
  /// `most_memory`: bytes that it may take; 0: any. Throws std::system_error if no process can be
  /// made.
  Worker(const SweepPlan& plan, std::uint64_t most_memory);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Can be read once rows have arrived or the process is gone.
  int file() const { return rows_.number(); }
  /// Given and not answered; it works at the first one.
  const std::deque<std::uint64_t>& problems() const { return problems_; }
  /// For how long it has been working at that one.
  double seconds_at_problem() const;

  void give(const std::vector<std::uint64_t>& numbers);
  /// Hands every row that has arrived to `take`, with the number of its problem. False if the
  /// process is gone.
  bool take_rows(const std::function<void(std::uint64_t number, Row row)>& take);

  void kill() const;
  /// Waits for its end; says how it ended.
  std::string end();

 private:
  using Clock = std::chrono::steady_clock;

  pid_t process_ = 0;
  PipeEnd tasks_;
  PipeEnd rows_;
  std::deque<std::uint64_t> problems_;
  Clock::time_point begun_;
  std::vector<char> buffer_;  // for one read
  std::string arrived_;
};

}  // namespace tilewright
