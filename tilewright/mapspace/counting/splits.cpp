// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/counting/splits.h"

#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"

namespace tilewright {
namespace {

// 2 sqrt(size) counts, each with as many steps again: more would be no table any more.
constexpr std::int64_t kLargestImperfect = std::int64_t{1} << 20;
// Divisors are found by trial.
constexpr std::int64_t kLargestPerfect = std::int64_t{1} << 44;
constexpr std::int64_t kLongestTable = 1024;

std::vector<std::int64_t> divisors(std::int64_t n) {
  std::vector<std::int64_t> small;
  std::vector<std::int64_t> large;
  for (std::int64_t d = 1; d <= n / d; ++d) {
    if (n % d != 0) continue;
    small.push_back(d);
    if (d != n / d) large.push_back(n / d);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

}  // namespace

Splits::Splits(std::int64_t size, std::vector<FactorRule> rules) {
  std::vector<FactorRule> kinds;
  for (FactorRule rule : rules) {
    rule.most = std::min(rule.most, size);
    const auto known = std::ranges::find(kinds, rule);
    table_of_slot_.push_back(static_cast<int>(known - kinds.begin()));
    if (known == kinds.end()) kinds.push_back(rule);
    const bool may_split = rule.most > 1;
    if (may_split && size > (rule.remainder ? kLargestImperfect : kLargestPerfect)) {
      throw OverflowError("a dim of " + std::to_string(size) +
                          " is too large to list the ways to split it");
    }
  }
  tables_.resize(kinds.size());
  number_of(size);
  for (std::size_t i = 0; i < counts_.size(); ++i) {  // grows on the way
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      tables_[k].push_back(make_steps(kinds[k], counts_[i]));
    }
  }
}

int Splits::number_of(std::int64_t count) {
  const auto [it, added] = numbers_.emplace(count, static_cast<int>(counts_.size()));
  if (added) {
    counts_.push_back(count);
    if (count == 1) end_ = it->second;
  }
  return it->second;
}

void Splits::add_step(std::int64_t left, std::int64_t first, std::int64_t last,
                      std::vector<Step>& steps) {
  steps.push_back({number_of(left), first, last});
}

std::vector<Splits::Step> Splits::make_steps(const FactorRule& rule, std::int64_t count) {
  std::vector<Step> steps;
  const std::int64_t most = std::min(rule.most, count);
  if (!rule.remainder && most > 1) {
    for (const std::int64_t factor : divisors(count)) {
      if (factor < rule.least || factor > most) continue;
      add_step(count / factor, factor, factor, steps);
    }
    return steps;
  }
  for (std::int64_t first = rule.least; first <= most;) {
    const std::int64_t left = ceil_div(count, first);
    const std::int64_t last = left == 1 ? most : std::min(most, (count - 1) / (left - 1));
    add_step(left, first, last, steps);
    first = last + 1;
  }
  return steps;
}

int ArrayStates::AxisState::next(int at, std::int64_t factor) const {
  const std::int64_t value = values[static_cast<std::size_t>(at)];
  if (exact ? factor > size / value : factor > value) return -1;
  const std::int64_t then = exact ? value * factor : value / factor;
  return static_cast<int>(std::ranges::lower_bound(values, then) - values.begin());
}

void ArrayStates::AxisState::fill_table() {
  if (size > kLongestTable) return;
  for (int at = 0; at < static_cast<int>(values.size()); ++at) {
    for (std::int64_t factor = 0; factor <= size; ++factor) {
      table.push_back(static_cast<std::int16_t>(factor == 0 ? -1 : next(at, factor)));
    }
  }
}

ArrayStates::ArrayStates(const Rules& rules) {
  std::vector<std::vector<std::size_t>> axes_of_fanout;
  for (const FanoutRule& fanout : rules.fanouts) {
    axes_of_fanout.emplace_back();
    for (const std::int64_t size : fanout.axis_sizes) {
      AxisState axis{size, fanout.least_children > 1, {}, size_};
      for (std::int64_t v = 1; v <= size; v = axis.exact ? v + 1 : size / (size / (v + 1))) {
        axis.values.push_back(v);
        if (v == size) break;
      }
      if (!axis.exact) {  // every floor(size / product)
        for (std::int64_t& v : axis.values) v = size / v;
        std::ranges::sort(axis.values);
        const auto same = std::ranges::unique(axis.values);
        axis.values.erase(same.begin(), same.end());
      }
      start_ += size_ * (axis.exact ? 0 : static_cast<int>(axis.values.size()) - 1);
      size_ = static_cast<int>(checked_mul(size_, static_cast<std::int64_t>(axis.values.size())));
      axis.fill_table();
      axes_of_fanout.back().push_back(axes_.size());
      axes_.push_back(std::move(axis));
    }
  }
  int axis = 0;
  for (const Place& place : rules.places) {
    axis_of_place_.push_back(place.is_block() ? -1 : axis++);
  }
  for (int state = 0; state < size_; ++state) {
    bool enough = true;
    for (std::size_t f = 0; f < rules.fanouts.size(); ++f) {
      if (rules.fanouts[f].least_children <= 1) continue;
      std::int64_t children = 1;
      for (const std::size_t a : axes_of_fanout[f]) {
        const int at = state / axes_[a].stride % static_cast<int>(axes_[a].values.size());
        children = checked_mul(children, axes_[a].values[static_cast<std::size_t>(at)]);
      }
      enough &= children >= rules.fanouts[f].least_children;
    }
    accepts_.push_back(enough);
  }
}

int ArrayStates::next(int state, int place, std::int64_t factor) const {
  if (factor == 1) return state;
  const AxisState& axis =
      axes_[static_cast<std::size_t>(axis_of_place_[static_cast<std::size_t>(place)])];
  if (factor > axis.size) return -1;
  const int at = state / axis.stride % static_cast<int>(axis.values.size());
  const int then =
      axis.table.empty()
          ? axis.next(at, factor)
          : axis.table[static_cast<std::size_t>(at) * static_cast<std::size_t>(axis.size + 1) +
                       static_cast<std::size_t>(factor)];
  return then < 0 ? -1 : state + (then - at) * axis.stride;
}

}  // namespace tilewright
