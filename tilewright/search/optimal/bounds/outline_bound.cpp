// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/bounds/outline_bound.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tilewright/base/checked.h"
#include "tilewright/base/stop.h"

namespace tilewright {
namespace {

constexpr std::size_t kMostWays = 32;
constexpr std::size_t kMostOutlines = 128;  // with the same keeps

void add(const Outline& more, Outline& outline) {
  outline.fixed += more.fixed;
  outline.shared.insert(outline.shared.end(), more.shared.begin(), more.shared.end());
}

bool is_no_better(const Outline& a, const Outline& b) {
  if (a.fixed < b.fixed) return false;
  for (std::size_t i = 0; i < a.shared.size(); ++i) {
    const Outline::Shared& x = a.shared[i];
    const Outline::Shared& y = b.shared[i];
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
      for (std::size_t i = 0; i < least.shared.size(); ++i) {
        Outline::Shared& shared = least.shared[i];
        shared.cost = std::min(shared.cost, way.shared[i].cost);
        shared.least = std::min(shared.least, way.shared[i].least);
        shared.reads = std::min(shared.reads, way.shared[i].reads);
        shared.spared = std::max(shared.spared, way.shared[i].spared);
      }
    }
    kept = {least};
  }
  ways = std::move(kept);
}

// a x b children need a + b - 1 different elements of a rank at least. Grows with a and b, but not
// faster than each of them.
double sharing_of(double a, double b) { return a * b / (a + b - 1); }

// Tensors that share along different dims cannot all have the open room: with x the product of all
// open factors that help one of them, the x multiply to no more than the room. A sum whose terms
// have a given product is least where they are equal.
double together(std::span<const Outline::Shared* const> terms, TensorSet tensors,
                const SharingLimits& limits) {
  const int count = std::popcount(tensors);
  double product = 1 / limits.all_open();
  double spared = 0;
  for_bits(tensors, [&](std::size_t t) {
    const Outline::Shared& shared = *terms[t];
    const SharingLimits::Sharing& sharing = limits.of(t, shared.from, shared.inner);
    double cost = shared.cost;
    if (shared.reads > 2 * shared.spared * sharing.chosen * sharing.open) {
      cost += shared.reads;
      spared += shared.spared;
    }
    product *= cost / (sharing.chosen * sharing.affine);
  });
  const double mean = count == 2   ? std::sqrt(product)
                      : count == 3 ? std::cbrt(product)
                                   : std::pow(product, 1.0 / count);
  return count * mean - spared;
}

// What it uses, at most.
double if_unshared(const Outline& outline) {
  double all = outline.fixed;
  for (const Outline::Shared& shared : outline.shared) {
    all += std::max(shared.cost, shared.least) + shared.reads;
  }
  return all;
}

double alone(const Outline::Shared& shared, const SharingLimits& limits, const OpenSharing& most) {
  const SharingLimits::Sharing& sharing = limits.of(shared.tensor, shared.from, shared.inner);
  const double share = sharing.chosen * std::min(sharing.open, most[shared.tensor]);
  return std::max(shared.least, shared.cost / share) +
         std::max(0.0, shared.reads / share - shared.spared);
}

}  // namespace

OpenSharing any_sharing() {
  OpenSharing any;
  any.fill(std::numeric_limits<double>::infinity());
  return any;
}

SharingLimits::SharingLimits(const ProblemTables& tables, bool by_shared_room)
    : tables_(tables),
      by_shared_room_(by_shared_room),
      axes_(fanout_places(tables)),
      number_(static_cast<std::size_t>(tables.tensors) * tables.block.size() * 2, 0) {
  for (const std::vector<ProblemTables::Pair>& pairs : tables.pairs) {
    most_affine_.emplace_back();
    for (const ProblemTables::Pair& pair : pairs) {
      most_affine_.back().push_back(
          pair.most_shared(tables.sizes[pair.first], tables.sizes[pair.second]));
    }
  }
  for (TensorSet set = 1; set < TensorSet{1} << tables.tensors && tables.tensors <= 4; ++set) {
    DimSet seen = 0;
    bool apart = std::popcount(set) > 1;
    for_bits(set, [&](std::size_t t) {
      apart = apart && (seen & tables.shared_by[t]) == 0;
      seen |= tables.shared_by[t];
    });
    if (apart) apart_.push_back(set);
  }
}

