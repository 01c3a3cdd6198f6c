// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tree/splits.h"

#include <algorithm>
#include <functional>
#include <set>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"

namespace tilewright::verify {
namespace {

constexpr std::int64_t kLargestRagged = std::int64_t{1} << 20U;
constexpr std::int64_t kLargestPerfect = std::int64_t{1} << 44U;

}  // namespace

Splits::Splits(const Frame& frame, int dim) : frame_(frame), dim_(dim) {
  refuse_large();
  for (std::size_t f = 0; f < frame.fanouts.size(); ++f) {
    stands_.emplace_back();
    Stand stand;
    add_stands(static_cast<int>(f), 0, 1, stand);
  }
  std::vector<std::int64_t> factors;
  Stand all;
  add_options(0, factors, all);
  std::ranges::sort(options_, {}, &Option::factors);
}

// No search lists the ways to split such dims either.
void Splits::refuse_large() const {
  const std::int64_t size = frame_.sizes[pos(dim_)];
  for (const Place& place : frame_.rules.places) {
    const FactorRule& rule = place.rules[pos(dim_)];
    if (rule.most > 1 && size > (rule.remainder ? kLargestRagged : kLargestPerfect)) {
      throw OverflowError("a dim of " + std::to_string(size) + " has too many ways to be split");
    }
  }
}

// All factors on the axes that the rules allow and that the dim has room for: outside an axis of
// factor s lie at least s tiles.
void Splits::add_stands(int fanout, std::size_t axis, std::int64_t least, Stand& stand) {
  const FanoutView& view = frame_.fanouts[pos(fanout)];
  if (axis == view.places.size()) {
    std::int64_t product = 1;
    for (const std::int64_t factor : stand) product = checked_mul(product, factor);
    stands_[pos(fanout)][product].push_back(stand);
    return;
  }
  const FactorRule& rule = frame_.rules.places[pos(view.places[axis])].rules[pos(dim_)];
  const std::int64_t size = frame_.sizes[pos(dim_)];
  const std::int64_t most = std::min(rule.most, size);
  const bool full = least == 1 || !rule.remainder;
  const auto add = [&](std::int64_t s) {
    const std::int64_t behind = full ? checked_mul(least, s) : checked_mul(least - 1, s) + 1;
    if (behind > size) return false;
    stand.push_back(s);
    add_stands(fanout, axis + 1, behind, stand);
    stand.pop_back();
    return true;
  };
  if (!has(frame_.ragged, dim_)) {  // then every factor divides the whole dim
    for (const std::int64_t s : divisors(size)) {
      if (s >= rule.least && s <= most) add(s);
    }
    return;
  }
  for (std::int64_t s = std::max<std::int64_t>(1, rule.least); s <= most && add(s); ++s) {
  }
}

void Splits::add_options(std::size_t fanout, std::vector<std::int64_t>& factors, Stand& all) {
  if (fanout == stands_.size()) {
    const auto found = std::ranges::find(options_, factors, &Option::factors);
    if (found != options_.end()) {
      found->stands.push_back(all);
      return;
    }
    if (chain(factors, ~0U).possible) options_.push_back({factors, {all}});
    return;
  }
  for (const auto& [product, stands] : stands_[fanout]) {
    factors.push_back(product);
    for (const Stand& stand : stands) {
      all.insert(all.end(), stand.begin(), stand.end());
      add_options(fanout + 1, factors, all);
      all.resize(all.size() - stand.size());
    }
    factors.pop_back();
  }
}

// Its factors on the axes of one fan-out.
Stand Splits::on_fanout(const Stand& stand, int fanout) const {
  std::size_t begin = 0;
  for (int f = 0; f < fanout; ++f) begin += frame_.fanouts[pos(f)].places.size();
  const auto first = stand.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(frame_.fanouts[pos(fanout)].places.size())};
}

bool Splits::allows(const Stand& stand) const {
  for (std::size_t f = 0; f < stands_.size(); ++f) {
    const Stand here = on_fanout(stand, static_cast<int>(f));
    std::int64_t product = 1;
    for (const std::int64_t factor : here) product = checked_mul(product, factor);
    const auto found = stands_[f].find(product);
    if (found == stands_[f].end() ||
        std::ranges::find(found->second, here) == found->second.end()) {
      return false;
    }
  }
  return true;
}

