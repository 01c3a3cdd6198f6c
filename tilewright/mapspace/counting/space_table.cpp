// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/counting/space_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/base/stop.h"
#include "tilewright/mapspace/choices/orders.h"

namespace tilewright {
namespace {

DimSet as_set(const std::vector<DimId>& dims) {
  DimSet set = 0;
  for (const DimId dim : dims) set |= DimSet{1} << dim.value;
  return set;
}

// ways * value, added to sum. Nearly always 64 bits of ways are enough.
void add_ways(Natural& sum, std::span<const std::uint64_t> value, Ways ways) {
  sum.add_product(value, static_cast<std::uint64_t>(ways));
  const std::uint64_t high = static_cast<std::uint64_t>(ways >> 64);
  if (high == 0) return;
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 32;
  sum.add_product(Natural(value) * Natural(kHalf) * Natural(kHalf), high);
}

Natural to_natural(Ways ways) {
  const std::array halves = {static_cast<std::uint64_t>(ways),
                             static_cast<std::uint64_t>(ways >> 64)};
  return Natural(halves);
}

Ways to_ways(const Natural& natural) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 32;
  const Natural::Division division = natural.divide(Natural(kHalf) * Natural(kHalf));
  return Ways{division.quotient.to_uint64()} << 64 | division.remainder.to_uint64();
}

// Digit of a mixed-radix number, the lowest first.
Natural take_digit(Natural& rank, const Natural& radix) {
  const Natural::Division division = rank.divide(radix);
  rank = division.quotient;
  return division.remainder;
}

// Number `index` of the sets between required and allowed, the empty one left out if `some`.
TensorSet keep_set(const KeepRule& rule, bool some, std::uint64_t index) {
  if (some && rule.required == 0) ++index;
  TensorSet set = rule.required;
  for (TensorSet free = rule.allowed & ~rule.required; free != 0; free &= free - 1, index >>= 1) {
    if ((index & 1U) != 0) set |= free & (~free + 1);
  }
  return set;
}

std::optional<std::uint64_t> keep_index(const KeepRule& rule, bool some, TensorSet kept) {
  if ((kept & rule.required) != rule.required || (kept & ~rule.allowed) != 0) return std::nullopt;
  if (some ? kept == 0 : rule.must_loop) return std::nullopt;
  std::uint64_t index = 0;
  int bit = 0;
  for (TensorSet free = rule.allowed & ~rule.required; free != 0; free &= free - 1, ++bit) {
    if ((kept & free & (~free + 1)) != 0) index |= std::uint64_t{1} << bit;
  }
  return index - (some && rule.required == 0 ? 1 : 0);
}

}  // namespace

SpaceTable::SpaceTable(const Workload& workload, const Rules& rules, Use use,
                       const std::atomic<bool>* stop)
    : rules_(rules), stop_(stop), array_(rules), stages_(make_stages(rules)) {
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    if (workload.dims()[d].size > 1) {
      order_.push_back(d);
    } else {
      unsplit_.push_back(d);
    }
  }
  std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
    return workload.dims()[a].size > workload.dims()[b].size;
  });
  for (const std::size_t d : order_) {
    std::vector<FactorRule> slots;
    for (std::size_t p = rules.places.size(); p-- > 0;) slots.push_back(rules.places[p].rules[d]);
    dims_.push_back(
        std::make_unique<DimTable>(workload.dims()[d].size, std::move(slots), stages_, stop));
  }
  add_runs(rules);
  for (std::size_t level = 0; level < dims_.size(); ++level) add_dim(level);
  value_.assign(dims_.size(), NaturalRows(static_cast<std::size_t>(array_.size())));
  value_.emplace_back(1);
  for (std::size_t level = dims_.size() + 1; level-- > 0;) {
    fill(level);
    if (use == Use::kSize && level < dims_.size()) {
      value_.pop_back();
      dims_[level].reset();
    }
  }
  size_ = Natural(value(0, 0, dims_.empty() ? 0 : array_.start()));
}

void SpaceTable::add_runs(const Rules& rules) {
  const int dims = static_cast<int>(order_.size());
  keep_of_place_.assign(rules.places.size(), 0);
  std::size_t memory = 0;
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    if (rules.places[p].is_block()) keep_of_place_[p] = memory++;
  }
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    const Stage& stage = stages_[s];
    if (stage.axis) continue;
    std::vector<KeepCounts> keeps;
    for (int i = 0; i < stage.slots; ++i) {
      const std::size_t p = static_cast<std::size_t>(place(stage.first_slot + i));
      keeps.push_back(count_keeps(rules.keeps[keep_of_place_[p]]));
    }
    const Place& block = rules.places[static_cast<std::size_t>(place(stage.first_slot))];
    const DimSet fixed = as_set(block.outermost) | as_set(block.innermost);
    Run run{s, stage.first_slot, RunStates(std::move(keeps), dims, fixed != 0), fixed, {}};
    for (int level = 0; level <= dims; ++level) {
      int within = 0;
      while (within < run.states.size() && run.states.dims_in(within) <= level) ++within;
      run.within.push_back(within);
    }
    runs_.push_back(std::move(run));
  }
}

