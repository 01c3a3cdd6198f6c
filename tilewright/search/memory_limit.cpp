// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/memory_limit.h"

#include <limits>

#include "tilewright/base/memory_use.h"

namespace tilewright {
namespace {

using std::chrono::milliseconds;

// A limit that somebody asked for is to be kept closely; short searches do not pay for the other.
constexpr milliseconds kShortPause{5};
constexpr milliseconds kLongPause{50};

std::uint64_t default_limit() {
  const auto all = memory_of_machine();
  return all ? *all / 4 * 3 : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

MemoryLimit::MemoryLimit(std::uint64_t bytes)
    : pause_(bytes > 0 ? kShortPause : kLongPause),
      bytes_(bytes),
      next_look_(Clock::now() + pause_) {}

bool MemoryLimit::is_exceeded() const {
  const Clock::time_point now = Clock::now();
  Clock::time_point next = next_look_.load(std::memory_order_relaxed);
  if (now < next) return false;
  if (!next_look_.compare_exchange_strong(next, now + pause_, std::memory_order_relaxed)) {
    return false;  // another thread looks
  }
  if (bytes_ == 0) bytes_ = default_limit();
  if (!is_above()) return false;
  release_freed_memory();  // what an earlier search left behind does not count
  return is_above();
}

bool MemoryLimit::is_above() const {
  const auto used = memory_in_use();
  return used && *used > bytes_;
}

}  // namespace tilewright