bool Splits::may_stand(int fanout, const Stand& stand, std::int64_t inside) const {
  const FanoutView& view = frame_.fanouts[pos(fanout)];
  for (std::size_t a = stand.size(); a-- > 0;) {
    const FactorRule& rule = frame_.rules.places[pos(view.places[a])].rules[pos(dim_)];
    if (stand[a] > inside || (!rule.remainder && inside % stand[a] != 0)) return false;
    inside = ceil_div(inside, stand[a]);
  }
  return true;
}

// Whether smaller factors on the same axes, fewer children in all, split the count as well and
// leave nothing outside.
bool Splits::is_beaten(int fanout, const Stand& stand, std::int64_t inside) const {
  std::int64_t children = 1;
  for (const std::int64_t factor : stand) children *= factor;
  for (const auto& [product, others] : stands_[pos(fanout)]) {
    if (product >= children || product < inside) continue;
    for (const Stand& other : others) {
      if (std::ranges::equal(other, stand, std::less_equal{}) && may_stand(fanout, other, inside)) {
        return true;
      }
    }
  }
  return false;
}

// Whether some way to stand splits the count so. If more children stand there than there are tiles
// (possible on several axes only), nothing lies outside, and with smaller factors on the same axes
// the nest would be the same: it is left to those. If a way is possible beside the other dims, so
// are smaller factors on its axes.
bool Splits::passes(int fanout, const Wanted& wanted, std::int64_t inside) const {
  const std::int64_t factor = wanted.factors[pos(fanout)];
  const bool idle = factor > inside && frame_.fanouts[pos(fanout)].least_children <= 1;
  bool passes = false;
  if (wanted.stands.empty()) {
    for (const Stand& stand : stands_[pos(fanout)].at(factor)) {
      passes |= may_stand(fanout, stand, inside) && !(idle && is_beaten(fanout, stand, inside));
    }
    return passes;
  }
  for (const Stand& whole : wanted.stands) {
    const Stand stand = on_fanout(whole, fanout);
    if (idle && is_beaten(fanout, stand, inside)) return false;
    passes |= may_stand(fanout, stand, inside);
  }
  return passes;
}

// The count outside all fan-outs of the gap; false if they cannot split it.
bool Splits::through(int gap, const Wanted& wanted, std::int64_t& count) const {
  for (std::size_t f = wanted.factors.size(); f-- > 0;) {
    if (frame_.fanouts[f].gap != gap) continue;
    if (!passes(static_cast<int>(f), wanted, count)) return false;
    count = ceil_div(count, wanted.factors[f]);
  }
  return true;
}

std::vector<std::int64_t> Splits::block_factors(int memory, std::int64_t inside,
                                                std::int64_t outside, bool least_only) const {
  const FactorRule& rule =
      frame_.rules.places[pos(frame_.memories[pos(memory)].place)].rules[pos(dim_)];
  const std::int64_t most = std::min(rule.most, inside);
  std::int64_t factor = std::max(rule.least, ceil_div(inside, outside));
  if (!rule.remainder) {  // one factor divides what is inside by just so much
    const bool divides = inside % outside == 0 && factor == inside / outside && factor <= most;
    return divides ? std::vector{factor} : std::vector<std::int64_t>{};
  }
  std::vector<std::int64_t> factors;
  for (; factor <= most && ceil_div(inside, factor) == outside; ++factor) {
    factors.push_back(factor);
    if (least_only) break;
  }
  return factors;
}

// In any order.
const std::vector<std::int64_t>& Splits::divisors(std::int64_t count) const {
  std::vector<std::int64_t>& known = divisors_[count];
  if (!known.empty()) return known;
  for (std::int64_t divisor = 1; divisor <= count / divisor; ++divisor) {
    if (count % divisor != 0) continue;
    known.push_back(divisor);
    if (divisor != count / divisor) known.push_back(count / divisor);
  }
  return known;
}

