// SPDX-License-Identifier: Apache-2.0
// Whether the tiles of a nest fit the memories: the last part of find_violations in the form that
// searches use, a yes or no without an allocation.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapping/sums.h"
#include "tilewright/workload/footprint.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// Keeps nothing of `problem`. May be shared by threads.
class Fit {
 public:
  explicit Fit(const Problem& problem);

  /// True if find_violations has no kCapacity and no kPartition for this nest, which must have no
  /// structural violation; loops of factor 1 are welcome. A tile too large to count does not fit.
  bool fits(std::span<const NestNode> nodes) const;

 private:
  // What one memory offers, in bits.
  struct Room {
    bool limited = false;  // some tiles may be too large
    std::int64_t shared = 0;
    std::array<std::int64_t, Workload::kMaxTensors> bits{};      // of an element
    std::int64_t partial_bits = 0;                               // ... of an unfinished output
    std::array<std::int64_t, Workload::kMaxTensors> reserved{};  // kNone: it uses `shared`
  };
  static constexpr std::int64_t kNone = -1;

  Room make_room(const Problem& problem, NodeId memory) const;
  // What is to be held there.
  struct Tiles {
    TensorSet tensors = 0;
    bool unfinished = false;  // of the output
    std::span<const std::int64_t> extents;
  };
  bool takes(const Room& room, const Tiles& tiles, std::int64_t& used) const;

  SumProgress sums_;
  bool sums_matter_ = false;         // some memory of limited size holds unfinished sums wider
  std::vector<std::int64_t> sizes_;  // by DimId
  std::vector<TileForm> tiles_;      // by TensorId
  std::vector<Room> rooms_;          // by NodeId; fan-outs have an empty entry
};

}  // namespace tilewright