void SharingLimits::need(std::size_t tensor, std::size_t memory, bool inner) {
  const auto same = std::ranges::find_if(needed_, [&](const Needed& needed) {
    const auto [outside, inside] = std::minmax(needed.memory, memory);
    return needed.tensor == tensor && needed.inner == inner && !tables_.fans_out(outside, inside);
  });
  number_[pos(tensor, memory, inner)] = static_cast<std::size_t>(same - needed_.begin());
  if (same != needed_.end()) return;
  needed_.push_back({tensor, memory, inner, tables_.shared_by[tensor], {}});
  Needed& needed = needed_.back();
  for (const ProblemTables::Pair& pair : tables_.pairs[tensor]) {
    needed.along |= DimSet{1} << pair.first | DimSet{1} << pair.second;
  }
  for (std::size_t f = 0; f < axes_.size(); ++f) {
    const std::size_t p = axes_[f].front();
    if (p > tables_.block[memory] && tables_.shares(tensor, p)) needed.fanouts.push_back(f);
  }
}

void SharingLimits::set(const SpatialChoices::Part& part) {
  set_open(part);
  set_steps(part);
  affine_.assign(static_cast<std::size_t>(tables_.tensors), 1);
  sharing_.clear();
  for (const Needed& needed : needed_) {
    sharing_.push_back(make_sharing(part, needed));
    affine_[needed.tensor] = std::max(affine_[needed.tensor], sharing_.back().affine);
  }
}

// Into how many tiles the factors chosen for a dim cut it, at least: only the last pass of each
// lacks some.
double SharingLimits::tiles(const SpatialChoices::Part& part, std::size_t dim) const {
  double result = 1;
  for (std::size_t f = 0; f < axes_.size() && !part.is_open(dim, f); ++f) {
    double factor = static_cast<double>(part.factors[dim * axes_.size() + f]);
    if (dim == part.dim && f + 1 == part.fanout) factor /= part.spread;
    if (factor <= 1) continue;
    if (result > 1) {
      result = (result - 1) * factor + 1;
    } else {  // on several axes, of which the outermost has two children or more
      result = axes_[f].size() == 1 ? factor : factor / 2 + 1;
    }
  }
  return result;
}

// No more children than a dim has elements have something to do.
void SharingLimits::set_open(const SpatialChoices::Part& part) {
  open_.assign(tables_.sizes.size(), 1);
  double all = 1;
  for (std::size_t d = part.dim; d < tables_.sizes.size(); ++d) {
    open_[d] = std::max(1.0, static_cast<double>(tables_.sizes[d]) / tiles(part, d));
    all *= open_[d];
  }
  all_open_ = std::min(part.all_room, all);
  room_.clear();
  children_.clear();
  for (std::size_t f = 0; f < axes_.size(); ++f) {
    double children = 1;
    double open = 1;
    for (std::size_t d = 0; d < tables_.sizes.size(); ++d) {
      children *= static_cast<double>(part.factors[d * axes_.size() + f]);
      if (part.is_open(d, f)) open *= open_[d];
    }
    room_.push_back(std::min(part.room[f], open));
    children_.push_back(children * room_.back());
  }
  instances_.assign(tables_.block.size(), 1);
  for (std::size_t m = 0; m < instances_.size(); ++m) {
    for (std::size_t f = 0; f < axes_.size(); ++f) {
      if (axes_[f].front() < tables_.block[m]) instances_[m] *= children_[f];
    }
  }
}

void SharingLimits::set_steps(const SpatialChoices::Part& part) {
  steps_ = 1;
  double open = 1;
  for (std::size_t d = 0; d < tables_.sizes.size(); ++d) {
    std::int64_t many = 1;
    for (std::size_t f = 0; f < axes_.size(); ++f) many *= part.factors[d * axes_.size() + f];
    if (d < part.dim) {
      steps_ *= static_cast<double>(ceil_div(tables_.sizes[d], many));
    } else {
      open *= static_cast<double>(tables_.sizes[d]) / static_cast<double>(many);
    }
  }
  steps_ *= std::max(1.0, open / all_open_);
}

