// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compat/tile.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tilewright/base/checked.h"

namespace tilewright::compat {

TileMaker::TileMaker(const Workload& workload, TensorId tensor, bool boxes)
    : form_(workload, tensor, false), boxes_(boxes) {
  for (const Rank& rank : workload.tensor(tensor).ranks) {
    if (!rank.terms.empty()) ranks_.push_back(rank);
  }
}

Tile TileMaker::make(const PerDim& start, const PerDim& extent) const {
  Tile tile{.start = start, .extent = extent, .box = {}};
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    std::int64_t low = 0;
    std::int64_t high = 1;
    for (const Term& term : ranks_[r].terms) {
      const std::int64_t first = term.coefficient * start[term.dim.pos()];
      const std::int64_t reach = term.coefficient * (extent[term.dim.pos()] - 1);
      low += first + std::min<std::int64_t>(reach, 0);
      high += first + std::max<std::int64_t>(reach, 0);
    }
    tile.box.low[r] = low;
    tile.box.high[r] = high;
  }
  return tile;
}

PerRank TileMaker::offset(const PerDim& by) const {
  PerRank result{};
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    for (const Term& term : ranks_[r].terms) result[r] += term.coefficient * by[term.dim.pos()];
  }
  return result;
}

std::int64_t TileMaker::volume(const Box& box) const {
  std::int64_t product = 1;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    product = checked_mul(product, std::max<std::int64_t>(0, box.high[r] - box.low[r]));
  }
  return product;
}

bool TileMaker::disjoint(const Box& a, const Box& b) const {
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (a.high[r] <= b.low[r] || b.high[r] <= a.low[r]) return true;
  }
  return false;
}

std::int64_t TileMaker::elements(const Tile& tile) const {
  return boxes_ ? volume(tile.box) : form_.elements(tile.extent);
}

// All coordinates that a tile has in one rank, ascending.
std::vector<std::int64_t> TileMaker::values(std::size_t rank, const Tile& tile) const {
  std::vector<std::int64_t> result{0};
  for (const Term& term : ranks_[rank].terms) {
    std::vector<std::int64_t> sums;
    for (const std::int64_t value : result) {
      for (std::int64_t x = 0; x < tile.extent[term.dim.pos()]; ++x) {
        sums.push_back(value + term.coefficient * (tile.start[term.dim.pos()] + x));
      }
    }
    result = std::move(sums);
  }
  std::ranges::sort(result);
  const auto repeated = std::ranges::unique(result);
  result.erase(repeated.begin(), repeated.end());
  return result;
}

std::int64_t TileMaker::common(std::span<const Tile> tiles) const {
  Box shared = tiles.front().box;
  for (const Tile& tile : tiles) {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      shared.low[r] = std::max(shared.low[r], tile.box.low[r]);
      shared.high[r] = std::min(shared.high[r], tile.box.high[r]);
    }
  }
  if (boxes_ || volume(shared) == 0) return volume(shared);
  std::int64_t product = 1;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    std::vector<std::int64_t> both = values(r, tiles.front());
    for (const Tile& tile : tiles.subspan(1)) {
      std::vector<std::int64_t> kept;
      std::ranges::set_intersection(both, values(r, tile), std::back_inserter(kept));
      both = std::move(kept);
    }
    product = checked_mul(product, static_cast<std::int64_t>(both.size()));
  }
  return product;
}

Missing TileMaker::missing(const Tile& tile, const std::optional<Tile>& held) const {
  Missing result{.tile = tile, .held = std::nullopt, .elements = elements(tile)};
  if (!held || disjoint(tile.box, held->box)) return result;
  result.held = held;
  const Tile both[] = {tile, *held};
  result.elements -= common(both);
  return result;
}

std::vector<Box> TileMaker::boxes(const Missing& missing) const {
  if (missing.elements == 0) return {};
  if (!missing.held) return {missing.tile.box};
  std::vector<Box> result;
  const Box& held = missing.held->box;
  Box middle = missing.tile.box;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (middle.low[r] < held.low[r]) {
      result.push_back(middle);
      result.back().high[r] = held.low[r];
      middle.low[r] = held.low[r];
    }
    if (held.high[r] < middle.high[r]) {
      result.push_back(middle);
      result.back().low[r] = held.high[r];
      middle.high[r] = held.high[r];
    }
  }
  // Only holes lie outside the box that is held: what is missing lies between its elements.
  if (result.empty()) result.push_back(middle);
  return result;
}

std::vector<std::int64_t> TileMaker::identity(const Tile& tile) const {
  std::vector<std::int64_t> result;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    result.push_back(tile.box.low[r]);
    result.push_back(tile.box.high[r]);
  }
  if (boxes_) return result;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (ranks_[r].terms.size() == 1) continue;  // its two ends say it all
    const std::vector<std::int64_t> all = values(r, tile);
    result.insert(result.end(), all.begin(), all.end());
  }
  return result;
}

std::vector<std::int64_t> TileMaker::identity(std::vector<Box> boxes, const PerRank& by) const {
  std::ranges::sort(boxes, [](const Box& a, const Box& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  std::vector<std::int64_t> result;
  for (const Box& box : boxes) {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      result.push_back(box.low[r] + by[r]);
      result.push_back(box.high[r] + by[r]);
    }
  }
  return result;
}

PerRank TileMaker::centre_step(const Tile& from, const Tile& to) const {
  // Timeloop weighs centres by the size of the box and divides by it again, in doubles.
  const auto centre = [&](const Box& box, std::size_t r) {
    const auto weight = static_cast<double>(volume(box));
    const double middle =
        static_cast<double>(box.low[r]) + static_cast<double>(box.high[r] - 1 - box.low[r]) / 2;
    return middle * weight / weight;
  };
  PerRank step{};
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    step[r] = static_cast<std::int64_t>(std::round(centre(to.box, r) - centre(from.box, r)));
  }
  return step;
}

bool TileMaker::affine(DimId dim) const {
  for (const Rank& rank : ranks_) {
    for (const Term& term : rank.terms) {
      if (term.dim == dim) return rank.terms.size() > 1;
    }
  }
  return false;
}

}  // namespace tilewright::compat
