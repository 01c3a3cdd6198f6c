// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/local/order_choice.h"

#include <algorithm>
#include <bit>

namespace tilewright {

std::size_t OrderChoice::KeyHash::operator()(const Key& key) const {
  std::uint64_t sum = key.size();
  for (const std::uint64_t part : key) {
    sum = (sum ^ part) * 0x9e3779b97f4a7c15ULL;
    sum ^= sum >> 29;
  }
  return sum;
}

// The classes of a block follow from what is kept and what it and the places inside it split; many
// such choices have the same ones.
OrderChoice::Block& OrderChoice::find(std::size_t place) {
  static_assert(Workload::kMaxDims <= 16 && Workload::kMaxTensors <= 16, "a set has 16 bits");
  const auto put = [&](std::size_t i, std::uint64_t set) {
    key_[1 + i / 4] |= set << (i % 4 * 16);
  };
  key_.assign((keeps_.size() + active_.size() + 3) / 4 + 1, 0);
  key_.front() = place;
  for (std::size_t m = 0; m < keeps_.size(); ++m) put(m, keeps_[m]);
  for (std::size_t p = place; p < active_.size(); ++p) put(keeps_.size() + p, active_[p]);
  const auto [known, unknown] = known_.try_emplace(key_, nullptr);
  if (unknown) {
    const int here = static_cast<int>(place);
    classes_.key(here, active_, keeps_, class_key_);
    const auto [block, added] = blocks_.try_emplace(class_key_);
    if (added) block->second.orders = classes_.representatives(here, active_, keeps_);
    known->second = &block->second;
  }
  return *known->second;
}

void OrderChoice::look_up(const Point& point) {
  const std::size_t places = rules_.places.size();
  open_.clear();
  active_.resize(places);
  found_.resize(places, nullptr);
  // Neighbours are often the same from some place inwards.
  std::size_t changed = point.keeps == keeps_ ? 0 : places;
  for (std::size_t p = 0; p < places; ++p) {
    const DimSet active = point.tiling.active(static_cast<int>(p));
    if (active != active_[p]) changed = std::max(changed, p + 1);
    active_[p] = active;
  }
  keeps_ = point.keeps;
  for (std::size_t p = 0; p < places; ++p) {
    if (!rules_.places[p].is_block()) continue;
    if (std::popcount(active_[p]) < 2) {
      orders_[p].clear();
      if (active_[p] != 0) orders_[p].emplace_back(std::countr_zero(active_[p]));
      continue;
    }
    if (p < changed) found_[p] = &find(p);
    Block& block = *found_[p];
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

// The nest at hand, which must fit.
std::optional<Worth> OrderChoice::evaluate(SearchResult& tally) {
  const Scored scored = scorer_.score_fitting(nest_);
  count(scored.outcome, tally);
  if (scored.outcome == Outcome::kTooLarge) return std::nullopt;
  return Worth{scored.excess, scored.score, scored.energy * scored.cycles, scored.cycles};
}

// True if another order is better than the one chosen.
bool OrderChoice::try_orders(const Point& point, const OpenBlock& open, std::optional<Worth>& best,
                             SearchResult& tally) {
  Block& block = *open.block;
  const std::size_t before = block.chosen;
  for (std::size_t i = 0; i < block.orders.size(); ++i) {
    if (i == before) continue;
    orders_[open.place] = block.orders[i];
    build_nest(rules_, point.keeps, point.tiling, orders_, nest_);
    const std::optional<Worth> worth = evaluate(tally);
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
  look_up(point);
  build_nest(rules_, point.keeps, point.tiling, orders_, nest_);
  if (!scorer_.fits(nest_)) {
    count(Outcome::kTooLarge, tally);
    return std::nullopt;
  }
  std::optional<Worth> best = evaluate(tally);
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
