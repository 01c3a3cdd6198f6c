// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compat/chains.h"

#include <algorithm>
#include <set>
#include <vector>

#include "tilewright/base/checked.h"

namespace tilewright::compat {
namespace {

// All loops over one dim, or over any if it is unset, innermost first.
std::vector<CountedLoop> loops_inside_out(const LevelNest& nest, DimId dim) {
  std::vector<CountedLoop> result;
  for (auto level = nest.levels.rbegin(); level != nest.levels.rend(); ++level) {
    for (const auto* loops : {&level->spatial, &level->temporal}) {
      for (auto loop = loops->rbegin(); loop != loops->rend(); ++loop) {
        if (!dim.valid() || loop->dim == dim) result.push_back(*loop);
      }
    }
  }
  return result;
}

// Where some loops over one dim may stand, as far as the dim goes.
std::vector<std::int64_t> positions(const LevelNest& nest, DimId dim, std::int64_t from,
                                    const std::function<bool(const CountedLoop&)>& moves) {
  std::vector<std::int64_t> result{from};
  for (const CountedLoop& loop : loops_inside_out(nest, dim)) {
    if (!moves(loop)) continue;
    const std::vector<std::int64_t> before = std::move(result);
    result.clear();
    for (std::int64_t i = 0; i < loop.factor; ++i) {
      for (const std::int64_t position : before) {
        if (position + i * loop.step < nest.sizes[dim.pos()]) {
          result.push_back(position + i * loop.step);
        }
      }
    }
  }
  return result;
}

// Calls `visit` for every combination of one position per term of a rank.
void combine(const Rank& rank, const std::vector<std::vector<std::int64_t>>& by_term,
             const std::function<void(const PerDim&)>& visit) {
  PerDim at{};
  const std::function<void(std::size_t)> go = [&](std::size_t term) {
    if (term == rank.terms.size()) {
      visit(at);
      return;
    }
    for (const std::int64_t position : by_term[term]) {
      at[rank.terms[term].dim.pos()] = position;
      go(term + 1);
    }
  };
  go(0);
}

// What one rank contributes to what instances ever hold.
class RankHoldings {
 public:
  RankHoldings(const LevelNest& nest, const Rank& rank, std::size_t level, bool boxes)
      : nest_(nest), rank_(rank), level_(level), boxes_(boxes) {
    extent_ = steady_extent(nest, level, false);
  }

  EverHeld count() const {
    EverHeld result;
    std::vector<std::vector<std::int64_t>> instances;
    for (const Term& term : rank_.terms) {
      instances.push_back(positions(nest_, term.dim, 0, [&](const CountedLoop& loop) {
        return loop.spatial && loop.level < level_;
      }));
    }
    combine(rank_, instances, [&](const PerDim& at) {
      const std::int64_t held = held_by(at);
      if (std::ranges::all_of(rank_.terms, [&](const Term& t) { return at[t.dim.pos()] == 0; })) {
        result.first = held;
      }
      result.all = checked_add(result.all, held);
    });
    return result;
  }

 private:
  // Different values over time in the instance at `place`.
  std::int64_t held_by(const PerDim& place) const {
    std::vector<std::vector<std::int64_t>> steps;
    for (const Term& term : rank_.terms) {
      steps.push_back(
          positions(nest_, term.dim, place[term.dim.pos()],
                    [&](const CountedLoop& loop) { return !loop.spatial && loop.level < level_; }));
    }
    if (rank_.terms.size() == 1) return held_along(rank_.terms.front(), steps.front());
    std::set<std::int64_t> values;
    combine(rank_, steps, [&](const PerDim& start) { mark(start, values); });
    return static_cast<std::int64_t>(values.size());
  }

  // The tiles of a plain rank lie apart from each other.
  std::int64_t held_along(const Term& term, const std::vector<std::int64_t>& starts) const {
    std::int64_t sum = 0;
    for (const std::int64_t start : starts) {
      const std::int64_t extent =
          std::min(extent_[term.dim.pos()], nest_.sizes[term.dim.pos()] - start);
      sum += boxes_ ? magnitude(term.coefficient) * (extent - 1) + 1 : extent;
    }
    return sum;
  }

