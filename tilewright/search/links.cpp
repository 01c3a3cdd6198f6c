// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/links.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

double value_of(const Rational& rational) {
  return static_cast<double>(rational.num) / static_cast<double>(rational.den);
}

// At least so many tiles lie behind `factor` children each. Every child has one if there is but one
// tile outside; else the last one may lack some.
double spread(double count, std::int64_t factor, bool whole) {
  const double many = static_cast<double>(factor);
  return whole || count <= 1 ? count * many : (count - 1) * many + 1;
}

}  // namespace

std::vector<Resource> make_resources(const Problem& problem, const Rules& rules,
                                     const Conventions& conventions, const Objective& objective) {
  const std::size_t tensors = problem.workload().tensors().size();
  const std::size_t memories = rules.keeps.size();
  const auto none = [&] {
    return std::vector<std::vector<Prices>>(memories, std::vector<Prices>(tensors));
  };
  std::vector<Resource> resources(1);
  resources[0].prices = none();
  resources[0].fixed = static_cast<double>(problem.workload().computes()) *
                       problem.arch().compute().energy_pj.value_or(0);
  std::vector<Resource> times;
  for (std::size_t m = 0; m < memories; ++m) {
    const Memory& memory = problem.arch().memory(rules.keeps[m].memory);
    const ResolvedMemory& resolved = problem.memory(rules.keeps[m].memory);
    const auto limit = [&](const std::optional<Rational>& bandwidth, bool reads, bool writes) {
      if (!bandwidth) return;
      Resource time{Resource::Kind::kTime, none(), 0, static_cast<int>(m)};
      for (std::size_t t = 0; t < tensors; ++t) {
        const double bits = static_cast<double>(resolved.bits[t]) / value_of(*bandwidth);
        const double read = reads ? bits : 0;
        const double write = writes ? bits : 0;
        time.prices[m][t] = {read, write, write, conventions.drains_are_reads ? read : 0};
      }
      times.push_back(std::move(time));
    };
    limit(memory.read_bandwidth, true, false);
    limit(memory.write_bandwidth, false, true);
    limit(memory.shared_bandwidth, true, true);
    for (std::size_t t = 0; t < tensors; ++t) {
      const double block = memory.width_bits ? static_cast<double>(std::max<std::int64_t>(
                                                   1, *memory.width_bits / resolved.bits[t]))
                                             : 1;
      const double read = memory.energy.read_pj.value_or(0) / block;
      resources[0].prices[m][t] = {read, memory.energy.fill_pj.value_or(0) / block,
                                   memory.energy.update_pj.value_or(0) / block,
                                   conventions.drains_are_reads ? read : 0};
    }
  }
  if (objective.traffic > 0) {
    Resource traffic{Resource::Kind::kTraffic, none(), 0, -1};
    for (Prices& prices : traffic.prices[0]) prices = {1, 0, 1, 0};
    resources.push_back(std::move(traffic));
  }
  std::ranges::move(times, std::back_inserter(resources));
  return resources;
}

double Facts::Pair::pieces(double size1, double size2, double n1, double n2) const {
  double all = 0;
  if (m == 1 && n == 1) {
    all = size1 * n2 + size2 * n1 - n1 * n2;
  } else if (n == 1 && n2 == 1 && size2 >= static_cast<double>(m)) {
    all = static_cast<double>(m) * size1 + n1 * (size2 - static_cast<double>(m));
  } else if (m == 1 && n1 == 1 && size1 >= static_cast<double>(n)) {
    all = static_cast<double>(n) * size2 + n2 * (size1 - static_cast<double>(n));
  }
  return std::max(all, least);
}

