// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/order_choice.h"

#include <bit>

namespace tilewright {

std::size_t OrderChoice::KeyHash::operator()(const Key& key) const {
  std::uint64_t sum = key.size();
  for (const std::uint32_t part : key) {
    sum = (sum ^ part) * 0x9e3779b97f4a7c15ULL;
    sum ^= sum >> 29;
  }
  return sum;
}

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
  open_.clear();
  for (std::size_t p = 0; p < rules_.places.size(); ++p) {
    active_.push_back(point.tiling.active(static_cast<int>(p)));
  }
  for (std::size_t p = 0; p < rules_.places.size(); ++p) {
    if (!rules_.places[p].is_block()) continue;
    if (std::popcount(active_[p]) < 2) {
      orders_[p].clear();
      if (active_[p] != 0) orders_[p].emplace_back(std::countr_zero(active_[p]));
      continue;
    }
    Block& block = find(p, point);
    const bool fresh = block.epoch != epoch_;
    if (fresh) block.chosen = 0;
    orders_[p] = block.orders[block.chosen];
    if (block.orders.size() > 1) open_.push_back({p, &block, fresh});
  }
}

bool OrderChoice::fits(const Point& point) {
  for (std::size_t p = 0; p < rules_.places.size(); ++p) {  // it does not depend on the orders
    if (!rules_.places[p].is_block()) continue;
    orders_[p].clear();
    for (DimSet left = point.tiling.active(static_cast<int>(p)); left != 0; left &= left - 1) {
      orders_[p].emplace_back(std::countr_zero(left));
    }
  }
  build_nest(rules_, point.keeps, point.tiling, orders_, nest_);
  return scorer_.fits(nest_);
}

std::optional<Worth> OrderChoice::evaluate(const Point& point, SearchResult& tally) {
  build_nest(rules_, point.keeps, point.tiling, orders_, nest_);
  const Scored scored = scorer_.score_fitting(nest_);
  count(scored.outcome, tally);
  if (scored.outcome == Outcome::kTooLarge) return std::nullopt;
  return Worth{scored.excess, scored.score, scored.energy * scored.cycles};
}

// True if another order is better than the one chosen.
bool OrderChoice::try_orders(const Point& point, const OpenBlock& open, std::optional<Worth>& best,
                             SearchResult& tally) {
  Block& block = *open.block;
  const std::size_t before = block.chosen;
  for (std::size_t i = 0; i < block.orders.size(); ++i) {
    if (i == before) continue;
    orders_[open.place] = block.orders[i];
    const std::optional<Worth> worth = evaluate(point, tally);
    if (!worth || (best && *worth >= *best)) continue;
    best = worth;
    block.chosen = i;
  }
  block.epoch = epoch_;
  orders_[open.place] = block.orders[block.chosen];
  return block.chosen != before;
}

std::optional<Worth> OrderChoice::choose(const Point& point, Effort effort, double hopeless,
                                         SearchResult& tally) {
  if (!fits(point)) {
    count(Outcome::kTooLarge, tally);
    return std::nullopt;
  }
  look_up(point);
  std::optional<Worth> best = evaluate(point, tally);
  const bool all = effort == Effort::kAll;
  // Blocks depend little on each other: a second round rarely changes anything.
  const int rounds = all ? 2 : 1;
  bool again = !best || best->score <= hopeless;
  for (int round = 0; again && round < rounds; ++round) {
    again = false;
    for (const OpenBlock& open : open_) {
      if (all || open.fresh) again |= try_orders(point, open, best, tally);
    }
  }
  return best;
}

std::vector<NestNode> OrderChoice::nest(const Point& point) {
  look_up(point);
  build_nest(rules_, point.keeps, point.tiling, orders_, nest_);
  return nest_;
}

}  // namespace tilewright
