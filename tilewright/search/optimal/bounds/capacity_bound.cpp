// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/bounds/capacity_bound.h"

#include <algorithm>
#include <limits>
#include <ranges>

#include "tilewright/base/checked.h"

namespace tilewright {
CapacityBound::CapacityBound(const ProblemTables& tables, std::span<const InwardSteps> steps,
                             std::span<const TileForm> tiles, std::span<const Resource> resources,
                             bool by_capacity)
    : tables_(tables),
      tiles_(tiles),
      resources_(resources),
      by_capacity_(by_capacity),
      known_(resources.size()),
      shared_(resources.size()) {
  const std::vector<std::int64_t> any(tables.rules.places.size(), 0);
  for (const InwardSteps& dim : steps) chains_.emplace_back(dim, any, any);
}

// The live dims that tiles of these tensors have.
std::vector<std::size_t> CapacityBound::dims_of(TensorSet tensors) const {
  DimSet relevant = 0;
  for_bits(tensors, [&](std::size_t t) {
    relevant |= tables_.problem.workload().relevant_dims(TensorId(static_cast<int>(t)));
  });
  std::vector<std::size_t> dims;
  for_bits(tables_.live & relevant, [&](std::size_t d) { dims.push_back(d); });
  return dims;
}

const std::vector<Counts>& CapacityBound::smallest(std::size_t memory, TensorSet kept) {
  const auto [it, added] = smallest_.try_emplace({memory, kept});
  if (added) it->second = find_smallest(memory, kept);
  return it->second;
}

std::vector<Counts> CapacityBound::find_smallest(std::size_t memory, TensorSet kept) const {
  std::vector<Counts> result;
  const std::vector<std::size_t> dims = dims_of(kept);  // the others need not be cut
  Counts counts;
  counts.fill(1);
  Counts extents = counts;
  const auto listed_of = [&](std::size_t dim) {
    return chains_[dim].counts(tables_.block[memory]);
  };
  for_bits(tables_.live, [&](std::size_t d) { counts[d] = listed_of(d).front(); });
  std::vector<std::size_t> at(dims.size(), 0);
  const auto listed = [&](std::size_t i) { return listed_of(dims[i]); };
  const auto set = [&](std::size_t i, std::size_t position) {
    counts[dims[i]] = listed(i)[position];
    extents[dims[i]] = ceil_div(tables_.sizes[dims[i]], counts[dims[i]]);
  };
  const auto fit = [&] {
    return !by_capacity_ || tiles_fit(tables_, tiles_, memory, kept, extents);
  };
  // With the dims from `i` on cut as much, or as little, as can be.
  const auto fit_with = [&](std::size_t i, bool most) {
    for (; i < dims.size(); ++i) set(i, most ? listed(i).size() - 1 : 0);
    return fit();
  };
  const auto is_smallest = [&] {
    for (std::size_t i = 0; i + 1 < dims.size(); ++i) {
      if (at[i] == 0) continue;
      set(i, at[i] - 1);
      const bool smaller = fit();
      set(i, at[i]);
      if (smaller) return false;
    }
    return true;
  };
  const auto go = [&](const auto& self, std::size_t i) -> void {
    if (i + 1 < dims.size()) {
      for (at[i] = 0; at[i] < listed(i).size(); ++at[i]) {
        set(i, at[i]);
        if (!fit_with(i + 1, true)) continue;
        self(self, i + 1);
        if (fit_with(i + 1, false)) break;  // cut further it is not among the smallest
      }
      return;
    }
    // The last dim is cut as little as fits: more pieces fit if fewer do.
    const auto positions = std::views::iota(std::size_t{0}, listed(i).size());
    const auto first = std::ranges::partition_point(positions, [&](std::size_t position) {
      set(i, position);
      return !fit();
    });
    if (first == positions.end()) return;
    set(i, *first);
    if (is_smallest()) result.push_back(counts);
  };
  if (!dims.empty()) {
    go(go, 0);
  } else if (fit()) {
    result.push_back(counts);
  }
  return result;
}

double CapacityBound::with_tiles(const Resource& resource, const Links& links, std::size_t memory,
                                 const Counts& tiles, std::span<const double> once) const {
  Counts inside = tiles;
  Counts outside = tiles;
  for_bits(tables_.live, [&](std::size_t d) {
    std::int64_t all = 1;
    std::int64_t last = 1;
    for (std::size_t p = 0; p < tables_.block[memory]; ++p) {
      if (tables_.rules.places[p].is_block()) continue;
      all *= links.factor(p, d);
      if (p > tables_.block[memory - 1]) last *= links.factor(p, d);
    }
    inside[d] = std::max(inside[d], all);
    outside[d] = ceil_div(inside[d], last);
  });
  std::array<double, Workload::kMaxTensors> moving{};
  double all = 0;
  for_bits(links.keeps()[memory], [&](std::size_t t) {
    if (links.parent(memory, t) < 0) return;
    Links::Traffic traffic = links.elements(t, memory, static_cast<int>(memory) - 1, false, outside,
                                            inside, tables_.live);
    for_bits(tables_.irrelevant[t], [&](std::size_t d) {
      traffic.delivered *= links.deliveries(t, memory, static_cast<int>(memory) - 1, d, outside[d]);
      traffic.received *= static_cast<double>(inside[d]);
    });
    moving[t] = links.cost(resource, t, memory, traffic);
    all += moving[t];
  });
  // One label for the block: its tensors may be moved only once.
  double saved = 0;
  for (const ProblemTables::Label& label : tables_.labels) {
    double saves = 0;
    for_bits(label.stationary & links.keeps()[memory], [&](std::size_t t) {
      if (links.parent(memory, t) >= 0) saves += moving[t] - once[t];
    });
    saved = std::max(saved, saves);
  }
  return all - saved;
}

double CapacityBound::links_into(std::size_t resource, const Links& links, std::size_t memory) {
  Known& known = (is_common(memory) ? shared_ : known_)[resource];
  const auto [it, added] = known.try_emplace(links.key_into(memory), 0.0);
  if (!added) return it->second;
  std::array<double, Workload::kMaxTensors> once{};
  for_bits(links.keeps()[memory], [&](std::size_t t) {
    if (links.parent(memory, t) >= 0) once[t] = links.least_cost(resources_[resource], t, memory);
  });
  double least = std::numeric_limits<double>::infinity();
  for (const Counts& counts : smallest(memory, tables_.held(links.keeps(), memory))) {
    least = std::min(least, with_tiles(resources_[resource], links, memory, counts, once));
  }
  it->second = least;
  return least;
}

bool CapacityBound::is_common(std::size_t memory) const { return !tables_.fans_out(0, memory); }

double CapacityBound::least(std::size_t resource, const Links& links) {
  double total = 0;
  for (std::size_t m = 1; m < links.keeps().size(); ++m) {
    if (links.keeps()[m] != 0 && !is_common(m)) total += links_into(resource, links, m);
  }
  return total;
}

double CapacityBound::common(std::size_t resource, const Keeps& keeps) {
  const Links links(tables_, keeps, tables_.no_loops());
  double total = 0;
  for (std::size_t m = 1; m < keeps.size(); ++m) {
    if (keeps[m] != 0 && is_common(m)) total += links_into(resource, links, m);
  }
  return total;
}

}  // namespace tilewright
