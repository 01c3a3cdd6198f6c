// SPDX-License-Identifier: Apache-2.0
// How many tiles fit in a buffer: vectors of sizes, one for each dim from 1 to the size of the dim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/base/random.h"
#include "tilewright/workload/footprint.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// What a tile must fit. All in bits, by TensorId.
struct TileRoom {
  std::vector<std::int64_t> element;               ///< the width of an element
  std::int64_t shared = 0;                         ///< for all tensors without a part
  std::vector<std::optional<std::int64_t>> parts;  ///< for one tensor alone
};

class TileCounter {
 public:
  /// `workload` must outlive it.
  TileCounter(const Workload& workload, TileRoom room);

  /// By DimId.
  bool fits(std::span<const std::int64_t> tile) const;
  /// How many tiles fit; nothing if to find out could take more than `most_tests` tests.
  std::optional<Natural> count(std::int64_t most_tests) const;

  struct Estimate {
    double share = 0;       ///< of all tiles that fit
    double half_width = 0;  ///< of its 95 % confidence interval
  };
  /// From `draws` tiles drawn at random; unbiased.
  Estimate estimate(std::int64_t draws, Random& random) const;

 private:
  std::int64_t largest_last(std::vector<std::int64_t>& tile) const;
  void count_from(std::size_t next, std::vector<std::int64_t>& tile, Natural& sum) const;

  const Workload& workload_;
  TileRoom room_;
  std::vector<TileForm> forms_;     // by TensorId
  std::vector<std::size_t> order_;  // of the dims: the largest last
};

/// All tiles of a workload, whether they fit or not.
Natural count_all_tiles(const Workload& workload);

}  // namespace tilewright
