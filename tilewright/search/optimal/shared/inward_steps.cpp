// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/inward_steps.h"

#include <algorithm>

namespace tilewright {
namespace {

std::vector<FactorRule> reversed(std::span<const FactorRule> rules) {
  return {rules.rbegin(), rules.rend()};
}

}  // namespace

InwardSteps::InwardSteps(std::int64_t size, std::span<const FactorRule> rules)
    : splits_(size, reversed(rules)), steps_(rules.size()) {
  const std::size_t counts = splits_.counts().size();
  std::vector<bool> reached(counts, false);
  reached[0] = true;
  for (std::size_t place = rules.size(); place-- > 0;) {
    const int slot = static_cast<int>(rules.size() - 1 - place);
    auto& table = steps_[place];
    table.resize(counts);
    std::vector<bool> next(counts, false);
    for (std::size_t c = 0; c < counts; ++c) {
      if (!reached[c]) continue;
      for (const Splits::Step& step : splits_.steps(slot, static_cast<int>(c))) {
        next[static_cast<std::size_t>(step.next)] = true;
        table[static_cast<std::size_t>(step.next)].push_back(
            {static_cast<int>(c), splits_.counts()[c], step.first, step.last});
      }
    }
    for (auto& list : table) std::ranges::stable_sort(list, {}, &Step::count);
    reached = std::move(next);
  }
  possible_ = splits_.end() >= 0 && reached[static_cast<std::size_t>(splits_.end())];
}

std::vector<std::int64_t> InwardSteps::factors(int place) const {
  std::vector<std::int64_t> result;
  for (const auto& list : steps_[static_cast<std::size_t>(place)]) {
    for (const Step& step : list) {
      for (std::int64_t factor = step.first; factor <= step.last; ++factor) {
        result.push_back(factor);
      }
    }
  }
  std::ranges::sort(result);
  const auto same = std::ranges::unique(result);
  result.erase(same.begin(), same.end());
  return result;
}

DimChain::DimChain(const InwardSteps& steps, std::span<const std::int64_t> fixed,
                   std::span<const std::int64_t> least) {
  const std::size_t places = fixed.size();
  // Counts that can be reached from outside, by their numbers in `steps`.
  struct Reached {
    std::int64_t count;
    int number;
    auto operator<=>(const Reached&) const = default;
  };
  const auto allowed = [&](std::size_t place, const InwardSteps::Step& step) {
    return fixed[place] == 0 || (step.first <= fixed[place] && fixed[place] <= step.last);
  };
  std::vector<std::vector<Reached>> reached(places + 1);
  if (steps.possible()) reached[0] = {{1, steps.outermost()}};
  for (std::size_t p = 0; p < places; ++p) {
    for (const Reached& from : reached[p]) {
      for (const auto& step : steps.steps(static_cast<int>(p), from.number)) {
        const bool enough = p + 1 == places || step.count >= least[p + 1];
        if (enough && allowed(p, step)) reached[p + 1].push_back({step.count, step.inner});
      }
    }
    std::ranges::sort(reached[p + 1]);
    const auto same = std::ranges::unique(reached[p + 1]);
    reached[p + 1].erase(same.begin(), same.end());
  }
  // Those of them from which the whole size can be reached.
  counts_.resize(places + 1);
  ways_.resize(places);
  outer_.resize(places);
  same_.resize(places);
  for (const Reached& at : reached[places]) counts_[places].push_back(at.count);
  for (std::size_t p = places; p-- > 0;) {
    const auto& inside = counts_[p + 1];
    outer_[p].assign(inside.size(), -1);
    for (const Reached& from : reached[p]) {
      std::vector<Way> ways;
      int same = -1;
      for (const auto& step : steps.steps(static_cast<int>(p), from.number)) {
        const auto at = std::ranges::lower_bound(inside, step.count);
        if (!allowed(p, step) || at == inside.end() || *at != step.count) continue;
        const int inner = static_cast<int>(at - inside.begin());
        const std::int64_t one = fixed[p];
        ways.push_back({inner, one != 0 ? one : step.first, one != 0 ? one : step.last});
        outer_[p][static_cast<std::size_t>(inner)] = static_cast<int>(counts_[p].size());
        if (step.count == from.count && step.first == 1) same = inner;
      }
      if (ways.empty()) continue;
      counts_[p].push_back(from.count);
      ways_[p].push_back(std::move(ways));
      same_[p].push_back(same);
    }
  }
  largest_ = counts_;
}

DimChain DimChain::coarse(double ratio) const {
  DimChain result;
  const std::size_t boundaries = counts_.size();
  // The same limits at all boundaries: a count that stays the same stays where it is.
  const std::int64_t size = counts_.back().empty() ? 1 : counts_.back().back();
  const auto limit_of = [&](std::int64_t count) {  // the last count of its kind
    std::int64_t last = 1;
    while (last < count) {
      last = std::max(last + 1, static_cast<std::int64_t>(static_cast<double>(last) * ratio));
    }
    return count == size ? size : std::min(last, size - 1);
  };
  std::vector<std::vector<int>> together(boundaries);  // where each count went
  std::vector<std::vector<std::int64_t>> limits(boundaries);
  result.counts_.resize(boundaries);
  result.largest_.resize(boundaries);
  for (std::size_t p = 0; p < boundaries; ++p) {
    for (const std::int64_t count : counts_[p]) {
      const std::int64_t limit = limit_of(count);
      if (limits[p].empty() || limits[p].back() != limit) {
        limits[p].push_back(limit);
        result.counts_[p].push_back(count);
        result.largest_[p].push_back(count);
      }
      result.largest_[p].back() = count;
      together[p].push_back(static_cast<int>(limits[p].size()) - 1);
    }
  }
  result.ways_.resize(boundaries - 1);
  result.outer_.resize(boundaries - 1);
  result.same_.resize(boundaries - 1);
  for (std::size_t p = 0; p + 1 < boundaries; ++p) {
    result.ways_[p].resize(limits[p].size());
    result.same_[p].assign(limits[p].size(), -1);
    result.outer_[p].assign(limits[p + 1].size(), -1);
    for (std::size_t c = 0; c < counts_[p].size(); ++c) {
      const std::size_t outer = static_cast<std::size_t>(together[p][c]);
      for (const Way& way : ways_[p][c]) {
        result.ways_[p][outer].push_back({together[p + 1][static_cast<std::size_t>(way.inner)]});
      }
      if (same_[p][c] >= 0) {
        result.same_[p][outer] = together[p + 1][static_cast<std::size_t>(same_[p][c])];
      }
    }
    for (std::vector<Way>& ways : result.ways_[p]) {
      std::ranges::sort(ways, {}, &Way::inner);
      const auto rest = std::ranges::unique(ways, {}, &Way::inner);
      ways.erase(rest.begin(), rest.end());
    }
    for (std::size_t c = counts_[p + 1].size(); c-- > 0;) {  // the least one comes last
      const int outer = outer_[p][c];
      if (outer < 0) continue;
      result.outer_[p][static_cast<std::size_t>(together[p + 1][c])] =
          together[p][static_cast<std::size_t>(outer)];
    }
  }
  return result;
}

std::size_t DimChain::bytes() const {
  std::size_t result = sizeof(DimChain);
  for (const auto& counts : counts_) result += 3 * counts.size() * sizeof(std::int64_t);
  for (const auto& place : ways_) {
    for (const std::vector<Way>& ways : place) result += sizeof(ways) + ways.size() * sizeof(Way);
  }
  return result;
}

const DimChain::Way* DimChain::way(std::size_t place, int outer, int inner) const {
  const auto list = ways(place, outer);
  const auto at = std::ranges::lower_bound(list, inner, {}, &Way::inner);
  return at == list.end() || at->inner != inner ? nullptr : &*at;
}

}  // namespace tilewright
