// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/outline_bound.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

constexpr std::size_t kMostWays = 32;
constexpr std::size_t kMostOutlines = 128;  // with the same keeps

void add(const Outline::Shared& more, Outline::Shared& shared) {
  shared.cost += more.cost;
  shared.least += more.least;
  shared.reads += more.reads;
  shared.spared += more.spared;
  shared.from = std::min(shared.from, more.from);
}

void add(const Outline& more, Outline& outline) {
  outline.fixed += more.fixed;
  for (std::size_t t = 0; t < outline.shared.size(); ++t) add(more.shared[t], outline.shared[t]);
}

bool is_no_better(const Outline& a, const Outline& b) {
  if (a.fixed < b.fixed) return false;
  for (std::size_t t = 0; t < a.shared.size(); ++t) {
    const Outline::Shared& x = a.shared[t];
    const Outline::Shared& y = b.shared[t];
    if (x.cost < y.cost || x.least < y.least || x.reads < y.reads || x.spared > y.spared) {
      return false;
    }
  }
  return true;
}

// Leaves out ways that are no better than another; of too many, only the least of everything stays.
void thin_out(std::vector<Outline>& ways) {
  std::vector<Outline> kept;
  for (const Outline& way : ways) {
    if (std::ranges::any_of(kept, [&](const Outline& k) { return is_no_better(way, k); })) continue;
    std::erase_if(kept, [&](const Outline& k) { return is_no_better(k, way); });
    kept.push_back(way);
  }
  if (kept.size() > kMostWays) {
    Outline least = kept.front();
    for (const Outline& way : kept) {
      least.fixed = std::min(least.fixed, way.fixed);
      for (std::size_t t = 0; t < least.shared.size(); ++t) {
        Outline::Shared& shared = least.shared[t];
        shared.cost = std::min(shared.cost, way.shared[t].cost);
        shared.least = std::min(shared.least, way.shared[t].least);
        shared.reads = std::min(shared.reads, way.shared[t].reads);
        shared.spared = std::max(shared.spared, way.shared[t].spared);
      }
    }
    kept = {least};
  }
  ways = std::move(kept);
}

}  // namespace

OutlineBound::OutlineBound(const Facts& facts, const Resource& energy, std::span<const Keeps> keeps,
                           std::span<const double> common, CapacityBound& capacity)
    : facts_(facts), energy_(energy), axes_(fanout_places(facts)) {
  const std::size_t tensors = static_cast<std::size_t>(facts.tensors);
  needed_.assign(facts.block.size(), 0);
  sharing_.assign(tensors, std::vector<Sharing>(facts.block.size()));
  // Factors on several axes may multiply to nearly twice the size.
  const bool one_axis = axes_.size() == 1 && axes_.front().size() == 1;
  for (std::size_t t = 0; t < tensors; ++t) {
    slack_.push_back(1);
    for (const Facts::Pair& pair : facts.pairs[t]) {
      slack_.back() *= static_cast<double>(
          (one_axis ? 1 : 2) * std::min(facts.sizes[pair.first], facts.sizes[pair.second]));
    }
  }
  for (TensorSet set = 1; set < TensorSet{1} << tensors && tensors <= 4; ++set) {
    DimSet seen = 0;
    bool apart = std::popcount(set) > 1;
    for_bits(set, [&](std::size_t t) {
      apart = apart && (seen & facts.shared_by[t]) == 0;
      seen |= facts.shared_by[t];
    });
    if (apart) apart_.push_back(set);
  }
  for (std::uint32_t k = 0; k < keeps.size(); ++k) add_outlines(k, keeps[k], common[k], capacity);
}

