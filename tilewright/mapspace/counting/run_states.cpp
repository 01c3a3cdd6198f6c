// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/counting/run_states.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

std::vector<std::uint32_t> subsets_of_size(std::size_t blocks, std::int64_t size) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t set = 0; set < 1U << blocks; ++set) {
    if (std::popcount(set) == size) result.push_back(set);
  }
  return result;
}

std::vector<int> with(std::vector<int> loops, std::uint32_t blocks) {
  for (std::size_t b = 0; b < loops.size(); ++b) loops[b] += static_cast<int>(blocks >> b & 1U);
  return loops;
}

}  // namespace

KeepCounts count_keeps(const KeepRule& rule) {
  if ((rule.required & ~rule.allowed) != 0) return {0, 0};
  const Natural all = std::uint64_t{1} << std::popcount(rule.allowed & ~rule.required);
  return {rule.required != 0 ? all : all - 1, rule.must_loop ? Natural() : all};
}

RunStates::RunStates(std::vector<KeepCounts> blocks, int dims, bool fixed)
    : blocks_(std::move(blocks)) {
  TW_CHECK(!fixed || blocks_.size() == 1, "only a block of its own fixes its order");
  states_.emplace_back(blocks_.size() + 1, 0);
  std::map<Histogram, int> numbers = {{states_[0], 0}};
  for (std::size_t i = 0; i < states_.size(); ++i) {  // grows on the way
    for (std::size_t j = 0; j <= blocks_.size(); ++j) {
      Histogram then = states_[i];
      const bool flag = j == blocks_.size();
      then[j] = flag ? 1 : then[j] + 1;
      const bool possible =
          (!flag || fixed) && std::accumulate(then.begin(), then.end(), 0) <= dims;
      if (possible && numbers.emplace(then, size()).second) states_.push_back(then);
      next_.push_back(possible ? numbers.at(then) : -1);
    }
  }
  for (const Histogram& state : states_) {
    if (blocks_.size() == 1) {
      weights_.push_back(block_weight(0, state[0], state[1] != 0));
    } else {
      weights_.push_back(assign(state, Loops(blocks_.size(), 0)));
    }
  }
}

int RunStates::dims_in(int state) const {
  const Histogram& histogram = states_[static_cast<std::size_t>(state)];
  return std::accumulate(histogram.begin(), histogram.end(), 0);
}

Natural RunStates::block_weight(std::size_t block, int free, bool fixed) const {
  const KeepCounts& keeps = blocks_[block];
  return factorial(free) * (free > 0 || fixed ? keeps.some : keeps.any);
}

// Goes through the dims by falling activity.
Natural RunStates::assign(const Histogram& left, const Loops& loops) const {
  std::size_t j = blocks_.size();
  while (j > 0 && left[j - 1] == 0) --j;
  if (j == 0) {
    Natural product = 1;
    for (std::size_t b = 0; b < loops.size(); ++b) product *= block_weight(b, loops[b], false);
    return product;
  }
  const auto key = std::make_pair(left, loops);
  if (const auto known = assigned_.find(key); known != assigned_.end()) return known->second;
  Histogram rest = left;
  --rest[j - 1];
  Natural sum;
  for (const std::uint32_t set : subsets_of_size(blocks_.size(), static_cast<std::int64_t>(j))) {
    sum += assign(rest, with(loops, set));
  }
  return assigned_[key] = sum;
}

std::vector<std::size_t> RunStates::by_activity(const std::vector<std::int64_t>& active) const {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < active.size(); ++d) {
    if (active[d] > 0) dims.push_back(d);
  }
  std::ranges::stable_sort(dims,
                           [&](std::size_t a, std::size_t b) { return active[a] > active[b]; });
  return dims;
}

std::vector<std::uint32_t> RunStates::unrank(const std::vector<std::int64_t>& active,
                                             Natural& rank) const {
  std::vector<std::uint32_t> result(active.size(), 0);
  if (blocks_.size() == 1) {
    for (std::size_t d = 0; d < active.size(); ++d) result[d] = active[d] > 0 ? 1 : 0;
    return result;
  }
  Histogram left(blocks_.size() + 1, 0);
  for (const std::int64_t blocks : active) {
    if (blocks > 0) ++left[static_cast<std::size_t>(blocks - 1)];
  }
  Loops loops(blocks_.size(), 0);
  for (const std::size_t d : by_activity(active)) {
    --left[static_cast<std::size_t>(active[d] - 1)];
    for (const std::uint32_t set : subsets_of_size(blocks_.size(), active[d])) {
      const Natural ways = assign(left, with(loops, set));
      if (rank < ways) {
        loops = with(loops, set);
        result[d] = set;
        break;
      }
      rank -= ways;
    }
  }
  return result;
}

void RunStates::rank(const std::vector<std::int64_t>& active,
                     const std::vector<std::uint32_t>& blocks, Natural& rank) const {
  if (blocks_.size() == 1) return;
  Histogram left(blocks_.size() + 1, 0);
  for (const std::int64_t count : active) {
    if (count > 0) ++left[static_cast<std::size_t>(count - 1)];
  }
  Loops loops(blocks_.size(), 0);
  for (const std::size_t d : by_activity(active)) {
    --left[static_cast<std::size_t>(active[d] - 1)];
    for (const std::uint32_t set : subsets_of_size(blocks_.size(), active[d])) {
      if (set == blocks[d]) break;
      rank += assign(left, with(loops, set));
    }
    loops = with(loops, blocks[d]);
  }
}

}  // namespace tilewright
