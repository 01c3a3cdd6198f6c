// SPDX-License-Identifier: Apache-2.0
// How many bits counted elements are: an output that is still being summed may be wider
// (docs/model.md section 6).
#pragma once

#include <cstdint>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// The width of an element of `tensor` in a memory with these counts; updates that finish an
/// element excepted.
std::int64_t element_bits(const ResolvedMemory& memory, TensorId tensor,
                          const TensorCounts& counts);

struct MovedBits {
  std::int64_t read = 0;
  std::int64_t written = 0;  ///< fills and updates
};

/// Of all instances together. Throws OverflowError.
MovedBits moved_bits(const ResolvedMemory& memory, TensorId tensor, const TensorCounts& counts);

/// Of the first instance, the one that bandwidth limits. Throws OverflowError.
MovedBits peak_bits(const ResolvedMemory& memory, TensorId tensor, const TensorCounts& counts);

}  // namespace tilewright