void OutlineBound::add_outlines(std::uint32_t number, const Keeps& keeps, double common,
                                CapacityBound& capacity) {
  Tiling none;
  none.dims = facts_.dims;
  none.factors.assign(facts_.rules.places.size() * static_cast<std::size_t>(facts_.dims), 1);
  const Links links(facts_, keeps, none);
  Outline start;
  start.keeps = number;
  start.fixed = common;
  for (Outline::Shared& shared : start.shared) shared.from = facts_.block.size() - 1;
  add_inner(keeps, start);
  std::vector<Outline> all{start};
  for (std::size_t m = 1; m < keeps.size(); ++m) {
    if (keeps[m] == 0 || capacity.is_common(m)) continue;
    const std::vector<Outline> ways = ways_into(m, links, capacity);
    if (ways.empty()) return;                                // nothing fits
    if (all.size() * ways.size() > kMostOutlines) continue;  // as if they cost nothing
    std::vector<Outline> next;
    for (const Outline& outline : all) {
      for (const Outline& way : ways) {
        next.push_back(outline);
        add(way, next.back());
      }
    }
    thin_out(next);
    all = std::move(next);
  }
  for (const Outline& outline : all) {
    for (std::size_t t = 0; t < sharing_.size(); ++t) {
      needed_[outline.shared[t].from] |= TensorSet{1} << t;
    }
    outlines_.push_back(outline);
  }
}

// True if a fan-out lies between the blocks of two memories (or compute units).
bool OutlineBound::crosses(std::size_t outside, std::size_t inside) const {
  const std::size_t end =
      inside < facts_.block.size() ? facts_.block[inside] : facts_.rules.places.size();
  return std::ranges::any_of(axes_, [&](const std::vector<std::size_t>& axes) {
    return axes.front() > facts_.block[outside] && axes.front() < end;
  });
}

// What compute units take.
void OutlineBound::add_inner(const Keeps& keeps, Outline& outline) const {
  for (std::size_t t = 0; t < sharing_.size(); ++t) {
    std::size_t last = facts_.block.size();
    while ((keeps[--last] >> t & 1U) == 0) {
    }
    const Prices& prices = energy_.prices[last][t];
    const bool output = t == facts_.output;
    const double price = output ? prices.update : prices.read;
    if (!crosses(last, facts_.block.size())) {
      outline.fixed += facts_.computes * price;
      continue;
    }
    Outline::Shared inner{facts_.computes * price, facts_.elements[t] * price, 0, 0, last};
    // How many are first touches is known outside of all fan-outs only.
    if (output && facts_.block[last] < axes_.front().front()) {
      inner.reads = facts_.computes * prices.read;
      inner.spared = facts_.most_touched[t] * prices.read;
    }
    add(inner, outline.shared[t]);
  }
}

std::vector<Outline> OutlineBound::ways_into(std::size_t memory, const Links& links,
                                             CapacityBound& capacity) const {
  std::vector<Outline> ways;
  const TensorSet kept = links.keeps()[memory];
  for (const Counts& tiles : capacity.smallest(memory, kept)) {
    std::vector<TensorSet> seen;
    if (facts_.labels.empty()) ways.push_back(way_into(memory, links, tiles, kept));
    for (const Facts::Label& label : facts_.labels) {
      const TensorSet still = label.still & kept;
      if (std::ranges::find(seen, still) != seen.end()) continue;
      seen.push_back(still);
      ways.push_back(way_into(memory, links, tiles, still));
    }
    if (ways.size() > 4 * kMostWays) thin_out(ways);
  }
  thin_out(ways);
  return ways;
}

// The links into `memory` with tiles like these, if the innermost loop outside it leaves `still`
// where they are.
Outline OutlineBound::way_into(std::size_t memory, const Links& links, const Counts& tiles,
                               TensorSet still) const {
  Outline way;
  for (Outline::Shared& shared : way.shared) shared.from = facts_.block.size() - 1;
  for_bits(links.keeps()[memory], [&](std::size_t t) {
    if (links.parent(memory, t) < 0) return;
    const std::size_t parent = static_cast<std::size_t>(links.parent(memory, t));
    double received = facts_.elements[t];
    if ((still >> t & 1U) == 0) {
      for_bits(facts_.irrelevant[t],
               [&](std::size_t d) { received *= static_cast<double>(tiles[d]); });
    }
    const bool output = t == facts_.output;
    const Prices& out = energy_.prices[parent][t];
    const Prices& in = energy_.prices[memory][t];
    way.fixed += received * (output ? in.drain : in.fill);
    const double price = output ? out.update : out.read;
    if (!crosses(parent, memory)) {
      way.fixed += received * price;
      return;
    }
    Outline::Shared link{received * price, facts_.elements[t] * price, 0, 0, parent};
    if (output && facts_.block[parent] < axes_.front().front()) {
      link.reads = received * out.read;
      link.spared = facts_.most_touched[t] * out.read;
    }
    add(link, way.shared[t]);
  });
  return way;
}

