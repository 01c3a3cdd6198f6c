// SPDX-License-Identifier: Apache-2.0
// Whether tiles fit a memory, asked with extents instead of a nest.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {

/// a * b, or the largest number where it does not fit; for a, b >= 0. For comparing with limits.
inline std::int64_t capped_mul(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  const bool overflow = __builtin_mul_overflow(a, b, &result);
  return overflow ? std::numeric_limits<std::int64_t>::max() : result;
}

/// What the memories of a problem can hold. A memory without required tensors need not keep any;
/// if it has loops it keeps one, the one that fits. To keep less never hurts. Memories are named by
/// their position in Rules::keeps, extents are by DimId. Fitting is monotone: what fits still fits
/// with smaller extents. `problem` and `rules` must outlive it.
class TileLimits {
 public:
  /// `output_bits`: the width of the output's elements, by position in Rules::keeps.
  TileLimits(const Problem& problem, const Rules& rules, std::vector<std::int64_t> output_bits);

  const KeepRule& keep(int memory) const { return rules_.keeps[static_cast<std::size_t>(memory)]; }
  /// True if nothing requires it to keep a tensor.
  bool optional(int memory) const { return keep(memory).required == 0; }
  /// The required tensors; if there is none, those of which it may keep one.
  TensorSet candidates(int memory) const {
    return optional(memory) ? keep(memory).allowed : keep(memory).required;
  }
  /// False if anything fits.
  bool limited(int memory) const;
  /// True if the extent of `dim` has a part in what it may have to hold.
  bool concerns(int memory, DimId dim) const;
  /// True if the required tensors fit together; if there is none, any one that is allowed.
  bool fits(int memory, std::span<const std::int64_t> extents) const;
  /// What `memory` keeps if it has loops: the required tensors, else one that fits; `fits` holds.
  TensorSet choose(int memory, std::span<const std::int64_t> extents) const;

  const std::vector<RankForm>& ranks(std::size_t tensor) const { return ranks_[tensor]; }
  /// Elements of a tile along one rank.
  static std::int64_t elements(const RankForm& rank, std::span<const std::int64_t> extents);

 private:
  bool holds(int memory, TensorSet tensors, std::span<const std::int64_t> extents) const;
  bool unlimited(int memory, std::size_t tensor) const;

  const Problem& problem_;
  const Rules& rules_;
  std::vector<std::int64_t> output_bits_;     // by memory
  std::vector<std::vector<RankForm>> ranks_;  // by TensorId
};

}  // namespace tilewright
