// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/watch.h"

namespace tilewright {

double Watch::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::optional<Ending> Watch::interruption() const {
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
    return Ending::kStopped;
  }
  if (options_.max_seconds > 0 && seconds() >= options_.max_seconds) return Ending::kBudget;
  if (memory_.is_exceeded()) return Ending::kMemory;
  return std::nullopt;
}

void Watch::tell(Progress progress) {
  constexpr double kPause = 0.1;
  if (!options_.progress) return;
  progress.seconds = seconds();
  if (progress.seconds - told_ < kPause) return;
  told_ = progress.seconds;
  options_.progress(progress);
}

}  // namespace tilewright