void OutlineBound::set(const SpatialChoices::Part& part) {
  all_room_ = part.all_room;
  set_steps(part);
  for (std::size_t m = 0; m < needed_.size(); ++m) {
    for_bits(needed_[m], [&](std::size_t t) { sharing_[t][m] = sharing(part, t, m); });
  }
}

void OutlineBound::set_steps(const SpatialChoices::Part& part) {
  steps_ = 1;
  double open = 1;
  for (std::size_t d = 0; d < facts_.sizes.size(); ++d) {
    std::int64_t many = 1;
    for (std::size_t f = 0; f < axes_.size(); ++f) many *= part.factors[d * axes_.size() + f];
    if (d < part.dim) {
      steps_ *= static_cast<double>(ceil_div(facts_.sizes[d], many));
    } else {
      open *= static_cast<double>(facts_.sizes[d]) / static_cast<double>(many);
    }
  }
  steps_ *= std::max(1.0, open / part.all_room);
}

OutlineBound::Sharing OutlineBound::sharing(const SpatialChoices::Part& part, std::size_t tensor,
                                            std::size_t memory) const {
  Sharing result;
  std::array<double, Workload::kMaxDims> factors;
  factors.fill(1);
  DimSet along = facts_.shared_by[tensor];
  for (const Facts::Pair& pair : facts_.pairs[tensor]) {
    along |= DimSet{1} << pair.first | DimSet{1} << pair.second;
  }
  for (std::size_t f = 0; f < axes_.size(); ++f) {
    const std::size_t p = axes_[f].front();
    if (p < facts_.block[memory] || !facts_.shares(tensor, p)) continue;
    bool open = false;
    for_bits(along, [&](std::size_t d) {
      factors[d] *= static_cast<double>(part.factors[d * axes_.size() + f]);
      open = open || part.is_open(d, f);
    });
    if (open) result.room *= part.room[f];
  }
  for_bits(facts_.shared_by[tensor], [&](std::size_t d) { result.chosen *= factors[d]; });
  for (const Facts::Pair& pair : facts_.pairs[tensor]) {
    // Grows with a and b, but not faster than each of them.
    const double a = factors[pair.first];
    const double b = factors[pair.second];
    result.chosen *= a * b / (a + b - 1);
  }
  return result;
}

// Tensors that share along different dims cannot all have the open room: with x the product of all
// open factors that help one of them, the x multiply to no more than the room. A sum whose terms
// have a given product is least where they are equal.
double OutlineBound::together(const Outline& outline, TensorSet tensors) const {
  const int count = std::popcount(tensors);
  double product = 1 / all_room_;
  double spared = 0;
  for_bits(tensors, [&](std::size_t t) {
    const Outline::Shared& shared = outline.shared[t];
    const Sharing& sharing = sharing_[t][shared.from];
    double cost = shared.cost;
    if (shared.reads > 2 * shared.spared * sharing.chosen * sharing.room) {
      cost += shared.reads;
      spared += shared.spared;
    }
    product *= cost / (sharing.chosen * slack_[t]);
  });
  const double mean = count == 2   ? std::sqrt(product)
                      : count == 3 ? std::cbrt(product)
                                   : std::pow(product, 1.0 / count);
  return count * mean - spared;
}

double OutlineBound::least(const Outline& outline) const {
  std::array<double, Workload::kMaxTensors> alone{};
  double all = 0;
  for (std::size_t t = 0; t < sharing_.size(); ++t) {
    const Outline::Shared& shared = outline.shared[t];
    const Sharing& sharing = sharing_[t][shared.from];
    const double share = sharing.chosen * sharing.room;
    alone[t] = std::max(shared.least, shared.cost / share) +
               std::max(0.0, shared.reads / share - shared.spared);
    all += alone[t];
  }
  double more = 0;
  if (all_room_ > 1) {
    for (const TensorSet set : apart_) {
      double gain = together(outline, set);
      for_bits(set, [&](std::size_t t) { gain -= alone[t]; });
      more = std::max(more, gain);
    }
  }
  // Whole factors, rounded.
  return outline.fixed + (all + more) * (1 - 1e-12);
}

}  // namespace tilewright
