// SPDX-License-Identifier: Apache-2.0
#include "tilewright/evaluation/widths.h"

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

MovedBits bits_of(const ResolvedMemory& memory, TensorId tensor, const TensorCounts& counts,
                  std::int64_t reads, std::int64_t writes) {
  const std::int64_t bits = element_bits(memory, tensor, counts);
  const std::int64_t spared =
      checked_mul(counts.finished_updates, bits - memory.bits[tensor.pos()]);
  return {checked_mul(reads, bits), checked_mul(writes, bits) - spared};
}

}  // namespace

std::int64_t element_bits(const ResolvedMemory& memory, TensorId tensor,
                          const TensorCounts& counts) {
  return (counts.unfinished ? memory.partial_bits : memory.bits)[tensor.pos()];
}

MovedBits moved_bits(const ResolvedMemory& memory, TensorId tensor, const TensorCounts& counts) {
  return bits_of(memory, tensor, counts, counts.reads, checked_add(counts.fills, counts.updates));
}

// Only a memory of which there is one instance finishes elements.
MovedBits peak_bits(const ResolvedMemory& memory, TensorId tensor, const TensorCounts& counts) {
  return bits_of(memory, tensor, counts, counts.peak_reads, counts.peak_writes);
}

}  // namespace tilewright
