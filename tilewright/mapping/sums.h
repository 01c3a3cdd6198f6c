// SPDX-License-Identifier: Apache-2.0
// Where a nest leaves sums of the output unfinished, and how wide elements are there (docs/model.md
// section 6).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// Goes through a nest from its innermost node outwards and tells at every keep node of the output
/// whether the sums that arrive there are finished. May be copied; keeps nothing of `problem`.
class SumProgress {
 public:
  explicit SumProgress(const Problem& problem);

  /// On to this node; loops of factor 1 are welcome.
  void pass(const NestNode& node);
  /// After the keep node of a memory that keeps the output: true if sums arrive there unfinished.
  bool unfinished() const { return unfinished_; }

 private:
  using PerDim = std::array<std::int64_t, Workload::kMaxDims>;

  TensorSet output_ = 0;
  std::uint32_t summing_ = 0;  // dims whose loops add to an element, of more than one iteration
  std::uint32_t meeting_ = 0;  // ... of them those that the output depends on
  PerDim sizes_{};
  std::uint32_t reduces_ = 0;  // bit n: node n is a fan-out that reduces
  PerDim inside_{};            // values of each dim that the loops passed cover
  PerDim summed_{};            // ... that are summed in what arrives further out
  bool unfinished_ = false;
};

/// Whether sums arrive unfinished at the keep node at `position`, which keeps the output.
bool sums_unfinished(const Problem& problem, std::span<const NestNode> nodes, int position);

/// The width of an element of `tensor` at the keep node at `position`.
std::int64_t element_bits(const Problem& problem, std::span<const NestNode> nodes, TensorId tensor,
                          int position);

}  // namespace tilewright