// A dim of one element has no loop anywhere.
bool SpaceTable::may_be_whole() const {
  if (dims_.empty() && !array_.accepts(array_.start())) return false;
  return std::ranges::all_of(rules_.places, [&](const Place& place) {
    return std::ranges::all_of(unsplit_, [&](std::size_t d) { return place.rules[d].least <= 1; });
  });
}

int SpaceTable::array_after(const Profile& profile, int state, bool last) const {
  for (std::size_t s = 0; s < stages_.size() && state >= 0; ++s) {
    if (stages_[s].axis)
      state = array_.next(state, place(stages_[s].first_slot), profile.choice[s]);
  }
  if (!last || state < 0) return state;
  return array_.accepts(state) ? 0 : -1;
}

std::vector<std::int64_t> SpaceTable::activity(const Profile& profile) const {
  std::vector<std::int64_t> result;
  for (const Run& run : runs_) result.push_back(profile.choice[run.stage]);
  return result;
}

void SpaceTable::add_dim(std::size_t level) {
  DimTable& dim = *dims_[level];
  const bool last = level + 1 == dims_.size();
  std::map<std::vector<std::int64_t>, int> known;
  for (const Profile& profile : dim.profiles.all()) {
    const std::vector<std::int64_t> active = activity(profile);
    const auto [it, added] = known.emplace(active, static_cast<int>(dim.activities.size()));
    if (added) dim.activities.push_back(active);
    dim.activity_of.push_back(it->second);
  }
  const std::size_t kinds = dim.activities.size();
  std::vector<int> group_of(kinds * static_cast<std::size_t>(array_.size()));
  for (int state = 0; state < array_.size(); ++state) {
    check_stop(stop_);
    std::ranges::fill(group_of, -1);
    for (std::size_t i = 0; i < dim.activity_of.size(); ++i) {
      const Profile& profile = dim.profiles.all()[i];
      const int then = array_after(profile, state, last);
      if (then < 0) continue;
      const std::size_t key =
          static_cast<std::size_t>(then) * kinds + static_cast<std::size_t>(dim.activity_of[i]);
      if (group_of[key] < 0) {
        group_of[key] = static_cast<int>(dim.groups.size());
        dim.groups.push_back({then, dim.activity_of[i], 0});
      }
      dim.groups[static_cast<std::size_t>(group_of[key])].ways += profile.ways;
    }
    dim.group_ends.push_back(dim.groups.size());
  }
}

int SpaceTable::joint(std::size_t level, std::span<const int> states) const {
  int number = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r)
    number = number * runs_[r].within[level] + states[r];
  return number;
}

void SpaceTable::advance(std::vector<int>& states, std::size_t level, int activity) const {
  const std::vector<std::int64_t>& active =
      dims_[level]->activities[static_cast<std::size_t>(activity)];
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const bool fixed = (runs_[r].fixed >> order_[level] & 1U) != 0;
    states[r] = runs_[r].states.next(states[r], active[r], fixed);
  }
}

void SpaceTable::fill(std::size_t level) {
  const bool end = level == dims_.size();
  const int width = end ? 1 : array_.size();
  int joints = 1;
  for (const Run& run : runs_) joints *= run.within[level];
  std::vector<int> states(runs_.size(), 0);
  std::vector<int> next;
  std::vector<Natural> here(static_cast<std::size_t>(width));
  for (int j = 0; j < joints; ++j) {
    check_stop(stop_);
    int rest = j;
    for (std::size_t r = runs_.size(); r-- > 0; rest /= runs_[r].within[level]) {
      states[r] = rest % runs_[r].within[level];
    }
    std::ranges::fill(here, 0);
    if (end) {
      here[0] = may_be_whole() ? 1 : 0;
      for (std::size_t r = 0; r < runs_.size(); ++r) here[0] *= runs_[r].states.weight(states[r]);
      value_[level].add(here);
      continue;
    }
    const DimTable& dim = *dims_[level];
    next.clear();
    for (std::size_t a = 0; a < dim.activities.size(); ++a) {
      std::vector<int> then = states;
      advance(then, level, static_cast<int>(a));
      next.push_back(joint(level + 1, then));
    }
    for (int state = 0; state < width; ++state) {
      if (level == 0 && state != array_.start()) continue;
      check_stop(stop_);
      for (const Group& group : dim.groups_of(state)) {
        const int then = next[static_cast<std::size_t>(group.activity)];
        add_ways(here[static_cast<std::size_t>(state)], value(level + 1, then, group.array),
                 group.ways);
      }
    }
    value_[level].add(here);
  }
}