Facts::Facts(const Problem& the_problem, const Rules& the_rules, const Conventions& conventions)
    : problem(the_problem), rules(the_rules) {
  const Workload& workload = problem.workload();
  const Arch& arch = problem.arch();
  dims = static_cast<int>(workload.dims().size());
  tensors = static_cast<int>(workload.tensors().size());
  memories = static_cast<int>(rules.keeps.size());
  output = workload.output().pos();
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    sizes.push_back(workload.dims()[d].size);
    if (sizes.back() > 1) live |= DimSet{1} << d;
  }
  still.resize(sizes.size());
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    const TensorId id(t);
    irrelevant.push_back(live & ~workload.relevant_dims(id));
    for_bits(irrelevant.back(), [&](std::size_t d) { still[d] |= only(id); });
    elements.push_back(static_cast<double>(TileForm(workload, id, false).elements(sizes)));
    double touched = 1;
    for_bits(workload.relevant_dims(id),
             [&](std::size_t d) { touched *= static_cast<double>(sizes[d]); });
    most_touched.push_back(touched);
    plain.push_back(elements.back());
    pairs.emplace_back();
    for (const Rank& rank : workload.tensor(id).ranks) {
      const RankForm form = make_rank_form(workload, rank, false);
      if (form.terms.size() != 2 || conventions.holes_are_data) continue;
      Pair pair{form.terms[0].dim.pos(), form.terms[1].dim.pos(),
                magnitude(form.terms[0].coefficient), magnitude(form.terms[1].coefficient), 1};
      pair.least = static_cast<double>(footprint(form, sizes[pair.first], sizes[pair.second]));
      plain.back() /= pair.least;
      pairs.back().push_back(pair);
    }
  }
  for_bits(live, [&](std::size_t d) {
    if (std::ranges::find(labels, still[d]) == labels.end()) labels.push_back(still[d]);
  });
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    const Place& place = rules.places[p];
    shares_.emplace_back(static_cast<std::size_t>(tensors), false);
    merges_.push_back(false);
    if (place.is_block()) {
      block.push_back(p);
      continue;
    }
    const Fanout& fanout = arch.fanout(place.node);
    for (std::size_t t = 0; t < shares_[p].size(); ++t) {
      shares_[p][t] = t == output ? fanout.reduction : fanout.multicast != Multicast::kNone;
    }
    merges_[p] = fanout.multicast == Multicast::kOverlap;
  }
  computes = static_cast<double>(workload.computes());
  for (const KeepRule& rule : rules.keeps) {
    slides.push_back(problem.memory(rule.memory).sliding);
    leakage_pj += arch.memory(rule.memory).leakage_pj_per_cycle *
                  static_cast<double>(arch.instances(rule.memory));
  }
  leakage_pj += arch.compute().leakage_pj_per_cycle * static_cast<double>(arch.compute_units());
}

Links::Links(const Facts& facts, Keeps keeps, const Tiling& spatial)
    : facts_(facts), keeps_(std::move(keeps)), spatial_(spatial) {
  std::vector<int> last(static_cast<std::size_t>(facts.tensors), -1);
  for (std::size_t m = 0; m < keeps_.size(); ++m) {
    parent_.push_back(last);
    for_bits(keeps_[m], [&](std::size_t t) { last[t] = static_cast<int>(m); });
    touched_.push_back(facts.most_touched[facts.output] * copies(facts.output, m));
  }
}

int Links::child(std::size_t memory, std::size_t tensor) const {
  for (std::size_t m = memory; m < keeps_.size(); ++m) {
    if (keeps(m, tensor)) return static_cast<int>(m);
  }
  return -1;
}

double Links::deliveries(std::size_t tensor, std::size_t child, int at, std::size_t dim,
                         std::int64_t count) const {
  const std::size_t outside = facts_.block[static_cast<std::size_t>(parent(child, tensor))];
  const std::size_t decided = at < 0 ? 0 : facts_.block[static_cast<std::size_t>(at)];
  double result = static_cast<double>(count);
  for (std::size_t p = std::min(decided, outside); p < facts_.block[child]; ++p) {
    const std::int64_t many = factor(p, dim);
    if (many == 1 || facts_.rules.places[p].is_block()) continue;
    if (p < decided) {
      if (p > outside && facts_.shares(tensor, p)) result /= static_cast<double>(many);
    } else if (p < outside || !facts_.shares(tensor, p)) {
      result = spread(result, many, facts_.whole(p, dim));
    }
  }
  return result;
}

double Links::receipts(std::size_t, std::size_t child, int at, std::size_t dim,
                       std::int64_t count) const {
  const std::size_t decided = at < 0 ? 0 : facts_.block[static_cast<std::size_t>(at)];
  double result = static_cast<double>(count);
  for (std::size_t p = decided; p < facts_.block[child]; ++p) {
    const std::int64_t many = factor(p, dim);
    if (many == 1 || facts_.rules.places[p].is_block()) continue;
    result = spread(result, many, facts_.whole(p, dim));
  }
  return result;
}

