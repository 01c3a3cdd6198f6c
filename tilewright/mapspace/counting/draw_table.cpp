// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/counting/draw_table.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

constexpr std::size_t kMostEntries = 1U << 20;  // of the alias tables of one dim
constexpr double kMostListed = 1U << 16;        // splits of one dim

}  // namespace

AliasTable::AliasTable(std::span<const double> weights) : entries_(weights.size()) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (total == 0) return;  // nobody draws from it
  std::vector<double> scaled;
  std::vector<std::size_t> small;
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    scaled.push_back(weights[i] / total * static_cast<double>(weights.size()));
    (scaled[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const std::size_t poor = small.back();
    const std::size_t rich = large.back();
    small.pop_back();
    entries_[poor] = {scaled[poor], static_cast<std::uint32_t>(rich)};
    scaled[rich] -= 1 - scaled[poor];
    if (scaled[rich] >= 1) continue;
    large.pop_back();
    small.push_back(rich);
  }
  // What rounding left over has a place of its own; nothing may be drawn that weighs nothing.
  for (const std::size_t i : small) {
    if (weights[i] > 0) continue;
    const auto heavy = std::ranges::max_element(weights) - weights.begin();
    entries_[i] = {0, static_cast<std::uint32_t>(heavy)};
  }
}

DrawTable::DrawTable(const TilingShape& shape) : shape_(&shape), dims_(shape.dims.size()) {
  for (int slot = 0; slot < shape.slots(); ++slot) {
    if (shape.in_space[static_cast<std::size_t>(slot)]) axis_slots_.push_back(slot);
  }
  std::vector<double> ways(static_cast<std::size_t>(shape.array.size()));
  for (int s = 0; s < shape.array.size(); ++s) {
    ways[static_cast<std::size_t>(s)] = shape.array.accepts(s) ? 1 : 0;
  }
  for (std::size_t d = dims_.size(); d-- > 0;) {
    Row end{-1, std::vector<double>(shape.dims[d].counts().size(), 0)};
    if (shape.dims[d].end() >= 0) end.ways[static_cast<std::size_t>(shape.dims[d].end())] = 1;
    dims_[d].rows.push_back(std::move(end));
    std::vector<std::int64_t> factors;
    add_rows(d, shape.slots(), 0, factors);
    finish_dim(d, ways);
    list_splits(d);
  }
  size_ = ways[static_cast<std::size_t>(shape.array.start())];
}

// Goes inwards from before `slot`; axes branch.
void DrawTable::add_rows(std::size_t d, int slot, int row,
                         std::vector<std::int64_t>& outermost_first) {
  DimTable& dim = dims_[d];
  const Splits& splits = shape_->dims[d];
  if (slot == 0) {
    const double ways = dim.rows[static_cast<std::size_t>(row)].ways[0];
    if (ways > 0) {
      dim.spreads.push_back({{outermost_first.rbegin(), outermost_first.rend()}, row, ways});
    }
    return;
  }
  --slot;
  const bool axis = shape_->in_space[static_cast<std::size_t>(slot)];
  std::int64_t most = 1;
  for (int c = 0; axis && c < static_cast<int>(splits.counts().size()); ++c) {
    if (!splits.steps(slot, c).empty()) most = std::max(most, splits.steps(slot, c).back().last);
  }
  for (std::int64_t factor = 1; factor <= most; ++factor) {
    Row inside{row, std::vector<double>(splits.counts().size(), 0)};
    bool any = false;
    for (int c = 0; c < static_cast<int>(splits.counts().size()); ++c) {
      double& sum = inside.ways[static_cast<std::size_t>(c)];
      for (const Splits::Step& step : splits.steps(slot, c)) {
        const double then =
            dim.rows[static_cast<std::size_t>(row)].ways[static_cast<std::size_t>(step.next)];
        const bool fits = factor >= step.first && factor <= step.last;
        sum += axis ? (fits ? then : 0) : then * static_cast<double>(step.last - step.first + 1);
      }
      any |= sum > 0;
    }
    if (!any) continue;
    dim.rows.push_back(std::move(inside));
    if (axis) outermost_first.push_back(factor);
    add_rows(d, slot, static_cast<int>(dim.rows.size()) - 1, outermost_first);
    if (axis) outermost_first.pop_back();
  }
}

int DrawTable::state_after(int state, const Spread& spread) const {
  for (std::size_t a = 0; a < axis_slots_.size() && state >= 0; ++a) {
    state = shape_->after(state, axis_slots_[a], spread.factors[a]);
  }
  return state;
}

// `ways` of the dims behind this one become those with it.
void DrawTable::finish_dim(std::size_t d, std::vector<double>& ways) {
  DimTable& dim = dims_[d];
  dim.after = ways;
  const bool tables = dim.spreads.size() * ways.size() <= kMostEntries;
  std::vector<double> weights(dim.spreads.size());
  for (int state = 0; state < shape_->array.size(); ++state) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const int then = state_after(state, dim.spreads[i]);
      weights[i] = then < 0 ? 0 : dim.spreads[i].ways * dim.after[static_cast<std::size_t>(then)];
    }
    ways[static_cast<std::size_t>(state)] = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (tables) dim.choice.emplace_back(weights);
  }
}

