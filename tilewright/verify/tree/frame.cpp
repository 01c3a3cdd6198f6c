// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tree/frame.h"

#include <algorithm>
#include <cmath>

namespace tilewright::verify {
namespace {

// Points of `size` that lie further than `reach` from the start of their tile, at most; there are
// `tiles` or more. Of tiles of one length L a share of 1 - reach / L lies there, of the last one
// less.
double beyond(double size, double tiles, double reach) {
  if (reach == 1) return std::max(0.0, size - tiles);  // all but the first points
  if (tiles <= 1) return std::max(0.0, size - reach);
  const double longest = std::floor((size - 1) / (tiles - 1));
  return longest <= reach ? 0 : std::floor(size * (longest - reach) / longest);
}

// Of the energy of one access, what an element of so many bits costs.
double share_of_access(const Memory& memory, std::int64_t bits) {
  if (memory.energy.per_bit) return static_cast<double>(bits);
  if (!memory.width_bits) return 1;
  return 1.0 / static_cast<double>(std::max<std::int64_t>(1, *memory.width_bits / bits));
}

}  // namespace

double TwoTerms::elements(double x, double y, bool joined) const {
  if (boxes) {
    if (joined) return whole;
    // Boxes add up to a function linear in each count: the least over more tiles is at a corner.
    const auto sum = [&](double u, double v) {
      return m * v * (size_a - u) + n * u * (size_b - v) + u * v;
    };
    const double least = std::min({sum(x, y), sum(size_a, y), sum(x, size_b), sum(size_a, size_b)});
    return std::max(whole, least);
  }
  // u x v points of a tile have u v - (u - n)+ (v - m)+ different values, and in a grid of tiles
  // the lengths along a do not depend on those along b.
  return std::max(whole, size_a * size_b - beyond(size_a, x, n) * beyond(size_b, y, m));
}

Frame::Frame(const Problem& the_problem, const Rules& the_rules, const Objective& the_objective)
    : problem(the_problem), rules(the_rules), objective(the_objective) {
  for (const Dim& dim : problem.workload().dims()) sizes.push_back(dim.size);
  computes = static_cast<double>(problem.workload().computes());
  add_tensors();
  add_nodes();
  add_metrics();
}

void Frame::add_tensors() {
  const Workload& workload = problem.workload();
  for (TensorId t(0); t.pos() < workload.tensors().size(); ++t.value) {
    TensorView view;
    view.output = t == workload.output();
    const bool holes = problem.conventions().holes_are_data && !view.output;
    for (int d = 0; d < dims(); ++d) {
      if (sizes[pos(d)] == 1) continue;
      (workload.relevant(t, DimId(d)) ? view.relevant : view.irrelevant) |= DimSet{1} << d;
      if (has(view.relevant, d)) view.points *= static_cast<double>(sizes[pos(d)]);
    }
    for (const Rank& rank : workload.tensor(t).ranks) {
      const RankForm form = make_rank_form(workload, rank, holes);
      const RankForm plain = make_rank_form(workload, rank, false);
      std::vector<std::int64_t> extents;
      for (const Term& term : form.terms) {
        extents.push_back(sizes[term.dim.pos()]);
        if (form.terms.size() > 2) view.many |= DimSet{1} << term.dim.value;
        if (!form.plain()) affine |= DimSet{1} << term.dim.value;
        view.strided |= form.terms.size() > 1 && magnitude(term.coefficient) > 1;
      }
      const double whole = static_cast<double>(footprint(plain, extents));
      view.elements *= whole;
      if (form.terms.size() != 2) {
        view.plain *= whole;
        continue;
      }
      view.ranks.push_back({form.terms[0].dim.value, form.terms[1].dim.value,
                            static_cast<double>(magnitude(form.terms[0].coefficient)),
                            static_cast<double>(magnitude(form.terms[1].coefficient)),
                            static_cast<double>(extents[0]), static_cast<double>(extents[1]), whole,
                            form.holes_are_data});
    }
    view.tile.emplace_back(workload, t, holes);
    tensors.push_back(std::move(view));
  }
}

void Frame::add_nodes() {
  const Arch& arch = problem.arch();
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    const Place& place = rules.places[p];
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      if (place.rules[d].remainder) ragged |= DimSet{1} << d;
    }
    if (!place.is_block()) {
      if (place.axis == 0) {
        const Fanout& fanout = arch.fanout(place.node);
        FanoutView view{.gap = memory_count() - 1,
                        .shares_reads = fanout.multicast != Multicast::kNone,
                        .overlaps = fanout.multicast == Multicast::kOverlap,
                        .reduces = fanout.reduction,
                        .perfect = std::vector<bool>(sizes.size(), true)};
        view.least_children =
            std::ranges::find(rules.fanouts, place.node, &FanoutRule::fanout)->least_children;
        fanouts.push_back(std::move(view));
      }
      FanoutView& view = fanouts.back();
      view.places.push_back(static_cast<int>(p));
      for (std::size_t d = 0; d < sizes.size(); ++d) {
        if (place.rules[d].remainder) view.perfect[d] = false;
      }
      continue;
    }
    const Memory& memory = arch.memory(place.node);
    const ResolvedMemory& resolved = problem.memory(place.node);
    MemoryView view{
        .place = static_cast<int>(p), .first = memory_count(), .sliding = resolved.sliding};
    if (!memories.empty() && rules.places[pos(memories.back().place)].node == place.node) {
      view.first = memories.back().first;
    }
    view.bits = resolved.bits;
    view.partial_bits = resolved.partial_bits;
    for (const auto& reserved : resolved.partition_bits) {
      view.reserved.push_back(reserved ? *reserved / memory.buffering : -1);
      view.limited |= reserved.has_value();
    }
    view.limited |= memory.capacity_bits.has_value();
    view.room = memory.capacity_bits ? *memory.capacity_bits / memory.buffering : -1;
    memories.push_back(std::move(view));
  }
}

