// SPDX-License-Identifier: Apache-2.0
// When a search has to end because the process occupies too much memory.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tilewright {

/// Several threads may ask it.
class MemoryLimit {
 public:
  /// In bytes; 0: three quarters of what the machine has.
  explicit MemoryLimit(std::uint64_t bytes);

  /// Whether the process is above the limit. Cheap: it looks now and then, the first time after a
  /// few milliseconds, and says no in between. Where the system does not tell what the process
  /// occupies, always no.
  bool is_exceeded() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool is_above() const;

  const std::chrono::milliseconds pause_;     // between two looks
  mutable std::atomic<std::uint64_t> bytes_;  // 0: not known yet
  mutable std::atomic<Clock::time_point> next_look_;
};

}  // namespace tilewright