  void mark(const PerDim& start, std::set<std::int64_t>& values) const {
    std::vector<std::vector<std::int64_t>> inside;
    for (const Term& term : rank_.terms) {
      const std::size_t d = term.dim.pos();
      inside.emplace_back();
      for (std::int64_t x = 0; x < extent_[d] && start[d] + x < nest_.sizes[d]; ++x) {
        inside.back().push_back(start[d] + x);
      }
    }
    std::set<std::int64_t> tile;
    combine(rank_, inside, [&](const PerDim& at) {
      std::int64_t value = 0;
      for (const Term& term : rank_.terms) value += term.coefficient * at[term.dim.pos()];
      tile.insert(value);
    });
    if (!boxes_) {
      values.merge(tile);
      return;
    }
    for (std::int64_t v = *tile.begin(); v <= *tile.rbegin(); ++v) values.insert(v);
  }

  const LevelNest& nest_;
  const Rank& rank_;
  std::size_t level_;
  bool boxes_;
  PerDim extent_{};
};

}  // namespace

std::int64_t count_points(const LevelNest& nest,
                          const std::function<bool(const CountedLoop&)>& counts) {
  std::int64_t product = 1;
  for (std::size_t d = 0; d < nest.sizes.size(); ++d) {
    std::int64_t full = 1;
    std::int64_t last = 1;
    for (const CountedLoop& loop : loops_inside_out(nest, DimId(d))) {
      if (counts(loop)) {
        last = checked_add(checked_mul(loop.remainder - 1, full), last);
        full = checked_mul(full, loop.factor);
      } else if (loop.remainder > 1) {
        last = full;
      }
    }
    product = checked_mul(product, last);
  }
  return product;
}

std::int64_t instances_ever(const LevelNest& nest, std::size_t level) {
  std::int64_t product = 1;
  for (std::size_t d = 0; d < nest.sizes.size(); ++d) {
    const auto places = positions(nest, DimId(d), 0, [&](const CountedLoop& loop) {
      return loop.spatial && loop.level < level;
    });
    product = checked_mul(product, static_cast<std::int64_t>(places.size()));
  }
  return product;
}

double instances_on_average(const LevelNest& nest, std::size_t level) {
  double product = 1;
  std::vector<CountedLoop> all = loops_inside_out(nest, DimId());
  std::ranges::reverse(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CountedLoop& loop = all[i];
    if (!loop.spatial || loop.level >= level) continue;
    const auto factor = static_cast<double>(loop.factor);
    if (loop.factor == loop.remainder) {
      product *= factor;
      continue;
    }
    double passes = 1;  // of this loop
    for (std::size_t k = 0; k < i; ++k) {
      if (all[k].dim != loop.dim) continue;
      passes =
          static_cast<double>(all[k].remainder) + static_cast<double>(all[k].factor) * (passes - 1);
    }
    product = product * (static_cast<double>(loop.remainder) + factor * (passes - 1)) / passes;
  }
  return product;
}

std::int64_t temporal_product(const LevelNest& nest) {
  std::int64_t product = 1;
  for (const Level& level : nest.levels) {
    for (const CountedLoop& loop : level.temporal) product = checked_mul(product, loop.factor);
  }
  return product;
}

PerDim steady_extent(const LevelNest& nest, std::size_t level, bool with_fanout) {
  PerDim extent{};
  extent.fill(1);
  for (std::size_t l = 0; l < nest.levels.size(); ++l) {
    const Level& inside = nest.levels[l];
    if (l >= level) {
      for (const CountedLoop& loop : inside.temporal) extent[loop.dim.pos()] *= loop.factor;
    }
    if (l >= level || (with_fanout && l + 1 == level)) {
      for (const CountedLoop& loop : inside.spatial) extent[loop.dim.pos()] *= loop.factor;
    }
  }
  for (std::size_t d = 0; d < nest.sizes.size(); ++d)
    extent[d] = std::min(extent[d], nest.sizes[d]);
  return extent;
}

EverHeld ever_held(const Workload& workload, const LevelNest& nest, TensorId tensor,
                   std::size_t level, bool bounding_boxes) {
  EverHeld result{.all = 1, .first = 1};
  for (const Rank& rank : workload.tensor(tensor).ranks) {
    if (rank.terms.empty()) continue;
    const EverHeld held = RankHoldings(nest, rank, level, bounding_boxes).count();
    result.all = checked_mul(result.all, held.all);
    result.first = checked_mul(result.first, held.first);
  }
  for (std::size_t d = 0; d < nest.sizes.size(); ++d) {
    if (workload.relevant(tensor, DimId(d))) continue;
    const auto copies = positions(nest, DimId(d), 0, [&](const CountedLoop& loop) {
      return loop.spatial && loop.level < level;
    });
    result.all = checked_mul(result.all, static_cast<std::int64_t>(copies.size()));
  }
  return result;
}

}  // namespace tilewright::compat
