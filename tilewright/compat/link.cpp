// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compat/link.h"

#include <algorithm>
#include <utility>

#include "tilewright/base/checked.h"

namespace tilewright::compat {

double LinkCounts::total() const {
  double sum = 0;
  for (const auto& [fanning, count] : accesses) sum += count;
  return sum;
}

double LinkCounts::delivered() const {
  double sum = 0;
  for (const auto& [fanning, count] : accesses) {
    sum += count * static_cast<double>(fanning.multicast);
  }
  return sum;
}

LinkCounter::LinkCounter(const Workload& workload, const LevelNest& nest, const LinkEnds& ends,
                         const TimeloopRules& rules)
    : workload_(workload),
      nest_(nest),
      ends_(ends),
      rules_(rules),
      maker_(workload, ends.tensor, rules.bounding_boxes),
      relevant_(workload.relevant_dims(ends.tensor)),
      to_compute_(ends.child == nest.levels.size()),
      by_counters_(!to_compute_ && !(rules.skips_equal_tiles && rules.slides_by_step)) {
  instance_.assign(nest.levels.size(), 0);
  split_loops();
  make_places();
  find_deciding_loops();
}

// Loops of a fan-out between the two come last: children are served together, step by step.
void LinkCounter::split_loops() {
  inside_.fill(1);
  for (std::size_t l = 0; l < nest_.levels.size(); ++l) {
    const Level& level = nest_.levels[l];
    for (const auto* loops : {&level.temporal, &level.spatial}) {
      for (const CountedLoop& loop : *loops) {
        if (l >= ends_.child) {
          inside_[loop.dim.pos()] *= loop.factor;
        } else {
          (loop.spatial && l >= ends_.parent ? fan_ : path_).push_back(loop);
        }
      }
    }
    if (l < ends_.parent || l >= ends_.child) continue;
    std::int64_t used_x = 1;
    std::int64_t used_y = 1;
    for (const CountedLoop& loop : level.spatial) (loop.along_y ? used_y : used_x) *= loop.factor;
    grid_x_ *= std::max(level.fanout_x, used_x);
    grid_y_ *= std::max(level.fanout_y, used_y);
  }
  around_ = inside_;
  reach_.fill(1);
  for (const CountedLoop& loop : fan_) {
    around_[loop.dim.pos()] *= loop.factor;
    reach_[loop.dim.pos()] += (loop.factor - 1) * loop.step;
    fan_children_ = checked_mul(fan_children_, loop.factor);
  }
}

void LinkCounter::make_places() {
  std::vector<std::int64_t> indices(fan_.size(), 0);
  for (std::int64_t i = 0; i < fan_children_; ++i) {
    Place place;
    for (std::size_t k = 0; k < fan_.size(); ++k) {
      place.offset[fan_[k].dim.pos()] += indices[k] * fan_[k].step;
    }
    place.moved = maker_.offset(place.offset);
    place.indices = indices;
    places_.push_back(std::move(place));
    for (std::size_t k = fan_.size(); k-- > 0;) {
      if (++indices[k] < fan_[k].factor) break;
      indices[k] = 0;
    }
  }
}

// By docs/model.md section 4: the loops in time at or outside the innermost one that the tensor
// depends on make a child receive; compute units keep nothing and receive at every step.
void LinkCounter::find_deciding_loops() {
  std::size_t temporal = 0;
  for (const CountedLoop& loop : path_) {
    if (loop.spatial) continue;
    ++temporal;
    if (to_compute_ || workload_.relevant(ends_.tensor, loop.dim)) deciding_ = temporal;
  }
  time_.assign(temporal, 0);
  slides_.assign(deciding_, false);
  if (to_compute_) return;
  for (std::size_t k = 0; k < deciding_; ++k) slides_[k] = sweeps(k);
}

// Whether the tile goes on by one step of the innermost deciding loop when loop k advances while
// the deciding loops inside it go from their last iteration to the first.
bool LinkCounter::sweeps(std::size_t k) const {
  PerDim moved{};
  const CountedLoop* innermost = nullptr;
  std::size_t at = 0;
  for (const CountedLoop& loop : path_) {
    if (loop.spatial) continue;
    if (at == k) moved[loop.dim.pos()] += loop.step;
    if (at > k && at < deciding_) moved[loop.dim.pos()] -= (loop.factor - 1) * loop.step;
    if (at + 1 == deciding_) innermost = &loop;
    ++at;
  }
  if (!maker_.affine(innermost->dim)) return false;
  for (std::size_t d = 0; d < nest_.sizes.size(); ++d) {
    if (!workload_.relevant(ends_.tensor, DimId(d))) continue;
    if (moved[d] != (DimId(d) == innermost->dim ? innermost->step : 0)) return false;
  }
  return true;
}

LinkCounts LinkCounter::count() {
  descend(0, 1);
  counts_.parents = static_cast<std::int64_t>(parents_.size());
  counts_.children = static_cast<std::int64_t>(children_.size());
  for (const auto& [number, parent] : parents_) counts_.around_sum += parent.around;
  for (const auto& [number, child] : children_) {
    counts_.tile_sum += child.largest;
    counts_.tile = std::max(counts_.tile, child.largest);
  }
  return counts_;
}

// How often a loop runs where the loops outside it stand.
std::int64_t LinkCounter::passes(const CountedLoop& loop) const {
  const std::size_t d = loop.dim.pos();
  return std::min(loop.factor, ceil_div(nest_.sizes[d] - start_[d], loop.step));
}

std::vector<LinkCounter::Iteration> LinkCounter::iterations(const CountedLoop& loop) const {
  const std::int64_t n = passes(loop);
  std::vector<Iteration> all;
  if (!rules_.time_extrapolation) {
    for (std::int64_t i = 0; i < n; ++i) all.push_back({.index = i});
    return all;
  }
  // The last iteration counts by itself if a remainder further in cuts it short, and so does the
  // one before if the loop has a remainder itself.
  const std::size_t d = loop.dim.pos();
  const bool in_last_pass = start_[d] + loop.factor * loop.step >= nest_.sizes[d];
  const bool runs_last = loop.ragged_inside && in_last_pass;
  const bool runs_two = runs_last && loop.factor != loop.remainder;
  all.push_back({});
  if (n == 1) return all;
  if (!runs_last) {
    all.push_back({.index = 1, .weight = n - 1, .charged = n - 1});
  } else if (n == 2) {
    all.push_back({.index = 1});
  } else if (!runs_two) {
    all.push_back({.index = 1, .weight = n - 2, .charged = n - 1});
    all.push_back({.index = n - 1, .weight = 1, .charged = 0});
  } else if (n == 3) {
    all.push_back({.index = 1});
    all.push_back({.index = 2});
  } else {
    all.push_back({.index = 1, .weight = n - 3, .charged = n - 2});
    all.push_back({.index = n - 2, .weight = 1, .charged = 0});
    all.push_back({.index = n - 1});
  }
  return all;
}

void LinkCounter::descend(std::size_t k, std::int64_t weight) {
  if (k == path_.size()) {
    serve(weight);
  } else if (path_[k].spatial) {
    descend_in_space(k, weight);
  } else {
    descend_in_time(k, weight);
  }
}

void LinkCounter::descend_in_time(std::size_t k, std::int64_t weight) {
  const CountedLoop& loop = path_[k];
  const std::size_t d = loop.dim.pos();
  const auto at = static_cast<std::size_t>(
      std::ranges::count_if(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(k),
                            [](const CountedLoop& outer) { return !outer.spatial; }));
  const std::int64_t origin = start_[d];
  const bool directly =
      k + 1 == path_.size() && fan_.empty() && loop.level == ends_.parent && !to_compute_;
  for (const Iteration& iteration : iterations(loop)) {
    start_[d] = origin + iteration.index * loop.step;
    time_[at] = iteration.index;
    descend(k + 1, checked_mul(weight, directly ? iteration.charged : iteration.weight));
  }
  start_[d] = origin;
  time_[at] = 0;
}

void LinkCounter::descend_in_space(std::size_t k, std::int64_t weight) {
  const CountedLoop& loop = path_[k];
  const std::size_t d = loop.dim.pos();
  const std::int64_t origin = start_[d];
  const std::int64_t number = instance_[loop.level];
  const std::int64_t n = passes(loop);
  const std::int64_t run = rules_.space_extrapolation ? 1 : n;
  const std::int64_t radix = rules_.renumbered_instances ? n : loop.factor;
  for (std::int64_t i = 0; i < run; ++i) {
    start_[d] = origin + i * loop.step;
    instance_[loop.level] = number * radix + i;
    descend(k + 1, weight);
  }
  start_[d] = origin;
  instance_[loop.level] = number;
}

}  // namespace tilewright::compat