void DrawTable::list_splits(std::size_t d) {
  DimTable& dim = dims_[d];
  double total = 0;
  for (const Spread& spread : dim.spreads) total += spread.ways;
  if (total > kMostListed ||
      shape_->dims[d].counts()[0] > std::numeric_limits<std::int32_t>::max()) {
    return;
  }
  std::vector<std::int32_t> factors(static_cast<std::size_t>(shape_->slots()), 1);
  for (const Spread& spread : dim.spreads) {
    dim.first_listed.push_back(dim.listed.size());
    list_from(d, spread, 0, 0, factors);
  }
}

void DrawTable::list_from(std::size_t d, const Spread& spread, int slot, int count,
                          std::vector<std::int32_t>& factors) {
  const Splits& splits = shape_->dims[d];
  if (slot == shape_->slots()) {
    if (count == splits.end()) {
      dims_[d].listed.insert(dims_[d].listed.end(), factors.begin(), factors.end());
    }
    return;
  }
  const auto axis = std::ranges::find(axis_slots_, slot);
  const std::int64_t only =
      axis == axis_slots_.end()
          ? 0
          : spread.factors[static_cast<std::size_t>(axis - axis_slots_.begin())];
  for (const Splits::Step& step : splits.steps(slot, count)) {
    const std::int64_t last = only > 0 ? std::min(only, step.last) : step.last;
    for (std::int64_t factor = std::max(only, step.first); factor <= last; ++factor) {
      factors[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(factor);
      list_from(d, spread, slot + 1, step.next, factors);
    }
  }
  factors[static_cast<std::size_t>(slot)] = 1;
}

std::size_t DrawTable::draw_spread(const DimTable& dim, int state, Random& random) const {
  if (!dim.choice.empty()) return dim.choice[static_cast<std::size_t>(state)].draw(random);
  double total = 0;
  for (int pass = 0;; ++pass) {
    double left = pass == 0 ? 0 : total * (static_cast<double>(random.next() >> 11) * 0x1p-53);
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < dim.spreads.size(); ++i) {
      const Spread& spread = dim.spreads[i];
      const int then = state_after(state, spread);
      const double weight = then < 0 ? 0 : spread.ways * dim.after[static_cast<std::size_t>(then)];
      if (weight == 0) continue;
      last = i;
      if (pass == 0) {
        total += weight;
      } else if (left < weight) {
        return i;
      } else {
        left -= weight;
      }
    }
    TW_CHECK(last.has_value(), "there is something to draw");
    if (pass == 1) return *last;  // rounding
  }
}

void DrawTable::draw_loops(std::size_t d, const Spread& spread, Random& random,
                           Tiling& tiling) const {
  const DimTable& dim = dims_[d];
  const Splits& splits = shape_->dims[d];
  const Row* row = &dim.rows[static_cast<std::size_t>(spread.row)];
  int count = 0;
  std::size_t axis = 0;
  for (int slot = 0; count != splits.end(); ++slot) {
    const std::size_t at = static_cast<std::size_t>(slot);
    std::int64_t& chosen = tiling.at(shape_->place_of_slot[at], static_cast<int>(d));
    const Row& outside = dim.rows[static_cast<std::size_t>(row->outside)];
    const std::span<const Splits::Step> steps = splits.steps(slot, count);
    const std::int64_t wanted = shape_->in_space[at] ? spread.factors[axis++] : 0;
    double left = 0;
    if (wanted == 0 && steps.size() > 1) {
      left = row->ways[static_cast<std::size_t>(count)] *
             (static_cast<double>(random.next() >> 11) * 0x1p-53);
    }
    for (const Splits::Step& step : steps) {
      if (wanted > step.last) continue;
      const double each = outside.ways[static_cast<std::size_t>(step.next)];
      if (each == 0) continue;
      chosen = std::max(wanted, step.first);
      count = step.next;
      if (wanted > 0) break;
      const std::int64_t many = step.last - step.first + 1;
      const double all = each * static_cast<double>(many);
      if (left < all) {
        if (many > 1) chosen += random.between(0, many - 1);
        break;
      }
      left -= all;
    }
    row = &outside;
  }
}

void DrawTable::draw(Random& random, Tiling& tiling) const {
  std::fill(tiling.factors.begin(), tiling.factors.end(), 1);
  int state = shape_->array.start();
  for (std::size_t d = 0; d < dims_.size(); ++d) {
    if (shape_->dims[d].counts().size() == 1) continue;  // nothing to split
    const DimTable& dim = dims_[d];
    const std::size_t chosen = draw_spread(dim, state, random);
    const Spread& spread = dim.spreads[chosen];
    state = state_after(state, spread);
    if (dim.listed.empty()) {
      draw_loops(d, spread, random, tiling);
      continue;
    }
    const std::size_t slots = static_cast<std::size_t>(shape_->slots());
    const std::int64_t number = random.between(0, static_cast<std::int64_t>(spread.ways) - 1);
    const std::int32_t* const factors =
        &dim.listed[dim.first_listed[chosen] + static_cast<std::size_t>(number) * slots];
    for (std::size_t slot = 0; slot < slots; ++slot) {
      tiling.at(shape_->place_of_slot[slot], static_cast<int>(d)) = factors[slot];
    }
  }
}

}  // namespace tilewright
