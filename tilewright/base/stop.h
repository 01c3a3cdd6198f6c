// SPDX-License-Identifier: Apache-2.0
// How a long computation without a partial result learns that nobody waits for it any more.
#pragma once

#include <atomic>
#include <stdexcept>

namespace tilewright {

/// The user wants it to end; there is no result.
class StoppedError : public std::runtime_error {
 public:
  StoppedError() : std::runtime_error("stopped by the user") {}
};

/// Throws StoppedError once `stop`, which may be null, is true. Cheap: for loops.
inline void check_stop(const std::atomic<bool>* stop) {
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw StoppedError();
}

}  // namespace tilewright
