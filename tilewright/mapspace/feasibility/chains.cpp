// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/feasibility/chains.h"

#include <algorithm>
#include <map>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

std::size_t pos(int i) { return static_cast<std::size_t>(i); }

// From the innermost place outwards, keeping of the partial chains those that no other dominates.
class ChainFinder {
 public:
  ChainFinder(const Rules& rules, const std::vector<PlaceCost>& costs, const TileLimits& limits,
              const Workload& workload, DimId dim)
      : rules_(rules), costs_(costs), dim_(dim), size_(workload.dim(dim).size) {
    find_most_extents(limits, workload.dims().size());
  }

  std::vector<Chain> find() const {
    Chain start;
    start.factors.assign(costs_.size(), 1);
    start.left = size_;
    for (const PlaceCost& cost : costs_) {
      if (std::max(cost.extent, cost.spread) >= 0) start.costs.push_back(1);
    }
    std::vector<Chain> chains = {start};
    for (int place = static_cast<int>(costs_.size()) - 1; place >= 0; --place) {
      chains = advance(chains, place);
    }
    return chains;
  }

 private:
  // Partial chains that are equal in what must be equal.
  using Fronts = std::map<std::vector<std::int64_t>, std::vector<Chain>>;

  const FactorRule& rule(int place) const { return rules_.places[pos(place)].rules[dim_.pos()]; }

  // For every place the largest extent that fits with all other dims at 1.
  void find_most_extents(const TileLimits& limits, std::size_t dims) {
    for (const PlaceCost& cost : costs_) {
      most_extent_.push_back(size_);
      concerned_.push_back(cost.extent >= 0 && limits.concerns(cost.memory, dim_));
      if (!concerned_.back()) continue;
      std::int64_t fits = 0;
      std::int64_t over = size_ + 1;
      while (over - fits > 1) {
        const std::int64_t middle = fits + (over - fits) / 2;
        std::vector<std::int64_t> extents(dims, 1);
        extents[dim_.pos()] = middle;
        (limits.fits(cost.memory, extents) ? fits : over) = middle;
      }
      most_extent_.back() = fits;
    }
  }

  // True if a block takes whatever is left, at no cost but the extent inside its keep node.
  bool absorbs(int place) const {
    const PlaceCost& cost = costs_[pos(place)];
    return cost.memory >= 0 && !cost.closed && rule(place).most >= size_;
  }
  bool takes_none(int place) const { return costs_[pos(place)].closed || rule(place).most <= 1; }
  bool may_skip(int place) const {
    return rule(place).least <= 1 && costs_[pos(place)].demand == 0;
  }

  // When is one of two chains that are split down to `place` at least as good as the other, though
  // what is left differs? If a block further out takes the difference, and at the places up to
  // there the one can do what the other does, or nothing.
  enum class Compare {
    kSame,    // only what has the same left can be compared
    kMore,    // more left is no worse: no loop stands outside that block, it takes all
    kFactor,  // an extent is no worse than its multiples: the block multiplies by the rest
    kExact,   // the same, but only without remainders
  };

  Compare compare_inside(int place) const {
    Compare nearest = Compare::kSame;
    bool remainders = false;  // at a place up to the block
    for (int p = place - 1; p >= 0; --p) {
      if (absorbs(p)) {
        bool last = true;
        for (int outer = 0; outer < p; ++outer) last = last && takes_none(outer);
        if (last) return Compare::kMore;
        if (nearest == Compare::kSame && !remainders) nearest = Compare::kExact;
        if (nearest != Compare::kFactor && rule(p).remainder) nearest = Compare::kFactor;
      }
      if (!rule(p).remainder && !may_skip(p)) break;
      remainders = remainders || rule(p).remainder;
    }
    return nearest;
  }

  bool no_worse(const Chain& a, const Chain& b, Compare compare) const {
    if (a.extent > b.extent || !std::ranges::equal(a.costs, b.costs, std::less_equal<>())) {
      return false;
    }
    if (compare == Compare::kSame || a.left == b.left) return a.left == b.left;
    if (compare == Compare::kMore || b.left == 1) return a.left >= b.left;
    const bool exact = a.left * a.extent == size_ && b.left * b.extent == size_;
    return b.extent % a.extent == 0 && (compare == Compare::kFactor || exact);
  }

