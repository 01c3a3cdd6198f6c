// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/chains.h"

#include <algorithm>
#include <map>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

std::size_t pos(int i) { return static_cast<std::size_t>(i); }

// From the innermost place outwards, keeping of the partial chains those that no other dominates.
class ChainFinder {
 public:
  ChainFinder(const Rules& rules, const std::vector<PlaceCost>& costs, const Fit& fit,
              const Workload& workload, DimId dim)
      : rules_(rules), costs_(costs), dim_(dim), size_(workload.dim(dim).size) {
    find_most_extents(fit, workload.dims().size());
    find_absorber(fit);
  }

  std::vector<Chain> find() const {
    Chain start;
    start.factors.assign(costs_.size(), 1);
    start.left = size_;
    for (const PlaceCost& cost : costs_) {
      start.costs.resize(std::max(start.costs.size(), pos(most_position(cost) + 1)), 0);
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

  static int most_position(const PlaceCost& cost) {
    return std::max({cost.extent, cost.open, cost.spread});
  }
  const FactorRule& rule(int place) const { return rules_.places[pos(place)].rules[dim_.pos()]; }

  // For every place the largest extent that fits with all other dims at 1.
  void find_most_extents(const Fit& fit, std::size_t dims) {
    int memory = 0;
    for (std::size_t p = 0; p < costs_.size(); ++p) {
      most_extent_.push_back(size_);
      if (!rules_.places[p].is_block()) continue;
      const int m = memory++;
      if (costs_[p].extent < 0) continue;
      std::int64_t fits = 0;
      std::int64_t over = size_ + 1;
      while (over - fits > 1) {
        const std::int64_t middle = fits + (over - fits) / 2;
        std::vector<std::int64_t> extents(dims, 1);
        extents[dim_.pos()] = middle;
        (fit.fits(m, extents) ? fits : over) = middle;
      }
      most_extent_.back() = fits;
    }
  }

  // The outermost place with loops over the dim, if it takes whatever is left: a block that is open
  // anyway. The extent inside its keep node is the whole dim in every chain.
  void find_absorber(const Fit& fit) {
    int memory = 0;
    for (std::size_t p = 0; p < costs_.size(); ++p) {
      const bool block = rules_.places[p].is_block();
      const bool required = block && !fit.optional(memory);
      if (block) ++memory;
      const FactorRule& here = rule(static_cast<int>(p));
      if (costs_[p].closed || here.most <= 1) continue;
      if (required && here.most >= size_) absorber_ = static_cast<int>(p);
      return;
    }
  }

  // True if of two chains that are split down to `place` the one with more left is at least as
  // good: it can do at every place outside what the other does, or nothing, and the absorber takes
  // the rest.
  bool more_left_is_no_worse(int place) const {
    if (absorber_ < 0 || place <= absorber_) return false;
    for (int p = absorber_ + 1; p < place; ++p) {
      const bool may_skip = rule(p).least <= 1 && costs_[pos(p)].demand == 0;
      if (!rule(p).remainder && !may_skip) return false;
    }
    return true;
  }

  std::vector<Chain> advance(const std::vector<Chain>& chains, int place) const {
    const bool absorbed = more_left_is_no_worse(place);
    Fronts fronts;
    for (const Chain& chain : chains) {
      const std::int64_t most =
          costs_[pos(place)].closed ? 1 : std::min(rule(place).most, chain.left);
      std::int64_t factor = std::max<std::int64_t>(1, rule(place).least);
      while (factor <= most) {
        const bool allowed = rule(place).remainder || chain.left % factor == 0;
        if (allowed && (place > 0 || factor == chain.left)) {
          add(fronts, extended(chain, place, factor), absorbed);
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
    if (cost.extent >= 0) next.costs[pos(cost.extent)] = next.extent;
    if (cost.open >= 0) next.costs[pos(cost.open)] = factor > 1 ? 1 : 0;
    if (cost.spread >= 0) next.costs[pos(cost.spread)] = factor;
    return next;
  }

  void add(Fronts& fronts, Chain chain, bool absorbed) const {
    std::vector<std::int64_t> key;
    if (!absorbed) key.push_back(chain.left);
    for (std::size_t p = 0; p < costs_.size(); ++p) {
      if (costs_[p].demand > 0) key.push_back(chain.factors[p]);
      const bool holds = costs_[p].open < 0 || chain.costs[pos(costs_[p].open)] > 0;
      if (costs_[p].extent < 0 || !holds) continue;
      if (chain.costs[pos(costs_[p].extent)] > most_extent_[p]) return;
    }
    std::vector<Chain>& front = fronts[key];
    const auto no_worse = [](const Chain& a, const Chain& b) {
      return a.left >= b.left && a.extent <= b.extent &&
             std::ranges::equal(a.costs, b.costs, std::less_equal<>());
    };
    if (std::ranges::any_of(front, [&](const Chain& c) { return no_worse(c, chain); })) return;
    std::erase_if(front, [&](const Chain& c) { return no_worse(chain, c); });
    front.push_back(std::move(chain));
  }

  const Rules& rules_;
  const std::vector<PlaceCost>& costs_;
  DimId dim_;
  std::int64_t size_;
  int absorber_ = -1;
  std::vector<std::int64_t> most_extent_;  // by place
};

}  // namespace

std::vector<PlaceCost> make_costs(const Rules& rules, const Fit& fit) {
  std::vector<PlaceCost> costs;
  int next = 0;
  int memory = 0;
  for (const Place& place : rules.places) {
    PlaceCost& cost = costs.emplace_back();
    if (place.is_block()) {
      const int m = memory++;
      if (fit.limited(m)) cost.extent = next++;
      if (fit.limited(m) && fit.optional(m)) cost.open = next++;
      cost.closed = fit.keep(m).allowed == 0;
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
                               const Fit& fit, const Workload& workload, DimId dim) {
  return ChainFinder(rules, costs, fit, workload, dim).find();
}

}  // namespace tilewright
