// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while the main thread is busy outside Python.
#pragma once

#include <atomic>
#include <csignal>
#include <optional>

namespace tilewright::python {

/// True if nobody would miss Python's own handling of signals while the calling thread is busy:
/// it is not the main thread, on which Python handles them, or Python handles Ctrl-C alone and in
/// its usual way. Called with the GIL.
bool only_interrupts_are_handled();

/// While it lives, Ctrl-C sets a flag at once, besides what Python does about it later. Only one
/// may live at a time, on the main thread; on any other thread it does nothing.
class InterruptFlag {
 public:
  explicit InterruptFlag(std::atomic<bool>& flag);
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  ~InterruptFlag();

  /// How often Ctrl-C was pressed so far.
  int presses() const;

 private:
  std::optional<struct sigaction> before_;
};

}  // namespace tilewright::python
