// SPDX-License-Identifier: Apache-2.0
// The counts of each dim in one root of the optimal search, known ones kept for the next root.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "tilewright/mapspace/choices/keeps.h"
#include "tilewright/search/optimal/shared/inward_steps.h"
#include "tilewright/search/optimal/shared/optimal_context.h"

namespace tilewright {

/// How well to bound a root.
enum class BoundPrecision {
  kEnergy,  ///< as kCoarse, but every time is bounded as if each tile were moved once
  kCoarse,  ///< counts of about the same size taken together
  kMedium,  ///< fewer of them
  kFine,    ///< still fewer
  kFull,
};

class RootChains {
 public:
  /// `context` must outlive it.
  explicit RootChains(const OptimalContext& context) : context_(context), tables_(context.tables) {}

  using Chain = std::shared_ptr<const DimChain>;

  Chain chain(std::size_t dim, const Keeps& keeps, const Tiling& spatial, BoundPrecision precision);
  /// Whether tables are much smaller than with full precision.
  bool saves_much(const Keeps& keeps, const Tiling& spatial, BoundPrecision precision);

 private:
  struct Known {
    Chain full;
    std::array<Chain, 3> less;  // by ratio; null: not asked for yet
  };
  std::int64_t least_count(std::size_t memory, TensorSet kept, std::size_t dim);

  const OptimalContext& context_;
  const ProblemTables& tables_;
  std::map<std::vector<std::int64_t>, Known> known_;
  std::size_t known_bytes_ = 0;
  std::map<std::tuple<std::size_t, TensorSet, std::size_t>, std::int64_t> known_least_;
};

}  // namespace tilewright
