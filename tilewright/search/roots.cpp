// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/roots.h"

#include <algorithm>
#include <limits>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

constexpr std::size_t kMostChoices = 4'000'000;

}  // namespace

SpatialChoices::SpatialChoices(const Facts& facts, std::span<const InwardSteps> steps,
                               bool merge_axes, const std::function<bool(double)>& worth,
                               const std::function<bool()>& stop)
    : facts_(facts), steps_(steps), merge_axes_(merge_axes), worth_(worth), stop_(stop) {
  NodeId last(-1);
  factors_.resize(facts.rules.places.size());
  for (std::size_t p = 0; p < facts.rules.places.size(); ++p) {
    const Place& place = facts.rules.places[p];
    if (place.is_block()) continue;
    if (axes_.empty() || place.node != last) axes_.emplace_back();
    last = place.node;
    axes_.back().push_back(p);
    places_.push_back(p);
    for (const InwardSteps& dim : steps) factors_[p].push_back(dim.factors(static_cast<int>(p)));
  }
  tiling_.dims = facts.dims;
  tiling_.factors.assign(facts.rules.places.size() * static_cast<std::size_t>(facts.dims), 1);
  seen_.resize(axes_.size());
  add(0, 0, 0);
}

void SpatialChoices::set(std::size_t choice, Tiling& tiling) const {
  std::size_t next = 0;
  for (const std::size_t p : places_) {
    for (int d = 0; d < facts_.dims; ++d) {
      tiling.at(static_cast<int>(p), d) = choices_[choice][next++];
    }
  }
}

// With the factors chosen up to `dim` on an axis: what is left of this axis can only be used by the
// dims after it, and what comes later by all.
double SpatialChoices::least_steps(std::size_t fanout, std::size_t axis, int dim) const {
  double later = 1;  // room on axes to come
  double here = 1;   // room on this one
  bool passed = false;
  for (const std::size_t p : places_) {
    const Place& place = facts_.rules.places[p];
    const double size = static_cast<double>(
        facts_.problem.arch().fanout(place.node).axes[static_cast<std::size_t>(place.axis)].size);
    if (p == axes_[fanout][axis]) {
      here = size;
      for (int d = 0; d <= dim; ++d)
        here /= static_cast<double>(tiling_.at(static_cast<int>(p), d));
      passed = true;
    } else if (passed) {
      later *= size;
    }
  }
  double steps = 1;
  double after = 1;  // of the dims that may still use this axis
  for (int d = 0; d < facts_.dims; ++d) {
    std::int64_t many = 1;
    for (const std::size_t p : places_) many *= tiling_.at(static_cast<int>(p), d);
    const double left =
        static_cast<double>(ceil_div(facts_.sizes[static_cast<std::size_t>(d)], many));
    (d > dim ? after : steps) *= left;
  }
  return steps * std::max(1.0, after / here) / later;
}

void SpatialChoices::add(std::size_t fanout, std::size_t axis, int dim) {
  if (++looked_ % 4096 == 0 && stop_()) cut_off_ = true;
  if (cut_off_) return;
  if (fanout == axes_.size()) {
    if (choices_.size() == kMostChoices) {
      cut_off_ = true;
      return;
    }
    choices_.emplace_back();
    for (const std::size_t p : places_) {
      for (int d = 0; d < facts_.dims; ++d) {
        choices_.back().push_back(static_cast<std::int32_t>(tiling_.at(static_cast<int>(p), d)));
      }
    }
    return;
  }
  if (axis == axes_[fanout].size()) {
    end_fanout(fanout);
    return;
  }
  if (dim == facts_.dims) {
    add(fanout, axis + 1, 0);
    return;
  }
  const std::size_t p = axes_[fanout][axis];
  const Place& place = facts_.rules.places[p];
  std::int64_t used = 1;
  for (int d = 0; d < dim; ++d) used *= tiling_.at(static_cast<int>(p), d);
  const std::int64_t size =
      facts_.problem.arch().fanout(place.node).axes[static_cast<std::size_t>(place.axis)].size;
  for (const std::int64_t factor : factors_[p][static_cast<std::size_t>(dim)]) {
    if (used * factor > size) break;
    tiling_.at(static_cast<int>(p), dim) = factor;
    if (!worth_(least_steps(fanout, axis, dim))) continue;
    add(fanout, axis, dim + 1);
  }
  tiling_.at(static_cast<int>(p), dim) = 1;
}