std::vector<std::int64_t> Splits::block_counts(int memory, std::int64_t inside, bool open) const {
  const FactorRule& rule =
      frame_.rules.places[pos(frame_.memories[pos(memory)].place)].rules[pos(dim_)];
  std::vector<std::int64_t> outside;
  const std::int64_t most = std::min({rule.most, inside, open ? inside : 1});
  const std::int64_t least = std::max<std::int64_t>(1, rule.least);
  if (!rule.remainder) {
    for (const std::int64_t factor : divisors(inside)) {
      if (factor >= least && factor <= most) outside.push_back(inside / factor);
    }
  }
  for (std::int64_t factor = least; rule.remainder && factor <= most;) {
    const std::int64_t left = ceil_div(inside, factor);
    outside.push_back(left);
    if (left == 1) break;
    factor = (inside - 1) / (left - 1) + 1;  // the next one that leaves less
  }
  std::ranges::sort(outside);
  outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
  return outside;
}

const Chain& Splits::chain(const std::vector<std::int64_t>& factors, std::uint32_t open,
                           const std::vector<Stand>& stands) {
  std::unique_ptr<Chain>& slot = chains_[{factors, open, stands}];
  if (slot) return *slot;
  slot = std::make_unique<Chain>();
  const Wanted wanted{factors, open, stands};
  fill_counts(*slot, wanted);
  slot->possible = slot->counts.front() == std::vector<std::int64_t>{1};
  if (slot->possible) fill_steps(*slot, wanted);
  return *slot;
}

// Counts that the innermost one leads to and that lead to 1.
void Splits::fill_counts(Chain& chain, const Wanted& wanted) const {
  const int memories = frame_.memory_count();
  chain.counts.resize(pos(memories) + 1);
  chain.counts.back() = {frame_.sizes[pos(dim_)]};
  std::vector<std::map<std::int64_t, std::vector<std::int64_t>>> out(pos(memories));
  for (int m = memories - 1; m >= 0; --m) {
    std::set<std::int64_t> reached;
    for (const std::int64_t count : chain.counts[pos(m) + 1]) {
      std::int64_t inside = count;
      if (!through(m, wanted, inside)) continue;
      std::vector<std::int64_t>& steps = out[pos(m)][count];
      steps = block_counts(m, inside, has(wanted.open, m));
      if (m == 0) std::erase_if(steps, [](std::int64_t n) { return n != 1; });
      reached.insert(steps.begin(), steps.end());
    }
    chain.counts[pos(m)].assign(reached.begin(), reached.end());
  }
  for (int m = 0; m < memories; ++m) {
    const auto leads_out = [&](std::int64_t count) {
      return std::ranges::any_of(out[pos(m)][count], [&](std::int64_t n) {
        return std::ranges::binary_search(chain.counts[pos(m)], n);
      });
    };
    std::erase_if(chain.counts[pos(m) + 1], [&](std::int64_t n) { return !leads_out(n); });
  }
  if (chain.counts.back().empty()) chain.counts.front().clear();
}

void Splits::fill_steps(Chain& chain, const Wanted& wanted) const {
  const std::vector<std::int64_t>& factors = wanted.factors;
  const std::size_t memories = pos(frame_.memory_count());
  chain.inside.resize(memories);
  chain.steps.resize(memories);
  chain.may_loop.resize(memories);
  chain.least_active.assign(factors.size(), 0);
  for (std::size_t m = 0; m < memories; ++m) {
    for (const std::int64_t count : chain.counts[m + 1]) {
      std::int64_t inside = count;
      for (std::size_t f = factors.size(); f-- > 0;) {
        if (frame_.fanouts[f].gap != static_cast<int>(m)) continue;
        const double active = static_cast<double>(std::min(inside, factors[f]));
        double& least = chain.least_active[f];
        least = least == 0 ? active : std::min(least, active);
        inside = ceil_div(inside, factors[f]);
      }
      chain.inside[m].push_back(inside);
      std::vector<Chain::Step>& steps = chain.steps[m].emplace_back();
      for (const std::int64_t outside :
           block_counts(static_cast<int>(m), inside, has(wanted.open, static_cast<int>(m)))) {
        const auto found = std::ranges::lower_bound(chain.counts[m], outside);
        if (found == chain.counts[m].end() || *found != outside) continue;
        steps.push_back({static_cast<int>(found - chain.counts[m].begin()), outside != inside});
        chain.may_loop[m] = chain.may_loop[m] || outside != inside;
      }
    }
  }
}

}  // namespace tilewright::verify