  std::vector<Chain> advance(const std::vector<Chain>& chains, int place) const {
    const Compare compare = compare_inside(place);
    Fronts fronts;
    for (const Chain& chain : chains) {
      const std::int64_t most =
          costs_[pos(place)].closed ? 1 : std::min(rule(place).most, chain.left);
      std::int64_t factor = std::max<std::int64_t>(1, rule(place).least);
      while (factor <= most) {
        const bool allowed = rule(place).remainder || chain.left % factor == 0;
        if (allowed && (place > 0 || factor == chain.left)) {
          add(fronts, extended(chain, place, factor), compare);
        }
        factor = next_factor(place, chain.left, factor);
      }
    }
    std::vector<Chain> all;
    for (auto& [key, front] : fronts) std::ranges::move(front, std::back_inserter(all));
    return all;
  }

  // The smallest factor that leaves less: the least extent for what is left, and every divisor is
  // one of these. Where children are demanded more of them may be better.
  std::int64_t next_factor(int place, std::int64_t left, std::int64_t factor) const {
    if (rule(place).remainder && factor < costs_[pos(place)].demand) return factor + 1;
    const std::int64_t after = ceil_div(left, factor);
    return after == 1 ? FactorRule::kNoLimit : ceil_div(left, after - 1);
  }

  Chain extended(const Chain& chain, int place, std::int64_t factor) const {
    Chain next = chain;
    next.factors[pos(place)] = factor;
    next.left = ceil_div(chain.left, factor);
    next.extent = next.left == 1 ? size_ : chain.extent * factor;
    const PlaceCost& cost = costs_[pos(place)];
    if (concerned_[pos(place)]) next.costs[pos(cost.extent)] = next.extent;
    if (cost.spread >= 0) next.costs[pos(cost.spread)] = factor;
    return next;
  }

  void add(Fronts& fronts, Chain chain, Compare compare) const {
    std::vector<std::int64_t> key;
    if (compare == Compare::kSame) key.push_back(chain.left);
    for (std::size_t p = 0; p < costs_.size(); ++p) {
      if (costs_[p].demand > 0) key.push_back(chain.factors[p]);
      if (concerned_[p] && chain.costs[pos(costs_[p].extent)] > most_extent_[p]) return;
    }
    std::vector<Chain>& front = fronts[key];
    if (std::ranges::any_of(front, [&](const Chain& c) { return no_worse(c, chain, compare); }))
      return;
    std::erase_if(front, [&](const Chain& c) { return no_worse(chain, c, compare); });
    front.push_back(std::move(chain));
  }

  const Rules& rules_;
  const std::vector<PlaceCost>& costs_;
  DimId dim_;
  std::int64_t size_;
  std::vector<bool> concerned_;            // by place: whether the extent there matters
  std::vector<std::int64_t> most_extent_;  // by place
};

}  // namespace

std::vector<PlaceCost> make_costs(const Rules& rules, const TileLimits& limits,
                                  const std::vector<Block>& blocks) {
  std::vector<PlaceCost> costs;
  int next = 0;
  int memory = 0;
  for (const Place& place : rules.places) {
    PlaceCost& cost = costs.emplace_back();
    if (place.is_block()) {
      cost.memory = memory++;
      const Block block = blocks[pos(cost.memory)];
      if (block == Block::kHeld && limits.limited(cost.memory)) cost.extent = next++;
      cost.closed = block == Block::kClosed;
      continue;
    }
    cost.spread = next++;
    for (const FanoutRule& fanout : rules.fanouts) {
      if (fanout.fanout == place.node && fanout.least_children > 1) {
        cost.demand = fanout.least_children;
      }
    }
  }
  return costs;
}

std::vector<Chain> find_chains(const Rules& rules, const std::vector<PlaceCost>& costs,
                               const TileLimits& limits, const Workload& workload, DimId dim) {
  return ChainFinder(rules, costs, limits, workload, dim).find();
}

}  // namespace tilewright