void SpatialChoices::end_fanout(std::size_t fanout) {
  if (!enough_children(fanout)) return;
  // What is left of this fan-out stays unused.
  if (fanout + 1 == axes_.size()) {
    double steps = 1;
    for (int d = 0; d < facts_.dims; ++d) {
      std::int64_t many = 1;
      for (const std::size_t p : places_) many *= tiling_.at(static_cast<int>(p), d);
      steps *= static_cast<double>(ceil_div(facts_.sizes[static_cast<std::size_t>(d)], many));
    }
    if (!worth_(steps)) return;
  }
  if (merge_axes_ && axes_[fanout].size() > 1) {
    std::vector<std::int64_t> products;
    for (std::size_t f = 0; f <= fanout; ++f) {
      for (int d = 0; d < facts_.dims; ++d) {
        std::int64_t many = 1;
        int axes = 0;
        bool whole = true;
        for (const std::size_t p : axes_[f]) {
          const std::int64_t factor = tiling_.at(static_cast<int>(p), d);
          many *= factor;
          axes += factor > 1 ? 1 : 0;
          whole = whole && facts_.whole(p, static_cast<std::size_t>(d));
        }
        products.push_back(many);
        // With remainders it matters which of two axes has which factor: 5 tiles can be spread over
        // 2 x 4 children, not over 4 x 2.
        if (axes < 2 || whole) continue;
        for (const std::size_t p : axes_[f]) {
          products.push_back(-tiling_.at(static_cast<int>(p), d));
        }
      }
    }
    if (!seen_[fanout].insert(std::move(products)).second) return;
  }
  add(fanout + 1, 0, 0);
}

bool SpatialChoices::enough_children(std::size_t fanout) const {
  std::int64_t children = 1;
  for (const std::size_t p : axes_[fanout]) {
    for (int d = 0; d < facts_.dims; ++d) children *= tiling_.at(static_cast<int>(p), d);
  }
  const NodeId node = facts_.rules.places[axes_[fanout].front()].node;
  const auto rule = std::ranges::find(facts_.rules.fanouts, node, &FanoutRule::fanout);
  return rule == facts_.rules.fanouts.end() || children >= rule->least_children;
}

CapacityBound::CapacityBound(const Facts& facts, std::span<const InwardSteps> steps,
                             std::span<const TileForm> tiles, const Resource& energy,
                             bool by_capacity)
    : facts_(facts), tiles_(tiles), energy_(energy), by_capacity_(by_capacity) {
  const std::vector<std::int64_t> any(facts.rules.places.size(), 0);
  for (const InwardSteps& dim : steps) chains_.emplace_back(dim, any, any);
}

// The tuples of counts whose tiles fit, of which no smaller one does.
const std::vector<Counts>& CapacityBound::smallest(std::size_t memory, TensorSet kept) {
  const auto [it, added] = smallest_.try_emplace({memory, kept});
  if (!added) return it->second;
  std::vector<Counts>& result = it->second;
  std::vector<std::size_t> dims;
  for_bits(facts_.live, [&](std::size_t d) { dims.push_back(d); });
  Counts counts;
  Counts extents;
  counts.fill(1);
  extents.fill(1);
  std::vector<std::size_t> at(dims.size(), 0);
  const auto listed = [&](std::size_t i) { return chains_[dims[i]].counts(facts_.block[memory]); };
  const auto set = [&](std::size_t i, std::size_t position) {
    counts[dims[i]] = listed(i)[position];
    extents[dims[i]] = ceil_div(facts_.sizes[dims[i]], counts[dims[i]]);
  };
  const auto is_smallest = [&] {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (at[i] == 0) continue;
      set(i, at[i] - 1);
      const bool fit = tiles_fit(facts_, tiles_, memory, kept, extents);
      set(i, at[i]);
      if (fit) return false;
    }
    return true;
  };
  // The last dim is cut as little as fits.
  const auto go = [&](const auto& self, std::size_t i) -> void {
    if (i == dims.size()) {
      if ((!by_capacity_ || tiles_fit(facts_, tiles_, memory, kept, extents)) &&
          (!by_capacity_ || is_smallest())) {
        result.push_back(counts);
      }
      return;
    }
    for (std::size_t c = 0; c < listed(i).size(); ++c) {
      at[i] = c;
      set(i, c);
      const std::size_t before = result.size();
      self(self, i + 1);
      if (!by_capacity_) break;  // one tile is as good as any
      if (i + 1 == dims.size() &&
          (result.size() > before || tiles_fit(facts_, tiles_, memory, kept, extents)))
        break;
    }
    at[i] = 0;
    set(i, 0);
  };
  go(go, 0);
  return result;
}