SpaceTable::Pick SpaceTable::pick(std::size_t level, int state, const Group& group,
                                  Ways index) const {
  const DimTable& dim = *dims_[level];
  const bool last = level + 1 == dims_.size();
  for (std::size_t i = 0; i < dim.activity_of.size(); ++i) {
    const Profile& profile = dim.profiles.all()[i];
    if (dim.activity_of[i] != group.activity) continue;
    if (array_after(profile, state, last) != group.array) continue;
    if (index < profile.ways) return {&profile, dim.profiles.unrank(profile, index)};
    index -= profile.ways;
  }
  throw InternalError("an index below the ways of a group has a profile");
}

Ways SpaceTable::index_of(std::size_t level, int state, const Group& group,
                          const Pick& pick) const {
  const DimTable& dim = *dims_[level];
  const bool last = level + 1 == dims_.size();
  Ways index = dim.profiles.rank(*pick.profile, pick.factors);
  for (std::size_t i = 0; i < dim.activity_of.size(); ++i) {
    const Profile& profile = dim.profiles.all()[i];
    if (&profile == pick.profile) break;
    if (dim.activity_of[i] != group.activity) continue;
    if (array_after(profile, state, last) == group.array) index += profile.ways;
  }
  return index;
}

std::optional<SpaceTable::Pick> SpaceTable::find_pick(std::size_t level,
                                                      const Tiling& tiling) const {
  Pick pick;
  std::vector<std::int64_t> choice;
  const int d = static_cast<int>(order_[level]);
  for (const Stage& stage : stages_) {
    std::int64_t active = 0;
    for (int i = 0; i < stage.slots; ++i) {
      const std::int64_t factor = tiling.at(place(stage.first_slot + i), d);
      if (factor > 1) pick.factors.push_back(factor);
      active += stage.axis ? factor : factor > 1 ? 1 : 0;
    }
    choice.push_back(active);
  }
  const auto all = dims_[level]->profiles.all();
  const auto found = std::ranges::lower_bound(all, choice, {}, &Profile::choice);
  if (found == all.end() || found->choice != choice) return std::nullopt;
  pick.profile = &*found;
  if (!dims_[level]->profiles.allows(*found, pick.factors)) return std::nullopt;
  return pick;
}

Choices SpaceTable::unrank(Natural rank) const {
  TW_CHECK(rank < size(), "ranks end below the size");
  std::vector<int> states(runs_.size(), 0);
  int array = array_.start();
  std::vector<Pick> picks;
  for (std::size_t level = 0; level < dims_.size(); ++level) {
    const Group* chosen = nullptr;
    for (const Group& group : dims_[level]->groups_of(array)) {
      std::vector<int> then = states;
      advance(then, level, group.activity);
      const Natural each(value(level + 1, joint(level + 1, then), group.array));
      const Natural all = each * to_natural(group.ways);
      if (rank >= all) {
        rank -= all;
        continue;
      }
      const Natural::Division division = rank.divide(each);
      rank = division.remainder;
      picks.push_back(pick(level, array, group, to_ways(division.quotient)));
      states = std::move(then);
      chosen = &group;
      break;
    }
    TW_CHECK(chosen != nullptr, "a rank below the size leads somewhere");
    array = chosen->array;
  }
  Choices choices;
  choices.keeps.resize(rules_.keeps.size());
  choices.orders.resize(rules_.places.size());
  const std::size_t dims = order_.size() + unsplit_.size();
  choices.tiling.dims = static_cast<int>(dims);
  choices.tiling.factors.assign(dims * rules_.places.size(), 1);
  std::vector<std::vector<std::uint32_t>> blocks;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const Natural digit = take_digit(rank, runs_[r].states.weight(states[r]));
    blocks.push_back(unrank_run(runs_[r], picks, digit, choices));
  }
  for (std::size_t level = 0; level < picks.size(); ++level) {
    set_factors(level, picks[level], blocks, choices.tiling);
  }
  return choices;
}

