// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/order_choice.h"

#include <bit>
#include <utility>

namespace tilewright {
namespace {

constexpr int kRounds = 2;  // blocks depend little on each other

}  // namespace

// The classes of a block depend on what is kept and on what it and the places inside it split.
OrderChoice::Block& OrderChoice::find(std::size_t place, const Point& point) {
  key_.assign(point.keeps.begin(), point.keeps.end());
  key_.insert(key_.end(), active_.begin() + static_cast<std::ptrdiff_t>(place), active_.end());
  const auto [at, added] = blocks_.try_emplace(key_);
  if (added) {
    at->second.orders = classes_.representatives(static_cast<int>(place), active_, point.keeps);
  }
  return at->second;
}

void OrderChoice::look_up(const Point& point) {
  active_.clear();
  for (std::size_t p = 0; p < rules_.places.size(); ++p) {
    active_.push_back(point.tiling.active(static_cast<int>(p)));
  }
  open_.clear();
  for (std::size_t p = 0; p < rules_.places.size(); ++p) {
    if (!rules_.places[p].is_block()) continue;
    const DimSet active = active_[p];
    if (std::popcount(active) < 2) {
      orders_[p].clear();
      if (active != 0) orders_[p].emplace_back(std::countr_zero(active));
      continue;
    }
    Block& block = find(p, point);
    orders_[p] = block.orders[block.chosen];
    if (block.orders.size() > 1) open_.push_back({p, &block});
  }
}

std::span<const NestNode> OrderChoice::nest(const Point& point) {
  look_up(point);
  build_nest(rules_, point.keeps, point.tiling, orders_, nest_);
  return nest_;
}

std::optional<Worth> OrderChoice::value(const Point& point, Scorer& scorer, SearchResult& tally) {
  build_nest(rules_, point.keeps, point.tiling, orders_, nest_);
  const Scored scored = scorer.score_fitting(nest_);
  count(scored.outcome, tally);
  if (scored.outcome == Outcome::kTooLarge) return std::nullopt;
  return Worth{scored.excess, scored.score, scored.edp};
}

std::optional<Worth> OrderChoice::choose(const Point& point, bool all, Scorer& scorer,
                                         SearchResult& tally) {
  if (!scorer.fits(nest(point))) {
    count(Outcome::kTooLarge, tally);
    return std::nullopt;
  }
  std::optional<Worth> worth = value(point, scorer, tally);
  best_ = nest_;
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    for (const auto& [place, block] : open_) {
      if (!all && !block->fresh) continue;
      const std::size_t before = block->chosen;
      for (std::size_t i = 0; i < block->orders.size(); ++i) {
        if (i == before) continue;
        orders_[place] = block->orders[i];
        const std::optional<Worth> other = value(point, scorer, tally);
        if (!other || (worth && *other >= *worth)) continue;
        worth = other;
        block->chosen = i;
        best_ = nest_;
        changed = true;
      }
      orders_[place] = block->orders[block->chosen];
    }
    if (!changed) break;
  }
  for (const auto& [place, block] : open_) block->fresh = false;
  return worth;
}

}  // namespace tilewright
