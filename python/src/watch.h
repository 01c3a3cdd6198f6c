// SPDX-License-Identifier: Apache-2.0
// Long work from Python: without the GIL, ended by Ctrl-C, and reporting progress.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "interrupts.h"

namespace tilewright::python {

namespace nb = nanobind;

/// What long work says about itself, handed to the thread that shows it.
template <typename Progress>
class Latest {
 public:
  void set(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    latest_ = progress;
  }

  /// A Python callable without arguments that hands the latest to `show`; none if `show` is.
  nb::object ticker(const nb::object& show) {
    if (show.is_none()) return nb::none();
    return nb::cpp_function([this, show] {
      if (const auto now = get()) show(*now);
    });
  }

 private:
  std::optional<Progress> get() {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

  std::mutex mutex_;
  std::optional<Progress> latest_;
};

/// What the caller of long work learned while it ran.
class Watch {
 public:
  /// `tick`: a Python callable without arguments, called now and then; or none.
  explicit Watch(nb::object tick) : tick_(std::move(tick)) {}

  /// For the `stop` of a request.
  const std::atomic<bool>* stop() const { return &stop_; }
  /// True once Ctrl-C was pressed.
  bool interrupted() const { return interrupted_; }

  /// What `work` returns or throws. The first Ctrl-C asks it to stop, and it returns what it has;
  /// the second one, and what else a signal handler or `tick` raises, is raised once it has ended.
  /// The work is done without the GIL: on the calling thread where that thread is not needed
  /// meanwhile, because a thread of its own begins with cold caches and new memory.
  template <typename Work>
  auto run(Work work) {
    if (tick_.is_none() && only_interrupts_are_handled()) return run_here(std::move(work));
    return run_beside(std::move(work));
  }

 private:
  static constexpr std::chrono::milliseconds kStep{20};

  template <typename Work>
  auto run_here(Work work) {
    int presses = 0;
    auto result = [&] {
      const nb::gil_scoped_release release;
      const InterruptFlag flag(stop_);
      auto done = work();
      presses = flag.presses();
      return done;
    }();
    for (int press = 0; press < std::min(presses, 2); ++press) {
      // Python counts several presses as one.
      if (press > 0) PyErr_SetInterrupt();
      look();
    }
    raise();
    return result;
  }

  template <typename Work>
  auto run_beside(Work work) {
    using Result = decltype(work());
    std::packaged_task<Result()> task(std::move(work));
    std::future<Result> result = task.get_future();
    std::thread thread(std::move(task));
    {
      const nb::gil_scoped_release release;
      while (result.wait_for(kStep) != std::future_status::ready) {
        const nb::gil_scoped_acquire acquire;
        look();
      }
      thread.join();
    }
    raise();
    return result.get();
  }

  void raise() {
    if (!error_) return;
    nb::python_error error = std::move(*error_);
    error_.reset();
    throw error;
  }

  // Called with the GIL; remembers what is raised.
  void look() {
    if (error_) return;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!tick_.is_none()) tick_();
    } catch (nb::python_error& error) {
      stop_.store(true);
      const bool first_interrupt = !interrupted_ && error.matches(PyExc_KeyboardInterrupt);
      if (error.matches(PyExc_KeyboardInterrupt)) interrupted_ = true;
      if (!first_interrupt) error_.emplace(std::move(error));
    }
  }

  nb::object tick_;
  std::atomic<bool> stop_ = false;
  bool interrupted_ = false;
  std::optional<nb::python_error> error_;
};

}  // namespace tilewright::python
