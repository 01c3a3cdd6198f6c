// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/spaces/tile_count.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"

namespace tilewright {

TileCounter::TileCounter(const Workload& workload, TileRoom room)
    : workload_(workload), room_(std::move(room)), order_(workload.dims().size()) {
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    forms_.emplace_back(workload, TensorId(t), false);
  }
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, {}, [&](std::size_t d) { return workload.dims()[d].size; });
}

bool TileCounter::fits(std::span<const std::int64_t> tile) const {
  std::int64_t left = room_.shared;
  for (std::size_t t = 0; t < forms_.size(); ++t) {
    const std::int64_t bits = checked_mul(forms_[t].elements(tile), room_.element[t]);
    if (room_.parts[t]) {
      if (bits > *room_.parts[t]) return false;
    } else {
      left -= std::min(bits, left + 1);
      if (left < 0) return false;
    }
  }
  return true;
}

// Tiles grow with every size, so the sizes of one dim that fit are those up to some limit.
std::int64_t TileCounter::largest_last(std::vector<std::int64_t>& tile) const {
  const std::size_t last = order_.back();
  std::int64_t low = 0;
  std::int64_t high = workload_.dims()[last].size;
  while (low < high) {
    tile[last] = low + (high - low + 1) / 2;
    if (fits(tile)) {
      low = tile[last];
    } else {
      high = tile[last] - 1;
    }
  }
  tile[last] = 1;
  return low;
}

void TileCounter::count_from(std::size_t next, std::vector<std::int64_t>& tile,
                             Natural& sum) const {
  if (next + 1 == order_.size()) {
    sum += Natural(static_cast<std::uint64_t>(largest_last(tile)));
    return;
  }
  const std::size_t dim = order_[next];
  for (tile[dim] = 1; tile[dim] <= workload_.dims()[dim].size && fits(tile); ++tile[dim]) {
    count_from(next + 1, tile, sum);
  }
  tile[dim] = 1;
}

std::optional<Natural> TileCounter::count(std::int64_t most_tests) const {
  double tests = 1 + std::log2(static_cast<double>(workload_.dims()[order_.back()].size));
  for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
    tests *= static_cast<double>(workload_.dims()[order_[i]].size);
  }
  if (tests > static_cast<double>(most_tests)) return std::nullopt;
  Natural sum;
  std::vector<std::int64_t> tile(order_.size(), 1);
  count_from(0, tile, sum);
  return sum;
}

TileCounter::Estimate TileCounter::estimate(std::int64_t draws, Random& random) const {
  TW_CHECK(draws >= 2, "an estimate needs at least two draws");
  std::vector<std::int64_t> tile(order_.size(), 1);
  // The last dim is counted, not drawn: its share has less variance than a yes or no.
  const double all_last = static_cast<double>(workload_.dims()[order_.back()].size);
  double sum = 0;
  double squares = 0;
  for (std::int64_t i = 0; i < draws; ++i) {
    for (std::size_t d = 0; d + 1 < order_.size(); ++d) {
      tile[order_[d]] = random.between(1, workload_.dims()[order_[d]].size);
    }
    const double share = static_cast<double>(largest_last(tile)) / all_last;
    sum += share;
    squares += share * share;
  }
  constexpr double kNormal95 = 1.96;
  const double n = static_cast<double>(draws);
  const double mean = sum / n;
  const double variance = std::max(0.0, (squares - n * mean * mean) / (n - 1));
  return {mean, kNormal95 * std::sqrt(variance / n)};
}

Natural count_all_tiles(const Workload& workload) {
  Natural product = 1;
  for (const Dim& dim : workload.dims()) product *= static_cast<std::uint64_t>(dim.size);
  return product;
}

}  // namespace tilewright
