// SPDX-License-Identifier: Apache-2.0
// One step of a link: which children are in use, what each lacks, and which of them share.
#include <algorithm>
#include <iterator>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/compat/link.h"

namespace tilewright::compat {

std::int64_t LinkCounter::parent_number() const {
  std::int64_t number = 0;
  for (std::size_t l = 0; l < ends_.parent; ++l) {
    number = checked_add(checked_mul(number, nest_.levels[l].children()), instance_[l]);
  }
  return number;
}

// How many indices of each loop of the fan-out are in use, where those outside stand at 0.
std::vector<std::int64_t> LinkCounter::used_of_fan() const {
  std::vector<std::int64_t> used;
  used.reserve(fan_.size());
  for (const CountedLoop& loop : fan_) used.push_back(passes(loop));
  return used;
}

std::int64_t LinkCounter::place_number(const Place& place,
                                       const std::vector<std::int64_t>& used) const {
  std::int64_t number = 0;
  for (std::size_t k = 0; k < fan_.size(); ++k) {
    number = number * (rules_.renumbered_instances ? used[k] : fan_[k].factor) + place.indices[k];
  }
  return number;
}

bool LinkCounter::in_use(const Place& place) const {
  for (std::size_t d = 0; d < nest_.sizes.size(); ++d) {
    if (start_[d] + place.offset[d] >= nest_.sizes[d]) return false;
  }
  return true;
}

Tile LinkCounter::child_tile(const Place& place) const {
  PerDim start = start_;
  PerDim extent{};
  for (std::size_t d = 0; d < nest_.sizes.size(); ++d) {
    start[d] += place.offset[d];
    extent[d] = std::min(inside_[d], nest_.sizes[d] - start[d]);
  }
  return maker_.make(start, extent);
}

bool LinkCounter::is_due(const Child& child) const {
  return !child.tile || !std::equal(child.counters.begin(), child.counters.end(), time_.begin());
}

bool LinkCounter::advanced_by_sweep(const Child& child) const {
  const auto changed =
      std::mismatch(child.counters.begin(), child.counters.end(), time_.begin()).first;
  return changed != child.counters.end() &&
         slides_[static_cast<std::size_t>(changed - child.counters.begin())];
}

// Section 3: the tile before is of use if the tile stands still, if it moves for the first time, or
// if it goes on by the same step. Else everything is forgotten, the step as well.
std::optional<Tile> LinkCounter::held_by_steps(Child& child, const Tile& tile) const {
  if (!child.tile) return std::nullopt;
  const PerRank step = maker_.centre_step(*child.tile, tile);
  if (step == PerRank{}) {
    if (!rules_.slides_after_rest) child.step = step;
    return child.tile;
  }
  if (child.step && *child.step != step) {
    child.step.reset();
    return std::nullopt;
  }
  child.step = step;
  return child.tile;
}

// What a child lacks of its new tile, which it has from now on.
Missing LinkCounter::receive(Child& child, const Tile& tile) const {
  if (to_compute_) return maker_.missing(tile, std::nullopt);
  child.largest = std::max(child.largest, maker_.elements(tile));
  const Missing nothing{.tile = tile, .held = std::nullopt, .elements = 0};
  Missing result = nothing;
  if (!by_counters_) {
    result = maker_.missing(tile, held_by_steps(child, tile));
  } else if (!is_due(child)) {
    return nothing;
  } else {
    const bool is_there = child.tile && maker_.identity(*child.tile) == maker_.identity(tile);
    std::optional<Tile> held;
    if (!rules_.slides_by_step && child.tile && advanced_by_sweep(child)) held = child.tile;
    if (rules_.slides_by_step && !is_there) held = held_by_steps(child, tile);
    if (!is_there || !rules_.skips_equal_tiles) result = maker_.missing(tile, held);
  }
  child.tile = tile;
  child.counters.assign(time_.begin(), time_.begin() + static_cast<std::ptrdiff_t>(deciding_));
  return result;
}

// Where a child stands in the dims of the tensor; nothing where only its tile counts.
std::vector<std::int64_t> LinkCounter::coordinates(const Place& place) const {
  std::vector<std::int64_t> result;
  if (rules_.shares_by_content) return result;
  for (std::size_t d = 0; d < nest_.sizes.size(); ++d) {
    if ((relevant_ >> d & 1U) != 0) result.push_back(start_[d] + place.offset[d]);
  }
  return result;
}

bool LinkCounter::stands_still(const Child& child, const Place& place) const {
  if (!child.tile) return false;
  for (std::size_t d = 0; d < nest_.sizes.size(); ++d) {
    if ((relevant_ >> d & 1U) != 0 && child.tile->start[d] != start_[d] + place.offset[d]) {
      return false;
    }
  }
  return true;
}

// Every child for itself.
std::vector<LinkCounter::Served> LinkCounter::all_served() {
  const std::vector<std::int64_t> used = used_of_fan();
  std::vector<Served> all;
  for (const Place& place : places_) {
    if (!in_use(place)) continue;
    const std::int64_t number = place_number(place, used);
    Child& child = children_[parent_ * fan_children_ + number];
    if (by_counters_ ? !is_due(child) : stands_still(child, place)) continue;
    Served one{.number = number, .missing = receive(child, child_tile(place)), .identity = {}};
    if (one.missing.elements > 0 && !fan_.empty()) {
      one.identity = rules_.groups_by_missing
                         ? maker_.identity(maker_.boxes(one.missing), PerRank{})
                         : maker_.identity(one.missing.tile);
      std::ranges::copy(coordinates(place), std::back_inserter(one.identity));
    }
    all.push_back(std::move(one));
  }
  return all;
}

// The first child for itself, the others as its copies.
std::vector<LinkCounter::Served> LinkCounter::copies_served() {
  const std::vector<std::int64_t> used = used_of_fan();
  const Missing missing = receive(children_[parent_ * fan_children_], child_tile(places_.front()));
  const std::vector<Box> boxes = maker_.boxes(missing);
  std::vector<Served> all;
  for (const Place& place : places_) {
    if (!in_use(place)) continue;
    all.push_back({.number = place_number(place, used),
                   .missing = missing,
                   .identity = maker_.identity(boxes, place.moved)});
    std::ranges::copy(coordinates(place), std::back_inserter(all.back().identity));
  }
  return all;
}

// How copies of the first child share: those whose tiles lie at the same place. It depends on how
// much of each dim is left here.
const LinkCounter::Sharing& LinkCounter::sharing() {
  std::vector<std::int64_t> left;
  left.reserve(fan_.size());
  for (const CountedLoop& loop : fan_) {
    const std::size_t d = loop.dim.pos();
    left.push_back(std::min(reach_[d], nest_.sizes[d] - start_[d]));
  }
  const auto [entry, is_new] = sharings_.try_emplace(std::move(left));
  if (!is_new) return entry->second;
  std::map<std::pair<PerRank, std::vector<std::int64_t>>, std::int64_t> groups;
  for (const Place& place : places_) {
    if (in_use(place)) ++groups[{place.moved, coordinates(place)}];
  }
  for (const auto& [where, children] : groups) ++entry->second[children];
  return entry->second;
}

// What any of a group lacks: the tile, less what all of them hold.
std::int64_t LinkCounter::lacked_by_any(const std::vector<const Served*>& group) const {
  const Missing& first = group.front()->missing;
  std::vector<Tile> held{first.tile};
  bool alike = true;
  for (const Served* one : group) {
    if (!one->missing.held) return maker_.elements(first.tile);
    held.push_back(*one->missing.held);
    alike = alike && maker_.identity(held.back()) == maker_.identity(held[1]);
  }
  return alike ? first.elements : maker_.elements(first.tile) - maker_.common(held);
}

std::map<Fanning, double> LinkCounter::group(const std::vector<const Served*>& all) const {
  if (fan_.empty()) {
    if (all.empty() || all.front()->missing.elements == 0) return {};
    return {{{1, 1}, static_cast<double>(all.front()->missing.elements)}};
  }
  std::map<std::vector<std::int64_t>, std::vector<const Served*>> groups;
  for (const Served* one : all) {
    if (one->missing.elements > 0) groups[one->identity].push_back(one);
  }
  std::map<std::int64_t, std::pair<std::int64_t, double>> by_multicast;
  for (const auto& [identity, members] : groups) {
    auto& [scatter, elements] = by_multicast[static_cast<std::int64_t>(members.size())];
    ++scatter;
    elements += static_cast<double>(rules_.groups_by_missing ? members.front()->missing.elements
                                                             : lacked_by_any(members));
  }
  std::map<Fanning, double> result;
  for (const auto& [multicast, what] : by_multicast) {
    result[{multicast, what.first}] = what.second;
  }
  return result;
}

// Section 13: children that lack what a neighbour lacked at the step before get it from there.
std::vector<const LinkCounter::Served*> LinkCounter::without_links(const std::vector<Served>& all,
                                                                   Parent& parent,
                                                                   double& linked) const {
  const auto passed_on = [&](std::int64_t x, std::int64_t y, const Served& one) {
    if (x < 0 || x >= grid_x_ || y < 0 || y >= grid_y_) return false;
    const auto before = parent.before.find(y * grid_x_ + x);
    return before != parent.before.end() && before->second == one.identity;
  };
  std::vector<const Served*> rest;
  for (const Served& one : all) {
    if (one.missing.elements == 0) continue;
    const std::int64_t x = one.number % grid_x_;
    const std::int64_t y = one.number / grid_x_;
    if (y < grid_y_ && (passed_on(x, y - 1, one) || passed_on(x, y + 1, one) ||
                        passed_on(x - 1, y, one) || passed_on(x + 1, y, one))) {
      linked += static_cast<double>(one.missing.elements);
    } else {
      rest.push_back(&one);
    }
  }
  parent.before.clear();
  for (const Served& one : all) parent.before[one.number] = one.identity;
  return rest;
}

void LinkCounter::charge(const std::map<Fanning, double>& accesses, double times) {
  for (const auto& [fanning, count] : accesses) {
    const double charged = count * times;
    if (charged == 0) continue;
    counts_.accesses[fanning] += charged;
    if (parent_ == 0) counts_.first_accesses += charged;
  }
}

// Compute units keep nothing, so that each is a copy of the first one, whatever came before.
void LinkCounter::serve_copies(double times) {
  note_children();
  const Missing missing = receive(children_[parent_ * fan_children_], child_tile(places_.front()));
  if (missing.elements == 0) return;
  const auto elements = static_cast<double>(missing.elements);
  std::map<Fanning, double> accesses;
  for (const auto& [multicast, scatter] : sharing()) {
    accesses[{multicast, scatter}] = elements * static_cast<double>(scatter);
  }
  counts_.received += elements * times;
  counts_.first_received += elements * times;
  charge(accesses, times);
}

// Which compute units are in use.
void LinkCounter::note_children() {
  if (rules_.space_extrapolation) return;
  const std::vector<std::int64_t> used = used_of_fan();
  if (!noted_.insert({parent_, used}).second) return;
  for (const Place& place : places_) {
    if (in_use(place)) children_[parent_ * fan_children_ + place_number(place, used)];
  }
}

void LinkCounter::serve(std::int64_t weight) {
  const auto times = static_cast<double>(weight);
  parent_ = parent_number();
  Parent& parent = parents_[parent_];
  if (rules_.averaged_instances) {
    PerDim extent{};
    for (std::size_t d = 0; d < nest_.sizes.size(); ++d) {
      extent[d] = std::min(around_[d], nest_.sizes[d] - start_[d]);
    }
    parent.around = std::max(parent.around, maker_.elements(maker_.make(start_, extent)));
  }
  const bool links = rules_.link_transfers && !fan_.empty();
  if (!links && (rules_.space_extrapolation || to_compute_)) {
    serve_copies(times);
    return;
  }
  const std::vector<Served> all = rules_.space_extrapolation ? copies_served() : all_served();
  std::vector<const Served*> everybody;
  for (const Served& one : all) {
    everybody.push_back(&one);
    counts_.received += static_cast<double>(one.missing.elements) * times;
    if (one.number == 0 && parent_ == 0) {
      counts_.first_received += static_cast<double>(one.missing.elements) * times;
    }
  }
  std::map<Fanning, double> accesses = group(everybody);
  if (links) {
    const auto total = [](const std::map<Fanning, double>& some) {
      double sum = 0;
      for (const auto& [fanning, count] : some) sum += count;
      return sum;
    };
    double linked = 0;
    const std::map<Fanning, double> fewer = group(without_links(all, parent, linked));
    if (total(fewer) < total(accesses)) {
      accesses = fewer;
      counts_.link_transfers += linked * times;
    }
  }
  charge(accesses, times);
}

}  // namespace tilewright::compat