std::optional<Natural> SpaceTable::rank(const Choices& choices) const {
  for (const std::size_t d : unsplit_) {
    for (int p = 0; p < static_cast<int>(rules_.places.size()); ++p) {
      if (choices.tiling.at(p, static_cast<int>(d)) != 1) return std::nullopt;
    }
  }
  std::vector<int> states(runs_.size(), 0);
  int array = array_.start();
  std::vector<Pick> picks;
  Natural rank;
  for (std::size_t level = 0; level < dims_.size(); ++level) {
    const std::optional<Pick> pick = find_pick(level, choices.tiling);
    if (!pick) return std::nullopt;
    const int after = array_after(*pick->profile, array, level + 1 == dims_.size());
    const std::vector<std::int64_t> active = activity(*pick->profile);
    bool found = false;
    for (const Group& group : dims_[level]->groups_of(array)) {
      std::vector<int> then = states;
      advance(then, level, group.activity);
      const auto each = value(level + 1, joint(level + 1, then), group.array);
      found = group.array == after &&
              dims_[level]->activities[static_cast<std::size_t>(group.activity)] == active;
      add_ways(rank, each, found ? index_of(level, array, group, *pick) : group.ways);
      if (!found) continue;
      states = std::move(then);
      break;
    }
    if (!found) return std::nullopt;
    array = after;
    picks.push_back(*pick);
  }
  Natural radix = 1;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const std::optional<Natural> digit = rank_run(runs_[r], picks, choices);
    if (!digit) return std::nullopt;
    rank.add_product(radix, *digit);
    radix *= runs_[r].states.weight(states[r]);
  }
  return rank;
}

std::vector<std::int64_t> SpaceTable::activity_in(const Run& run,
                                                  std::span<const Pick> picks) const {
  std::vector<std::int64_t> active;
  for (const Pick& pick : picks) active.push_back(pick.profile->choice[run.stage]);
  return active;
}

// Which dims are split in block `i` of the run, from the blocks of each dim.
DimSet SpaceTable::dims_in_block(const std::vector<std::uint32_t>& blocks, int i) const {
  DimSet dims = 0;
  for (std::size_t level = 0; level < blocks.size(); ++level) {
    if ((blocks[level] >> i & 1U) != 0) dims |= DimSet{1} << order_[level];
  }
  return dims;
}

std::vector<std::uint32_t> SpaceTable::unrank_run(const Run& run, std::span<const Pick> picks,
                                                  Natural rank, Choices& choices) const {
  const std::vector<std::uint32_t> blocks = run.states.unrank(activity_in(run, picks), rank);
  const Stage& stage = stages_[run.stage];
  for (int i = 0; i < stage.slots; ++i) {
    const std::size_t p = static_cast<std::size_t>(place(stage.first_slot + i));
    const DimSet here = dims_in_block(blocks, i);
    const BlockOrders orders(rules_.places[p], here);
    choices.orders[p] = orders.unrank(take_digit(rank, orders.size()));
    const KeepRule& rule = rules_.keeps[keep_of_place_[p]];
    const KeepCounts keeps = count_keeps(rule);
    const Natural digit = take_digit(rank, here != 0 ? keeps.some : keeps.any);
    choices.keeps[keep_of_place_[p]] = keep_set(rule, here != 0, digit.to_uint64());
  }
  return blocks;
}

std::optional<Natural> SpaceTable::rank_run(const Run& run, std::span<const Pick> picks,
                                            const Choices& choices) const {
  const Stage& stage = stages_[run.stage];
  std::vector<std::uint32_t> blocks(picks.size(), 0);
  for (std::size_t level = 0; level < picks.size(); ++level) {
    for (int i = 0; i < stage.slots; ++i) {
      const int p = place(stage.first_slot + i);
      const bool active = choices.tiling.at(p, static_cast<int>(order_[level])) > 1;
      blocks[level] |= static_cast<std::uint32_t>(active) << i;
    }
  }
  Natural rank;
  Natural radix = 1;
  for (int i = 0; i < stage.slots; ++i) {
    const std::size_t p = static_cast<std::size_t>(place(stage.first_slot + i));
    const DimSet here = dims_in_block(blocks, i);
    const BlockOrders orders(rules_.places[p], here);
    const KeepRule& rule = rules_.keeps[keep_of_place_[p]];
    const KeepCounts keeps = count_keeps(rule);
    const auto order = orders.rank(choices.orders[p]);
    const auto kept = keep_index(rule, here != 0, choices.keeps[keep_of_place_[p]]);
    if (!order || !kept) return std::nullopt;
    rank.add_product(radix, *order);
    radix *= orders.size();
    rank.add_product(radix, *kept);
    radix *= here != 0 ? keeps.some : keeps.any;
  }
  run.states.rank(activity_in(run, picks), blocks, rank);
  return rank;
}

void SpaceTable::set_factors(std::size_t level, const Pick& pick,
                             const std::vector<std::vector<std::uint32_t>>& blocks,
                             Tiling& tiling) const {
  const int d = static_cast<int>(order_[level]);
  std::size_t next = 0;
  std::size_t run = 0;
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    if (stages_[s].axis) {
      if (pick.profile->choice[s] > 1)
        tiling.at(place(stages_[s].first_slot), d) = pick.factors[next++];
      continue;
    }
    const std::uint32_t active = blocks[run++][level];
    for (int i = 0; i < stages_[s].slots; ++i) {
      if ((active >> i & 1U) == 0) continue;
      tiling.at(place(stages_[s].first_slot + i), d) = pick.factors[next++];
    }
  }
}

}  // namespace tilewright
