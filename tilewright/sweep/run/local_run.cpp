// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/run/local_run.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "tilewright/sweep/run/worker.h"

namespace tilewright {
namespace {

using Clock = std::chrono::steady_clock;

// Answers are stored this often, or when there are this many.
constexpr std::chrono::milliseconds kStoreEvery{500};
constexpr std::size_t kStoreAt = 2'000;
constexpr std::chrono::milliseconds kLookEvery{100};
// Rows that arrive within this time are taken together: every look costs the workers a little.
constexpr std::chrono::milliseconds kGather{10};

// While it lives, writing to a process that is gone is an error and no signal.
class PipeSignalOff {
 public:
  PipeSignalOff() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  PipeSignalOff(const PipeSignalOff&) = delete;
  PipeSignalOff& operator=(const PipeSignalOff&) = delete;
  ~PipeSignalOff() { std::signal(SIGPIPE, before_); }

 private:
  void (*before_)(int);
};

class LocalRun {
 public:
  LocalRun(const SweepPlan& plan, Store& store, const LocalOptions& options)
      : plan_(plan),
        options_(options),
        jobs_(jobs(options)),
        dispatcher_(plan, store, {options.shard, jobs_, 1}) {}

  SweepProgress run() {
    const PipeSignalOff pipe_signal_off;
    Clock::time_point stored = Clock::now();
    Clock::time_point shown = stored;
    while (!dispatcher_.finished() && !stopped()) {
      give_work();
      wait();
      take_rows();
      end_slow_ones();
      const Clock::time_point now = Clock::now();
      if (now - stored >= kStoreEvery || dispatcher_.waiting() >= kStoreAt) {
        dispatcher_.flush();
        stored = now;
      }
      if (options_.progress && now - shown >= kLookEvery) {
        options_.progress(dispatcher_.progress());
        shown = now;
      }
    }
    dispatcher_.flush();
    if (options_.progress) options_.progress(dispatcher_.progress());
    return dispatcher_.progress();
  }

 private:
  static std::size_t jobs(const LocalOptions& options) {
    return static_cast<std::size_t>(
        options.jobs > 0 ? options.jobs
                         : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  }

  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  void give_work() {
    // One chunk is being solved, another one waits for its turn: nobody waits while we store.
    for (std::size_t turn = 0; turn < 2; ++turn) {
      for (std::size_t i = 0; i < jobs_; ++i) {
        if (i < workers_.size() && chunks_left(*workers_[i]) > turn) continue;
        std::vector<std::uint64_t> chunk = dispatcher_.next();
        if (chunk.empty()) return;
        if (i >= workers_.size()) {
          workers_.push_back(std::make_unique<Worker>(plan_, options_.most_memory));
          i = workers_.size() - 1;
        }
        ends_[workers_[i].get()].push_back(chunk.back());
        workers_[i]->give(chunk);
      }
    }
  }

  // How many of its chunks a worker has not ended.
  std::size_t chunks_left(const Worker& worker) {
    return worker.problems().empty() ? 0 : ends_[&worker].size();
  }

  void wait() {
    std::vector<pollfd> files;
    for (const auto& worker : workers_) files.push_back({worker->file(), POLLIN, 0});
    poll(files.data(), files.size(), static_cast<int>(kLookEvery.count()));
    // Nobody runs out of work meanwhile if a whole chunk waits behind the one at hand.
    const bool nobody_waits =
        std::ranges::all_of(workers_, [&](const auto& worker) { return chunks_left(*worker) > 1; });
    if (nobody_waits && !stopped()) std::this_thread::sleep_for(kGather);
  }

  void take_rows() {
    for (std::size_t i = 0; i < workers_.size();) {
      Worker& worker = *workers_[i];
      std::deque<std::uint64_t>& ends = ends_[&worker];
      const bool lives = worker.take_rows([&](std::uint64_t number, Row row) {
        if (!ends.empty() && ends.front() == number) ends.pop_front();
        dispatcher_.answer(number, std::move(row));
      });
      if (lives) {
        ++i;
        continue;
      }
      bury(i, worker.end());
    }
  }

  // The worker is gone; what it was working at is to blame, the rest is not.
  void bury(std::size_t index, const std::string& reason) {
    const std::deque<std::uint64_t>& left = workers_[index]->problems();
    if (!left.empty()) {
      dispatcher_.give_back({left.begin() + 1, left.end()});
      dispatcher_.crashed(left.front(), reason);
    }
    ends_.erase(workers_[index].get());
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  void end_slow_ones() {
    if (options_.most_seconds <= 0) return;
    for (const auto& worker : workers_) {
      if (worker->seconds_at_problem() > options_.most_seconds) worker->kill();
    }
  }

  const SweepPlan& plan_;
  const LocalOptions& options_;
  std::size_t jobs_;
  Dispatcher dispatcher_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::map<const Worker*, std::deque<std::uint64_t>> ends_;  // the last problem of each chunk
};

}  // namespace

SweepProgress run_local(const SweepPlan& plan, Store& store, const LocalOptions& options) {
  return LocalRun(plan, store, options).run();
}

}  // namespace tilewright
