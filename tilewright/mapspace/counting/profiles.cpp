// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/counting/profiles.h"

#include <algorithm>

#include "tilewright/base/error.h"
#include "tilewright/base/stop.h"

namespace tilewright {
namespace {

bool alike(const Place& a, const Place& b) {
  return a.is_block() && b.is_block() && a.rules == b.rules && a.outermost.empty() &&
         a.innermost.empty() && b.outermost.empty() && b.innermost.empty();
}

// Factors of `step` that make a loop (or, inactive, do not).
Splits::Step limited(const Splits::Step& step, bool active) {
  return active ? Splits::Step{step.next, std::max<std::int64_t>(step.first, 2), step.last}
                : Splits::Step{step.next, step.first, std::min<std::int64_t>(step.last, 1)};
}

Ways factors_in(const Splits::Step& step) {
  return step.last < step.first ? Ways{0} : static_cast<Ways>(step.last - step.first + 1);
}

}  // namespace

std::vector<Stage> make_stages(const Rules& rules) {
  std::vector<Stage> stages;
  const std::size_t places = rules.places.size();
  for (std::size_t slot = 0; slot < places; ++slot) {
    const Place& place = rules.places[places - 1 - slot];
    if (slot > 0 && alike(place, rules.places[places - slot])) {
      ++stages.back().slots;
    } else {
      stages.push_back({static_cast<int>(slot), 1, !place.is_block()});
    }
  }
  return stages;
}

Profiles::Profiles(const Splits& splits, std::span<const Stage> stages,
                   const std::atomic<bool>* stop)
    : splits_(splits), stages_(stages), stop_(stop) {
  Row start(splits.counts().size(), 0);
  start[0] = 1;
  add_tails();
  std::vector<std::int64_t> choice;
  extend(0, start, choice);
}

// What is left after one more slot of `stage`: with `factor` on an axis; in a block with no loop
// for 1, with any loop for 2.
Profiles::Row Profiles::reach(const Stage& stage, const Row& from, std::int64_t factor) const {
  Row to(from.size(), 0);
  for (std::size_t c = 0; c < from.size(); ++c) {
    if (from[c] == 0) continue;
    for (const Splits::Step& step : splits_.steps(stage.first_slot, static_cast<int>(c))) {
      if (stage.axis) {
        if (factor >= step.first && factor <= step.last) {
          to[static_cast<std::size_t>(step.next)] += from[c];
        }
        continue;
      }
      to[static_cast<std::size_t>(step.next)] += from[c] * factors_in(limited(step, factor > 1));
    }
  }
  return to;
}

// From the last axis outwards the ways to the end are the same for all that comes before.
void Profiles::add_tails() {
  Row end(splits_.counts().size(), 0);
  if (splits_.end() >= 0) end[static_cast<std::size_t>(splits_.end())] = 1;
  tails_ = {{{}, end}};
  tail_ = stages_.size();
  while (tail_ > 0 && !stages_[tail_ - 1].axis) {
    const Stage& stage = stages_[--tail_];
    std::vector<Tail> longer;
    for (std::int64_t active = 0; active <= stage.slots; ++active) {
      for (const Tail& tail : tails_) {
        Tail next{{active}, tail.ways};
        next.choice.insert(next.choice.end(), tail.choice.begin(), tail.choice.end());
        if (active < stage.slots) next.ways = before(stage, next.ways, false);
        for (std::int64_t i = 0; i < active; ++i) next.ways = before(stage, next.ways, true);
        longer.push_back(std::move(next));
      }
    }
    tails_ = std::move(longer);
  }
}

void Profiles::extend(std::size_t stage, const Row& reached, std::vector<std::int64_t>& choice) {
  check_stop(stop_);
  if (std::ranges::all_of(reached, [](Ways ways) { return ways == 0; })) return;
  if (stage == tail_) {
    for (const Tail& tail : tails_) {
      Ways ways = 0;
      for (std::size_t c = 0; c < reached.size(); ++c) ways += reached[c] * tail.ways[c];
      if (ways == 0) continue;
      all_.push_back({choice, ways});
      all_.back().choice.insert(all_.back().choice.end(), tail.choice.begin(), tail.choice.end());
    }
    return;
  }
  const Stage& here = stages_[stage];
  if (here.axis) {
    std::int64_t most = 0;
    for (std::size_t c = 0; c < reached.size(); ++c) {
      const auto steps = splits_.steps(here.first_slot, static_cast<int>(c));
      if (reached[c] != 0 && !steps.empty()) most = std::max(most, steps.back().last);
    }
    for (std::int64_t factor = 1; factor <= most; ++factor) {
      choice.push_back(factor);
      extend(stage + 1, reach(here, reached, factor), choice);
      choice.pop_back();
    }
    return;
  }
  for (std::int64_t active = 0; active <= here.slots; ++active) {
    // The inactive ones change nothing but may not be allowed.
    Row row = active < here.slots ? reach(here, reached, 1) : reached;
    for (std::int64_t i = 0; i < active; ++i) row = reach(here, row, 2);
    choice.push_back(active);
    extend(stage + 1, row, choice);
    choice.pop_back();
  }
}

Profiles::Row Profiles::before(const Stage& stage, const Row& after, bool active) const {
  Row row(after.size(), 0);
  for (std::size_t c = 0; c < row.size(); ++c) {
    for (const Splits::Step& step : splits_.steps(stage.first_slot, static_cast<int>(c))) {
      row[c] += after[static_cast<std::size_t>(step.next)] * factors_in(limited(step, active));
    }
  }
  return row;
}

// Ways to the end from before each active slot of the profile, innermost first, and the end itself.
std::vector<Profiles::Row> Profiles::rows(const Profile& profile) const {
  Row row(splits_.counts().size(), 0);
  row[static_cast<std::size_t>(splits_.end())] = 1;
  std::vector<Row> result = {row};
  for (std::size_t s = stages_.size(); s-- > 0;) {
    if (stages_[s].axis) {
      Row to(row.size(), 0);
      for (std::size_t c = 0; c < row.size(); ++c) {
        for (const Splits::Step& step : splits_.steps(stages_[s].first_slot, static_cast<int>(c))) {
          const bool in = profile.choice[s] >= step.first && profile.choice[s] <= step.last;
          if (in) to[c] = result.back()[static_cast<std::size_t>(step.next)];
        }
      }
      if (profile.choice[s] > 1) {
        result.push_back(to);
      } else {
        result.back() = to;
      }
      continue;
    }
    // The inactive ones change nothing but may not be allowed.
    if (profile.choice[s] < stages_[s].slots)
      result.back() = before(stages_[s], result.back(), false);
    for (std::int64_t i = 0; i < profile.choice[s]; ++i) {
      result.push_back(before(stages_[s], result.back(), true));
    }
  }
  std::ranges::reverse(result);
  return result;
}

bool Profiles::allows(const Profile& profile, std::span<const std::int64_t> factors) const {
  std::size_t next = 0;
  int count = 0;
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    for (std::int64_t i = 0; i < loops(stages_[s], profile.choice[s]); ++i) {
      const std::int64_t factor = factors[next++];
      const auto steps = splits_.steps(stages_[s].first_slot, count);
      const auto step = std::ranges::find_if(
          steps, [&](const Splits::Step& at) { return factor >= at.first && factor <= at.last; });
      if (step == steps.end()) return false;
      count = step->next;
    }
  }
  return count == splits_.end();
}

