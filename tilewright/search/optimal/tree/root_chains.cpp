// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/tree/root_chains.h"

#include <algorithm>
#include <utility>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

// Counts that are taken together are no further apart.
constexpr std::array kRatios = {2.0, 1.4, 1.15};
// Which of these a precision has.
std::size_t ratio_of(BoundPrecision precision) {
  if (precision == BoundPrecision::kFine) return 2;
  return precision == BoundPrecision::kMedium ? 1 : 0;
}
// Less than full precision is worth it if tables are so much smaller.
constexpr double kMuchSmaller = 4;
// Chains that no root uses any more are kept up to this: those of a dim of 10^5 take megabytes.
constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

}  // namespace

// A dim cut into fewer tiles does not fit, however small the others are.
std::int64_t RootChains::least_count(std::size_t memory, TensorSet kept, std::size_t dim) {
  const auto [it, added] = known_least_.try_emplace({memory, kept, dim}, 1);
  if (!added || !context_.prunes.by_capacity) return it->second;
  Counts extents;
  extents.fill(1);
  std::int64_t low = 1;
  std::int64_t high = tables_.sizes[dim];
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    extents[dim] = ceil_div(tables_.sizes[dim], middle);
    if (tiles_fit(tables_, context_.tiles, memory, kept, extents)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return it->second = low;
}

RootChains::Chain RootChains::chain(std::size_t dim, const Keeps& keeps, const Tiling& spatial,
                                    BoundPrecision precision) {
  std::vector<std::int64_t> fixed;
  std::vector<std::int64_t> least;
  std::size_t memory = 0;
  for (std::size_t p = 0; p < tables_.rules.places.size(); ++p) {
    least.push_back(1);
    if (tables_.rules.places[p].is_block()) {
      least.back() = least_count(memory, tables_.held(keeps, memory), dim);
      fixed.push_back(keeps[memory++] == 0 ? 1 : 0);
    } else {
      fixed.push_back(spatial.at(static_cast<int>(p), static_cast<int>(dim)));
    }
  }
  std::vector<std::int64_t> key = fixed;
  key.insert(key.end(), least.begin(), least.end());
  key.push_back(static_cast<std::int64_t>(dim));
  if (known_bytes_ > kMostBytes) {
    known_.clear();
    known_bytes_ = 0;
  }
  Known& known = known_[std::move(key)];
  const auto keep = [&](DimChain made) {
    known_bytes_ += made.bytes();
    return std::make_shared<const DimChain>(std::move(made));
  };
  if (!known.full) known.full = keep(DimChain(context_.steps[dim], fixed, least));
  if (precision == BoundPrecision::kFull || !known.full->possible()) return known.full;
  const std::size_t less = ratio_of(precision);
  Chain& result = known.less[less];
  if (!result) result = keep(known.full->coarse(kRatios[less]));
  return result;
}

bool RootChains::saves_much(const Keeps& keeps, const Tiling& spatial, BoundPrecision precision) {
  double ratio = 1;
  for (std::size_t d = 0; d < tables_.sizes.size(); ++d) {
    const Chain full = chain(d, keeps, spatial, BoundPrecision::kFull);
    const Chain less = chain(d, keeps, spatial, precision);
    std::size_t most = 1;
    std::size_t fewer = 1;
    for (const std::size_t p : tables_.block) {
      most = std::max(most, full->counts(p).size());
      fewer = std::max(fewer, less->counts(p).size());
    }
    ratio *= static_cast<double>(most) / static_cast<double>(fewer);
  }
  return ratio >= kMuchSmaller;
}

}  // namespace tilewright