SharingLimits::Sharing SharingLimits::make_sharing(const SpatialChoices::Part& part,
                                                   const Needed& needed) const {
  const auto& [tensor, memory, inner, along, fanouts] = needed;
  std::array<double, Workload::kMaxDims> factors;
  std::array<double, Workload::kMaxDims> most;
  factors.fill(1);
  most.fill(1);
  Sharing result;
  double room = 1;
  for (const std::size_t f : fanouts) {
    bool open = false;
    for_bits(along, [&](std::size_t d) {
      factors[d] *= static_cast<double>(part.factors[d * axes_.size() + f]);
      if (!part.is_open(d, f)) return;
      most[d] = open_[d];
      open = true;
    });
    if (open) room *= room_[f];
  }
  for_bits(along, [&](std::size_t d) {
    const double size = static_cast<double>(tables_.sizes[d]);
    factors[d] = std::min(factors[d], size);
    most[d] = std::min(factors[d] * most[d], size);
    // The last pass lacks some.
    if (inner && d < part.dim) most[d] = factors[d] = size / std::ceil(size / factors[d]);
  });
  for_bits(tables_.shared_by[tensor], [&](std::size_t d) {
    result.chosen *= factors[d];
    result.open *= most[d] / factors[d];
  });
  for (std::size_t i = 0; i < tables_.pairs[tensor].size(); ++i) {
    const ProblemTables::Pair& pair = tables_.pairs[tensor][i];
    const double limit = inner ? most_affine_[tensor][i] : std::numeric_limits<double>::infinity();
    const double chosen = std::min(limit, sharing_of(factors[pair.first], factors[pair.second]));
    result.chosen *= chosen;
    result.affine *= std::min(limit, sharing_of(most[pair.first], most[pair.second])) / chosen;
  }
  result.open = std::min(result.open * result.affine, room);
  return result;
}

// The open parts of what tensors that share along different dims share multiply to no more than
// the room.
OpenSharing SharingLimits::left_by(const OpenSharing& needed) const {
  OpenSharing result = any_sharing();
  for (const TensorSet set : apart_) {
    double room = all_open_;
    for_bits(set, [&](std::size_t t) { room *= affine_[t] / needed[t]; });
    for_bits(set, [&](std::size_t t) { result[t] = std::min(result[t], room * needed[t]); });
  }
  return result;
}

const std::vector<Outline>& OutlineParts::ways_into(std::size_t memory, const Links& links) {
  const auto [it, added] = ways_.try_emplace(links.key_into(memory));
  if (added) it->second = find_ways_into(memory, links);
  return it->second;
}

std::vector<Outline> OutlineParts::find_ways_into(std::size_t memory, const Links& links) const {
  std::vector<Outline> ways;
  const TensorSet kept = links.keeps()[memory];
  for (const Counts& tiles : capacity_.smallest(memory, tables_.held(links.keeps(), memory))) {
    std::vector<TensorSet> seen;
    if (tables_.labels.empty()) ways.push_back(way_into(memory, links, tiles, kept));
    for (const ProblemTables::Label& label : tables_.labels) {
      const TensorSet stationary = label.stationary & kept;
      if (std::ranges::find(seen, stationary) != seen.end()) continue;
      seen.push_back(stationary);
      ways.push_back(way_into(memory, links, tiles, stationary));
    }
    if (ways.size() > 4 * kMostWays) thin_out(ways);
  }
  thin_out(ways);
  return ways;
}

// The links into `memory` with tiles like these, if the innermost loop outside it leaves
// `stationary` where they are.
Outline OutlineParts::way_into(std::size_t memory, const Links& links, const Counts& tiles,
                               TensorSet stationary) const {
  Outline way;
  for_bits(links.keeps()[memory], [&](std::size_t t) {
    if (links.parent(memory, t) < 0 || !tables_.knows(resource_, t, memory)) return;
    const std::size_t parent = static_cast<std::size_t>(links.parent(memory, t));
    double received = tables_.elements[t];
    if ((stationary >> t & 1U) == 0) {
      for_bits(tables_.irrelevant[t],
               [&](std::size_t d) { received *= static_cast<double>(tiles[d]); });
    }
    const Prices& prices = resource_.prices[memory][t];
    way.fixed += received * (t == tables_.output ? prices.drain : prices.fill);
    add_taken(t, parent, memory, received, way);
  });
  return way;
}

// `accesses` of a tensor in one memory, for another one (or compute units), if none is shared.
void OutlineParts::add_taken(std::size_t tensor, std::size_t from, std::size_t into,
                             double accesses, Outline& outline) const {
  const Prices& prices = resource_.prices[from][tensor];
  const bool output = tensor == tables_.output;
  const double price = output ? prices.update : prices.read;
  if (!tables_.fans_out(from, into)) {
    outline.fixed += accesses * price;
    return;
  }
  Outline::Shared taken{tensor, from, into == tables_.block.size(), accesses * price,
                        tables_.elements[tensor] * price};
  // How many are first touches is known outside of all fan-outs only.
  if (output && !tables_.fans_out(0, from)) {
    taken.reads = accesses * prices.read;
    taken.spared = tables_.most_touched[tensor] * prices.read;
  }
  if (taken.cost > 0 || taken.reads > 0) outline.shared.push_back(taken);
}