void Frame::add_metrics() {
  const Arch& arch = problem.arch();
  const std::size_t count = memories.size() * tensors.size();
  constant = computes * arch.compute().energy_pj.value_or(0);
  leakage = arch.compute().leakage_pj_per_cycle * static_cast<double>(arch.compute_units());
  Metric energy{Metric::Kind::kEnergy, -1, std::vector<Price>(count)};
  Metric traffic{Metric::Kind::kTraffic, -1, std::vector<Price>(count)};
  for (int m = 0; m < memory_count(); ++m) {
    const NodeId node = rules.places[pos(memories[pos(m)].place)].node;
    const Memory& memory = arch.memory(node);
    if (memories[pos(m)].first == m) {
      leakage += memory.leakage_pj_per_cycle * static_cast<double>(arch.instances(node));
    }
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      const double each = share_of_access(memory, memories[pos(m)].bits[t]);
      const double partial = share_of_access(memory, memories[pos(m)].partial_bits[t]);
      const double read = memory.energy.read_pj.value_or(0);
      const double update = memory.energy.update_pj.value_or(0);
      Price& price = energy.prices[pos(m) * tensors.size() + t];
      price.read = partial * read + (partial - each) * update;
      price.fill = partial * memory.energy.fill_pj.value_or(0);
      price.update = each * update;
      if (problem.conventions().drains_are_reads) price.drain = each * read;
      if (m == 0) traffic.prices[t] = {.read = 1, .update = 1};
    }
  }
  if (objective.energy > 0) metrics.push_back(std::move(energy));
  if (objective.traffic > 0) metrics.push_back(std::move(traffic));
  if (objective.latency > 0 || (objective.energy > 0 && leakage > 0)) {
    for (int m = 0; m < memory_count(); ++m) add_time(m);
  }
  if (metrics.empty()) metrics.push_back({Metric::Kind::kNothing, -1, std::vector<Price>(count)});
}

// One for all points of a memory.
void Frame::add_time(int memory) {
  if (memories[pos(memory)].first != memory) return;
  const Memory& limits = problem.arch().memory(rules.places[pos(memories[pos(memory)].place)].node);
  const auto add = [&](const std::optional<Rational>& rate, bool reads, bool writes) {
    if (!rate) return;
    Metric metric{Metric::Kind::kTime, memory,
                  std::vector<Price>(memories.size() * tensors.size())};
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      const MemoryView& view = memories[pos(memory)];
      const double each = static_cast<double>(view.bits[t]) / to_double(*rate);
      const double partial = static_cast<double>(view.partial_bits[t]) / to_double(*rate);
      Price price;
      if (reads) price.read = partial;
      if (reads && problem.conventions().drains_are_reads) price.drain = each;
      if (writes) {
        price.read += partial - each;
        price.fill = partial;
        price.update = each;
      }
      for (int m = memory; m < memory_count() && memories[pos(m)].first == memory; ++m) {
        metric.prices[pos(m) * tensors.size() + t] = price;
      }
    }
    metrics.push_back(std::move(metric));
  };
  add(limits.read_bandwidth, true, false);
  add(limits.write_bandwidth, false, true);
  add(limits.shared_bandwidth, true, true);
}

bool Frame::fits(int memory, TensorSet kept, const std::vector<std::int64_t>& extents) const {
  const MemoryView& view = memories[pos(memory)];
  if (!view.limited) return true;
  double used = 0;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (!has(kept, static_cast<int>(t))) continue;
    const double bits = static_cast<double>(tensors[t].tile[0].elements(extents)) *
                        static_cast<double>(view.bits[t]);
    if (view.reserved[t] < 0) {
      used += bits;
    } else if (bits > static_cast<double>(view.reserved[t])) {
      return false;
    }
  }
  return view.room < 0 || used <= static_cast<double>(view.room);
}

bool Frame::is_split(int memory) const {
  return memories[pos(memory)].first != memory ||
         (memory + 1 < memory_count() && memories[pos(memory) + 1].first == memory);
}

double Frame::score(double energy, double cycles, double traffic) const {
  double product = 1;
  const auto times = [&](double base, double exponent) {
    if (exponent == 1) {
      product *= base;
    } else if (exponent > 0) {
      product *= std::pow(base, exponent);
    }
  };
  times(energy + leakage * cycles, objective.energy);
  times(cycles, objective.latency);
  times(traffic, objective.traffic);
  return product;
}

}  // namespace tilewright::verify
