// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tree/leaf.h"

#include <algorithm>
#include <cmath>

#include "tilewright/base/checked.h"

namespace tilewright::verify {

DimSet innermost_dims(const Place& block, DimSet loops) {
  DimSet outermost = 0;
  for (const DimId dim : block.outermost) outermost |= DimSet{1} << dim.value;
  const auto last_of = [&](const std::vector<DimId>& order, DimSet among) -> DimSet {
    for (std::size_t i = order.size(); i-- > 0;) {
      if (has(among, order[i].value)) return DimSet{1} << order[i].value;
    }
    return 0;
  };
  if (const DimSet last = last_of(block.innermost, loops & ~outermost)) return last;
  const DimSet free = loops & ~outermost;
  return free != 0 ? free : last_of(block.outermost, loops);
}

Leaves::Leaves(const Frame& frame, std::vector<Splits>& splits)
    : frame_(frame),
      splits_(splits),
      evaluator_(frame.problem, {.detail = false}),
      fit_(frame.problem) {
  for (const FanoutView& fanout : frame.fanouts) {
    axes_.insert(axes_.end(), fanout.places.begin(), fanout.places.end());
  }
}

double Leaves::best(const Root& root, const Path& path) {
  best_ = INFINITY;
  Tiling tiling{frame_.dims(),
                std::vector<std::int64_t>(frame_.rules.places.size() * pos(frame_.dims()), 1)};
  std::vector<std::int64_t> room;
  for (const int place : axes_) {
    const Place& axis = frame_.rules.places[pos(place)];
    room.push_back(frame_.problem.arch().fanout(axis.node).axes[pos(axis.axis)].size);
  }
  if (place_spatial(root, path, 0, tiling, room)) choose_factors(root, path, 0, tiling);
  return best_;
}

// On which axes the factors stand does not matter, but they must find room and split what is there.
bool Leaves::place_spatial(const Root& root, const Path& path, int dim, Tiling& tiling,
                           std::vector<std::int64_t>& room) {
  if (dim == frame_.dims()) return true;
  for (const Splits::Option& option : splits_[pos(dim)].options()) {
    bool same = true;
    for (std::size_t f = 0; f < option.factors.size(); ++f) {
      same = same && option.factors[f] == root.factor(static_cast<int>(f), dim);
    }
    if (!same) continue;
    for (const Stand& stand : option.stands) {
      if (!may_stand(root, path, dim, stand)) continue;
      std::vector<std::int64_t> left = room;
      bool fits = true;
      for (std::size_t a = 0; a < axes_.size(); ++a) {
        left[a] /= stand[a];
        fits = fits && left[a] > 0;
        tiling.at(axes_[a], dim) = stand[a];
      }
      if (fits && place_spatial(root, path, dim + 1, tiling, left)) return true;
    }
  }
  return false;
}

bool Leaves::may_stand(const Root& root, const Path& path, int dim, const Stand& stand) const {
  std::size_t end = stand.size();
  int gap = -1;
  std::int64_t count = 0;
  for (std::size_t f = frame_.fanouts.size(); f-- > 0;) {
    const FanoutView& fanout = frame_.fanouts[f];
    if (fanout.gap != gap) {
      gap = fanout.gap;
      count = root.chain(dim).counts[pos(gap) + 1][pos(path.at[pos(gap) + 1][pos(dim)])];
    }
    const std::size_t begin = end - fanout.places.size();
    const Stand here(stand.begin() + static_cast<std::ptrdiff_t>(begin),
                     stand.begin() + static_cast<std::ptrdiff_t>(end));
    if (!splits_[pos(dim)].may_stand(static_cast<int>(f), here, count)) return false;
    count = ceil_div(count, root.factor(static_cast<int>(f), dim));
    end = begin;
  }
  return true;
}

// docs/optimal.md section 4: then nothing but the size of tiles depends on which of the factors
// that leave the same counts it is.
bool Leaves::by_least_factor(const Root& root, int dim) const {
  if (has(frame_.affine, dim)) return false;
  for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
    if (!frame_.fanouts[f].perfect[pos(dim)] && root.factor(static_cast<int>(f), dim) > 1) {
      return false;
    }
  }
  return true;
}

void Leaves::choose_factors(const Root& root, const Path& path, int dim, Tiling& tiling) {
  if (dim < frame_.dims()) {
    choose_block(root, path, dim, 0, tiling);
    return;
  }
  find_orders(root, path, tiling);
  Orders orders(frame_.rules.places.size());
  for (std::size_t p = 0; p < orders.size(); ++p) {
    if (orders_[p].empty()) return;
    orders[p] = orders_[p].front();
  }
  build_nest(frame_.rules, root.keeps(), tiling, orders, nest_);
  if (fit_.fits(nest_)) evaluate(root, tiling, 0, orders);
}

void Leaves::choose_block(const Root& root, const Path& path, int dim, int memory, Tiling& tiling) {
  if (memory == frame_.memory_count()) {
    choose_factors(root, path, dim + 1, tiling);
    return;
  }
  const Chain& chain = root.chain(dim);
  const std::int64_t inside = chain.inside[pos(memory)][pos(path.at[pos(memory) + 1][pos(dim)])];
  const std::int64_t outside = chain.counts[pos(memory)][pos(path.at[pos(memory)][pos(dim)])];
  for (const std::int64_t factor :
       splits_[pos(dim)].block_factors(memory, inside, outside, by_least_factor(root, dim))) {
    tiling.at(frame_.memories[pos(memory)].place, dim) = factor;
    choose_block(root, path, dim, memory + 1, tiling);
  }
}

// One order of each class of every block, with a loop over the block's label innermost.
void Leaves::find_orders(const Root& root, const Path& path, const Tiling& tiling) {
  std::vector<DimSet> active;
  for (std::size_t p = 0; p < frame_.rules.places.size(); ++p) {
    active.push_back(tiling.active(static_cast<int>(p)));
  }
  orders_.assign(frame_.rules.places.size(), {{}});
  for (int m = 0; m < frame_.memory_count(); ++m) {
    const int place = frame_.memories[pos(m)].place;
    if (active[pos(place)] == 0) continue;
    const Place& block = frame_.rules.places[pos(place)];
    const DimSet last = innermost_dims(block, active[pos(place)]);
    orders_[pos(place)].clear();
    for (int d = 0; d < frame_.dims(); ++d) {
      if (!has(last & path.labels[pos(m)], d)) continue;
      Rules rules = frame_.rules;
      Place& fixed = rules.places[pos(place)];
      const bool free = std::ranges::find(fixed.innermost, DimId(d)) == fixed.innermost.end() &&
                        std::ranges::find(fixed.outermost, DimId(d)) == fixed.outermost.end();
      if (free) fixed.innermost = {DimId(d)};
      const OrderClasses classes(frame_.problem, rules);
      for (auto& order : classes.representatives(place, active, root.keeps())) {
        orders_[pos(place)].push_back(std::move(order));
      }
    }
  }
}

void Leaves::evaluate(const Root& root, const Tiling& tiling, std::size_t place, Orders& orders) {
  if (place == orders.size()) {
    build_nest(frame_.rules, root.keeps(), tiling, orders, nest_);
    ++evaluated_;
    best_ = std::min(best_, score(frame_.objective, evaluator_.evaluate(nest_)));
    return;
  }
  for (const std::vector<DimId>& order : orders_[place]) {
    orders[place] = order;
    evaluate(root, tiling, place + 1, orders);
  }
}

}  // namespace tilewright::verify
