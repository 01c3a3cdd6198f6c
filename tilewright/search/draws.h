// SPDX-License-Identifier: Apache-2.0
// The stream of draws of random search, cut into batches that can be made in any order.
#pragma once

#include <cstdint>

#include "tilewright/base/random.h"

namespace tilewright {

/// Draws in a batch: enough work to hand to a thread, and soon done.
constexpr std::uint64_t kBatchSize = 1024;

/// What all draws of batch number `batch` come from.
inline Random batch_random(std::uint64_t seed, std::uint64_t batch) {
  return Random(Random(seed ^ (batch * 0x9e3779b97f4a7c15ULL)).next());
}

}  // namespace tilewright