double Links::elements(std::size_t tensor, std::size_t child, const Counts& counts) const {
  if ((facts_.slides[child] >> tensor & 1U) != 0) return facts_.elements[tensor];
  double result = facts_.plain[tensor];
  for (const Facts::Pair& pair : facts_.pairs[tensor]) {
    result *= pair.pieces(static_cast<double>(facts_.sizes[pair.first]),
                          static_cast<double>(facts_.sizes[pair.second]),
                          static_cast<double>(counts[pair.first]),
                          static_cast<double>(counts[pair.second]));
  }
  return result;
}

// Partial results of an element that may lie in different instances of `memory`.
double Links::copies(std::size_t tensor, std::size_t memory) const {
  double result = 1;
  for (std::size_t p = 0; p < facts_.block[memory]; ++p) {
    if (facts_.rules.places[p].is_block()) continue;
    for_bits(facts_.irrelevant[tensor],
             [&](std::size_t d) { result *= static_cast<double>(factor(p, d)); });
  }
  return result;
}

double Links::cost(const Resource& resource, std::size_t tensor, std::size_t child,
                   const Traffic& traffic) const {
  const std::size_t outside = static_cast<std::size_t>(parent(child, tensor));
  const Prices& out = resource.prices[outside][tensor];
  const Prices& in = resource.prices[child][tensor];
  if (tensor != facts_.output) return traffic.delivered * out.read + traffic.received * in.fill;
  const double reads = std::max(0.0, traffic.delivered - touched_[outside]);
  const double fills = std::max(0.0, traffic.received - touched_[child]);
  return traffic.delivered * out.update + traffic.received * in.drain + reads * out.read +
         fills * in.fill;
}

// An element at every step; children that share it count once.
double Links::inner_cost(const Resource& resource) const {
  double total = resource.fixed;
  for (std::size_t t = 0; t < facts_.elements.size(); ++t) {
    std::size_t last = keeps_.size();
    while (!keeps(--last, t)) {
    }
    double shared = 1;
    for (std::size_t p = facts_.block[last]; p < facts_.rules.places.size(); ++p) {
      if (!facts_.shares(t, p)) continue;
      // Tiles of a rank of several dims may coincide along these too.
      const DimSet dims = facts_.pairs[t].empty() && facts_.plain[t] == facts_.most_touched[t]
                              ? facts_.irrelevant[t]
                              : facts_.live;
      for_bits(dims, [&](std::size_t d) { shared *= static_cast<double>(factor(p, d)); });
    }
    const double moved = std::max(facts_.elements[t], facts_.computes / shared);
    const Prices& prices = resource.prices[last][t];
    if (t != facts_.output) {
      total += moved * prices.read;
    } else {
      const double reads = moved - touched_[last];
      total += moved * prices.update + std::max(0.0, reads) * prices.read;
    }
  }
  return total;
}

double Links::least_cost(const Resource& resource, std::size_t tensor, std::size_t child) const {
  Traffic traffic{facts_.elements[tensor], facts_.elements[tensor]};
  for_bits(facts_.irrelevant[tensor], [&](std::size_t d) {
    traffic.delivered *= deliveries(tensor, child, -1, d, 1);
    traffic.received *= receipts(tensor, child, -1, d, 1);
  });
  return cost(resource, tensor, child, traffic);
}

double Links::instances(std::size_t memory) const {
  double result = 1;
  for (std::size_t p = 0; p < facts_.block[memory]; ++p) {
    if (facts_.rules.places[p].is_block()) continue;
    for_bits(facts_.live, [&](std::size_t d) { result *= static_cast<double>(factor(p, d)); });
  }
  return result;
}

double Links::steps() const {
  double result = 1;
  for_bits(facts_.live, [&](std::size_t d) {
    std::int64_t many = 1;
    for (std::size_t p = 0; p < facts_.rules.places.size(); ++p) {
      if (!facts_.rules.places[p].is_block()) many *= factor(p, d);
    }
    result *= static_cast<double>((facts_.sizes[d] + many - 1) / many);
  });
  return result;
}

}  // namespace tilewright