std::vector<std::int64_t> Profiles::unrank(const Profile& profile, Ways index) const {
  const std::vector<Row> ways = rows(profile);
  std::vector<std::int64_t> factors;
  int count = 0;
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    for (std::int64_t i = 0; i < loops(stages_[s], profile.choice[s]); ++i) {
      const Row& after = ways[factors.size() + 1];
      bool found = false;
      for (Splits::Step step : splits_.steps(stages_[s].first_slot, count)) {
        step = stages_[s].axis ? Splits::Step{step.next, std::max(step.first, profile.choice[s]),
                                              std::min(step.last, profile.choice[s])}
                               : limited(step, true);
        const Ways each = after[static_cast<std::size_t>(step.next)];
        if (each * factors_in(step) <= index) {
          index -= each * factors_in(step);
          continue;
        }
        factors.push_back(step.first + static_cast<std::int64_t>(index / each));
        index %= each;
        count = step.next;
        found = true;
        break;
      }
      TW_CHECK(found, "an index below the ways has one");
    }
  }
  return factors;
}

Ways Profiles::rank(const Profile& profile, std::span<const std::int64_t> factors) const {
  const std::vector<Row> ways = rows(profile);
  Ways index = 0;
  std::size_t next = 0;
  int count = 0;
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    for (std::int64_t i = 0; i < loops(stages_[s], profile.choice[s]); ++i) {
      const std::int64_t factor = factors[next++];
      for (Splits::Step step : splits_.steps(stages_[s].first_slot, count)) {
        if (!stages_[s].axis) {
          const Splits::Step loop = limited(step, true);
          const Splits::Step smaller{step.next, loop.first, std::min(loop.last, factor - 1)};
          index += ways[next][static_cast<std::size_t>(step.next)] * factors_in(smaller);
        }
        if (factor < step.first || factor > step.last) continue;
        count = step.next;
        break;
      }
    }
  }
  return index;
}

}  // namespace tilewright