double CapacityBound::with_tiles(const Links& links, std::size_t memory, const Counts& tiles,
                                 std::span<const double> once) const {
  Counts inside = tiles;
  Counts outside = tiles;
  for_bits(facts_.live, [&](std::size_t d) {
    std::int64_t all = 1;
    std::int64_t last = 1;
    for (std::size_t p = 0; p < facts_.block[memory]; ++p) {
      if (facts_.rules.places[p].is_block()) continue;
      all *= links.factor(p, d);
      if (p > facts_.block[memory - 1]) last *= links.factor(p, d);
    }
    inside[d] = std::max(inside[d], all);
    outside[d] = ceil_div(inside[d], last);
  });
  std::array<double, Workload::kMaxTensors> moving{};
  double all = 0;
  for_bits(links.keeps()[memory], [&](std::size_t t) {
    if (links.parent(memory, t) < 0) return;
    Links::Traffic traffic =
        links.elements(t, memory, static_cast<int>(memory) - 1, outside, inside, facts_.live);
    for_bits(facts_.irrelevant[t], [&](std::size_t d) {
      traffic.delivered *= links.deliveries(t, memory, static_cast<int>(memory) - 1, d, outside[d]);
      traffic.received *= static_cast<double>(inside[d]);
    });
    moving[t] = links.cost(energy_, t, memory, traffic);
    all += moving[t];
  });
  // One label for the block: its tensors may be moved only once.
  double saved = 0;
  for (const Facts::Label& label : facts_.labels) {
    double saves = 0;
    for_bits(label.still & links.keeps()[memory], [&](std::size_t t) {
      if (links.parent(memory, t) >= 0) saves += moving[t] - once[t];
    });
    saved = std::max(saved, saves);
  }
  return all - saved;
}

double CapacityBound::links_into(const Links& links, std::size_t memory) {
  std::uint64_t key = memory;
  for (int t = 0; t < facts_.tensors; ++t) {
    const std::size_t at = static_cast<std::size_t>(t);
    const int from = links.keeps(memory, at) ? links.parent(memory, at) + 1 : 63;
    key = key << 6 | static_cast<std::uint64_t>(from);
  }
  auto& known = is_common(memory) ? shared_ : known_;
  const auto [it, added] = known.try_emplace(key, 0.0);
  if (!added) return it->second;
  std::array<double, Workload::kMaxTensors> once{};
  for_bits(links.keeps()[memory], [&](std::size_t t) {
    if (links.parent(memory, t) >= 0) once[t] = links.least_cost(energy_, t, memory);
  });
  double least = std::numeric_limits<double>::infinity();
  for (const Counts& counts : smallest(memory, links.keeps()[memory])) {
    least = std::min(least, with_tiles(links, memory, counts, once));
  }
  it->second = least;
  return least;
}

bool CapacityBound::is_common(std::size_t memory) const {
  for (std::size_t p = 0; p < facts_.block[memory]; ++p) {
    if (!facts_.rules.places[p].is_block()) return false;
  }
  return true;
}

double CapacityBound::least(const Links& links, bool common) {
  double total = 0;
  for (std::size_t m = 1; m < links.keeps().size(); ++m) {
    if (links.keeps()[m] != 0 && !(common && is_common(m))) total += links_into(links, m);
  }
  return total;
}

double CapacityBound::common(const Keeps& keeps) {
  Tiling none;
  none.dims = facts_.dims;
  none.factors.assign(facts_.rules.places.size() * static_cast<std::size_t>(facts_.dims), 1);
  const Links links(facts_, keeps, none);
  double total = 0;
  for (std::size_t m = 1; m < keeps.size(); ++m) {
    if (keeps[m] != 0 && is_common(m)) total += links_into(links, m);
  }
  return total;
}

}  // namespace tilewright
