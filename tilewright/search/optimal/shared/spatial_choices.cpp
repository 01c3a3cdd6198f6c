// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/spatial_choices.h"

#include <algorithm>
#include <functional>
#include <map>

#include "tilewright/base/checked.h"

namespace tilewright {

std::vector<std::vector<std::size_t>> fanout_places(const ProblemTables& tables) {
  std::vector<std::vector<std::size_t>> result;
  NodeId last(-1);
  for (std::size_t p = 0; p < tables.rules.places.size(); ++p) {
    const Place& place = tables.rules.places[p];
    if (place.is_block()) continue;
    if (result.empty() || place.node != last) result.emplace_back();
    last = place.node;
    result.back().push_back(p);
  }
  return result;
}

SpatialChoices::SpatialChoices(const ProblemTables& tables, std::span<const InwardSteps> steps,
                               bool merge_axes)
    : tables_(tables), steps_(steps), axes_(fanout_places(tables)) {
  for (const std::vector<std::size_t>& axes : axes_) {
    first_axis_.push_back(places_.size());
    places_.insert(places_.end(), axes.begin(), axes.end());
  }
  for (std::size_t d = 0; d < static_cast<std::size_t>(tables.dims); ++d) {
    for (std::size_t f = 0; f < axes_.size(); ++f) options_.push_back(options(d, f, merge_axes));
    perfect_.push_back(std::ranges::none_of(
        tables.rules.places, [&](const Place& place) { return place.rules[d].remainder; }));
  }
}

std::vector<SpatialChoices::Option> SpatialChoices::options(std::size_t dim, std::size_t fanout,
                                                            bool merge_axes) const {
  const std::vector<std::size_t>& axes = axes_[fanout];
  const bool whole =
      std::ranges::all_of(axes, [&](std::size_t p) { return tables_.whole(p, dim); });
  std::vector<std::vector<std::int64_t>> factors;  // by axis
  std::vector<std::int64_t> sizes;
  for (const std::size_t p : axes) {
    const Place& place = tables_.rules.places[p];
    factors.push_back(steps_[dim].factors(static_cast<int>(p)));
    sizes.push_back(
        tables_.problem.arch().fanout(place.node).axes[static_cast<std::size_t>(place.axis)].size);
  }
  // With remainders it matters which of two axes has which factor: 5 tiles can be spread over
  // 2 x 4 children, not over 4 x 2. Such splits are not merged: they are in their key.
  std::map<std::vector<std::int64_t>, Option> found;
  std::vector<std::int64_t> split(axes.size(), 1);
  const auto go = [&](const auto& self, std::size_t a, std::int64_t product) -> void {
    if (a == axes.size()) {
      const auto used = std::ranges::count_if(split, [](std::int64_t f) { return f > 1; });
      std::vector<std::int64_t> key{product};
      if (!merge_axes || (used > 1 && !whole)) key.insert(key.end(), split.begin(), split.end());
      Option& option = found[key];
      option.factor = product;
      option.splits.push_back(split);
      return;
    }
    const auto first = std::ranges::find_if(split, [](std::int64_t f) { return f > 1; });
    for (const std::int64_t factor : factors[a]) {
      // The outermost axis in use has a child less only if the others are full.
      const bool covered = first != split.end() &&
                           product / *first * factor >= ceil_div(tables_.sizes[dim], *first - 1);
      if (factor > sizes[a] || (factor > 1 && covered)) break;
      split[a] = factor;
      self(self, a + 1, product * factor);
    }
    split[a] = 1;
  };
  go(go, 0, 1);
  std::vector<Option> result;
  for (auto& [key, option] : found) result.push_back(std::move(option));
  return result;
}

struct SpatialChoices::Walk {
  const Worth& worth;
  const Visit& visit;
  std::vector<std::int64_t> factors;             // by dim, then fan-out
  std::vector<std::span<const Option>> options;  // likewise
  std::uint64_t path = 1;                        // after a one: which halves were taken
};

void SpatialChoices::for_each(const Worth& worth, const Visit& visit) const {
  Walk walk{worth, visit,
            std::vector<std::int64_t>(axes_.size() * static_cast<std::size_t>(tables_.dims), 1),
            std::vector<std::span<const Option>>(options_.size())};
  Assignment empty;
  for (const std::size_t p : places_) {
    const Place& place = tables_.rules.places[p];
    empty.left.push_back(
        tables_.problem.arch().fanout(place.node).axes[static_cast<std::size_t>(place.axis)].size);
  }
  empty.factors.assign(places_.size() * static_cast<std::size_t>(tables_.dims), 1);
  choose(walk, axes_.empty() ? static_cast<std::size_t>(tables_.dims) : 0, 0, 0, {empty});
}

SpatialChoices::Room SpatialChoices::room(const std::vector<Assignment>& assignments) const {
  Room result{std::vector<double>(axes_.size(), 1), 1};
  for (const Assignment& assignment : assignments) {
    double all = 1;
    for (std::size_t f = 0; f < axes_.size(); ++f) {
      double room = 1;
      for (std::size_t a = 0; a < axes_[f].size(); ++a) {
        room *= static_cast<double>(assignment.left[first_axis_[f] + a]);
      }
      result.by_fanout[f] = std::max(result.by_fanout[f], room);
      all *= room;
    }
    result.all = std::max(result.all, all);
  }
  return result;
}

// `assignments`: of the factors chosen, none of which leaves less on every axis than another.
void SpatialChoices::choose(Walk& walk, std::size_t dim, std::size_t fanout, std::size_t level,
                            const std::vector<Assignment>& assignments) const {
  const std::size_t dims = static_cast<std::size_t>(tables_.dims);
  if (dim == dims && !enough_children(walk)) return;
  const Room left = room(assignments);
  const Part part{dim,      fanout, level,     walk.factors, left.by_fanout,
                  left.all, 1,      walk.path, walk.options};
  if (!walk.worth(part)) return;
  if (dim == dims) {
    visit(walk, assignments.front());
    return;
  }
  choose_among(walk, part, level + 1, assignments, options_[dim * axes_.size() + fanout]);
  walk.factors[dim * axes_.size() + fanout] = 1;
}

// What comes next after `part` is one of `options`: all are left out at once if the largest would
// not be worth it with the room that the smallest leaves.
void SpatialChoices::choose_among(Walk& walk, const Part& part, std::size_t level,
                                  const std::vector<Assignment>& assignments,
                                  std::span<const Option> options) const {
  const std::size_t f = part.fanout;
  const double smallest = static_cast<double>(options.front().factor);
  if (part.room[f] < smallest) return;
  const bool last = f + 1 == axes_.size();
  const std::size_t next_dim = last ? part.dim + 1 : part.dim;
  const std::size_t next_fanout = last ? 0 : f + 1;
  std::int64_t& factor = walk.factors[part.dim * axes_.size() + f];
  factor = options.back().factor;
  walk.options[part.dim * axes_.size() + f] = options;
  if (options.size() == 1) {
    std::int64_t all = 1;  // factors of the dim from here outwards
    for (std::size_t i = 0; i <= f; ++i) all *= walk.factors[part.dim * axes_.size() + i];
    if (perfect_[part.dim] && tables_.sizes[part.dim] % all != 0) return;
    const std::vector<Assignment> placed = place(assignments, options.front(), part.dim, f);
    if (!placed.empty()) choose(walk, next_dim, next_fanout, level, placed);
    return;
  }
  if (options.size() > 2) {
    std::vector<double> room(part.room.begin(), part.room.end());
    room[f] /= smallest;
    const double spread = static_cast<double>(factor) / smallest;
    if (!walk.worth({next_dim, next_fanout, level++, walk.factors, room, part.all_room / smallest,
                     spread, walk.path, walk.options})) {
      return;
    }
  }
  const std::size_t half = options.size() / 2;
  const std::uint64_t path = walk.path;
  walk.path = path << 1U;
  choose_among(walk, part, level, assignments, options.first(half));
  walk.path = path << 1U | 1U;
  choose_among(walk, part, level, assignments, options.subspan(half));
  walk.path = path;
}

void SpatialChoices::visit(const Walk& walk, const Assignment& assignment) const {
  const std::size_t dims = static_cast<std::size_t>(tables_.dims);
  Tiling tiling = tables_.no_loops();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    for (std::size_t d = 0; d < dims; ++d) {
      tiling.at(static_cast<int>(places_[i]), static_cast<int>(d)) =
          assignment.factors[d * places_.size() + i];
    }
  }
  walk.visit(tiling);
}

