// SPDX-License-Identifier: Apache-2.0
// CPU time, by which searches are compared on machines that do other work as well.
#pragma once

#include <chrono>
#include <ctime>
#include <stop_token>
#include <thread>

namespace tilewright {

/// Of this process so far, all threads.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Calls `look(seconds)` every few milliseconds with the CPU time since it was made, from a thread
/// of its own, as long as it lives.
template <typename Look>
std::jthread watch_cpu_time(Look look) {
  return std::jthread([look, start = cpu_seconds()](const std::stop_token& ended) {
    while (!ended.stop_requested()) {
      look(cpu_seconds() - start);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
}

}  // namespace tilewright