Outlines::Outlines(const ProblemTables& tables, std::span<const Keeps> keeps,
                   std::span<const double> common, OutlineParts& parts,
                   const std::function<bool()>& stop)
    : tables_(tables) {
  for (std::uint32_t k = 0; k < keeps.size(); ++k) {
    if (stop && stop()) throw StoppedError();
    first_.push_back(outlines_.size());
    add_outlines(k, keeps[k], common[k], parts);
    double& least = unshared_.emplace_back(std::numeric_limits<double>::infinity());
    for (std::size_t i = first_.back(); i < outlines_.size(); ++i) {
      least = std::min(least, if_unshared(outlines_[i]));
    }
  }
  first_.push_back(outlines_.size());
}

void Outlines::prepare(SharingLimits& limits) const {
  for (const Outline& outline : outlines_) {
    for (const Outline::Shared& shared : outline.shared) {
      limits.need(shared.tensor, shared.from, shared.inner);
    }
  }
}

void Outlines::add_outlines(std::uint32_t number, const Keeps& keeps, double common,
                            OutlineParts& parts) {
  const Links links(tables_, keeps, tables_.no_loops());
  Outline start;
  start.keeps = number;
  start.fixed = common;
  for (std::size_t t = 0; t < static_cast<std::size_t>(tables_.tensors); ++t) {
    std::size_t last = keeps.size();
    while ((keeps[--last] >> t & 1U) == 0) {
    }
    parts.add_inner(t, last, start);
  }
  std::vector<Outline> all{start};
  for (std::size_t m = 1; m < keeps.size(); ++m) {
    if (keeps[m] == 0 || parts.is_common(m)) continue;
    const std::vector<Outline>& ways = parts.ways_into(m, links);
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
  std::ranges::move(all, std::back_inserter(outlines_));
}

double least_of(const Outline& outline, const SharingLimits& limits, const OpenSharing& most) {
  double all = outline.fixed;
  for (const Outline::Shared& shared : outline.shared) all += alone(shared, limits, most);
  return all * (1 - 1e-12);
}

OpenSharing needed_by(const Outline& outline, double limit, const SharingLimits& limits,
                      const OpenSharing& most) {
  OpenSharing result;
  result.fill(1);
  const double all = least_of(outline, limits, most);
  for (const Outline::Shared& shared : outline.shared) {
    const double allowed = limit - all + alone(shared, limits, most);
    const double share =
        std::max(shared.cost / allowed, (shared.cost + shared.reads) / (allowed + shared.spared));
    double& needed = result[shared.tensor];
    needed =
        allowed <= 0
            ? std::numeric_limits<double>::infinity()
            : std::max(needed, share / limits.of(shared.tensor, shared.from, shared.inner).chosen);
  }
  return result;
}

double least_of(const Outline& outline, const SharingLimits& limits) {
  return outline.fixed + least_shared(outline, limits);
}

double least_shared(const Outline& outline, const SharingLimits& limits) {
  // Of each tensor the accesses that cost most, and what they cost alone.
  std::array<const Outline::Shared*, Workload::kMaxTensors> main{};
  std::array<double, Workload::kMaxTensors> by_itself{};
  const OpenSharing any = any_sharing();
  TensorSet there = 0;
  double all = 0;
  for (const Outline::Shared& shared : outline.shared) {
    const double cost = alone(shared, limits, any);
    all += cost;
    const Outline::Shared*& most = main[shared.tensor];
    if (most == nullptr || shared.cost > most->cost) {
      most = &shared;
      by_itself[shared.tensor] = cost;
      there |= TensorSet{1} << shared.tensor;
    }
  }
  double more = 0;
  if (limits.all_open() > 1) {
    for (const TensorSet set : limits.apart()) {
      if ((set & ~there) != 0) continue;
      double gain = together(main, set, limits);
      for_bits(set, [&](std::size_t t) { gain -= by_itself[t]; });
      more = std::max(more, gain);
    }
  }
  // Whole factors, rounded.
  return (all + more) * (1 - 1e-12);
}

}  // namespace tilewright