std::vector<SpatialChoices::Assignment> SpatialChoices::place(
    const std::vector<Assignment>& assignments, const Option& option, std::size_t dim,
    std::size_t fanout) const {
  std::vector<Assignment> result;
  const auto covers = [](const Assignment& big, const Assignment& small) {
    return std::ranges::equal(big.left, small.left, std::greater_equal{});
  };
  for (const Assignment& assignment : assignments) {
    for (const std::vector<std::int64_t>& factors : option.splits) {
      Assignment next = assignment;
      bool fits = true;
      for (std::size_t a = 0; a < factors.size() && fits; ++a) {
        const std::size_t axis = first_axis_[fanout] + a;
        next.left[axis] /= factors[a];
        fits = next.left[axis] > 0;
        next.factors[dim * places_.size() + axis] = factors[a];
      }
      if (!fits ||
          std::ranges::any_of(result, [&](const Assignment& s) { return covers(s, next); })) {
        continue;
      }
      std::erase_if(result, [&](const Assignment& other) { return covers(next, other); });
      result.push_back(std::move(next));
    }
  }
  return result;
}

bool SpatialChoices::enough_children(const Walk& walk) const {
  for (std::size_t f = 0; f < axes_.size(); ++f) {
    const NodeId node = tables_.rules.places[axes_[f].front()].node;
    const auto rule = std::ranges::find(tables_.rules.fanouts, node, &FanoutRule::fanout);
    if (rule == tables_.rules.fanouts.end()) continue;
    std::int64_t children = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(tables_.dims); ++d) {
      children *= walk.factors[d * axes_.size() + f];
    }
    if (children < rule->least_children) return false;
  }
  return true;
}

}  // namespace tilewright
