// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/problem_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

// By how much tiles along a dim are longer than `reach`, summed, at most, if there are `tiles` of
// them or more: all have one length, but for the last one.
double most_excess(double size, double tiles, std::int64_t reach) {
  if (reach == 1) return std::max(0.0, size - tiles);
  const double least = static_cast<double>(reach);
  if (tiles <= 1) return std::max(0.0, size - least);
  const double length = std::floor((size - 1) / (tiles - 1));
  return length <= least ? 0 : std::floor(size * (length - least) / length);
}

// True if tiles of the tensor that slide may have holes, and loops remainders.
bool may_slide_unevenly(const ProblemTables& tables, TensorId tensor) {
  const auto ragged = [](const Place& place) {
    return std::ranges::any_of(place.rules, &FactorRule::remainder);
  };
  const auto holes = [&](const Rank& rank) {
    const RankForm form = make_rank_form(tables.problem.workload(), rank, false);
    const auto strided = [](const Term& term) { return magnitude(term.coefficient) > 1; };
    return form.terms.size() > 2 ||
           (form.terms.size() == 2 && std::ranges::any_of(form.terms, strided));
  };
  return std::ranges::any_of(tables.rules.places, ragged) &&
         std::ranges::any_of(tables.problem.workload().tensor(tensor).ranks, holes);
}

}  // namespace

double most_shared(const ProblemTables::Children& a, const ProblemTables::Children& b,
                   std::int64_t stride) {
  double sharing = a.mean * b.mean / (a.mean + b.mean - 1);
  if (b.spaced == 0) return sharing;
  std::int64_t classes = stride;
  for (std::int64_t space = 2; space <= std::min(b.spaced, stride); ++space) {
    classes = std::min(classes, stride / std::gcd(stride, space));
  }
  const double many = std::min(static_cast<double>(classes), b.most);
  return std::min(sharing, a.mean * b.most / (many * (a.mean - 1) + b.most));
}

double ProblemTables::Pair::pieces(double size1, double size2, double n1, double n2) const {
  // A tile of u x v loses (u - n)+ (v - m)+ elements to coincidence, and sums of products over a
  // grid are products of sums.
  return size1 * size2 - most_excess(size1, n1, n) * most_excess(size2, n2, m);
}

double ProblemTables::Pair::most_shared(std::int64_t size1, std::int64_t size2) const {
  // With one of the dims wholly in space, the best for the other.
  const auto best = [](std::int64_t whole, std::int64_t size, std::int64_t stride) {
    double most = 1;
    for (std::int64_t b = 2; b <= size && size <= 16; ++b) {
      Children other{static_cast<double>(size) / static_cast<double>(ceil_div(size, b)),
                     static_cast<double>(b), 0};
      if (size <= 4) other.spaced = std::max<std::int64_t>(1, (size - 1) / (b - 1));
      const double all = static_cast<double>(whole);
      most = std::max(most, tilewright::most_shared({all, all, 0}, other, stride));
    }
    const double any = static_cast<double>(whole * size) / static_cast<double>(whole + size - 1);
    return size <= 16 ? most : any;
  };
  return std::min(best(size1, size2, m), best(size2, size1, n));
}

ProblemTables::ProblemTables(const Problem& the_problem, const Rules& the_rules)
    : problem(the_problem), rules(the_rules) {
  const Workload& workload = problem.workload();
  const Arch& arch = problem.arch();
  dims = static_cast<int>(workload.dims().size());
  tensors = static_cast<int>(workload.tensors().size());
  memories = static_cast<int>(rules.keeps.size());
  output = workload.output().pos();
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    sizes.push_back(workload.dims()[d].size);
    if (sizes.back() == 1) continue;
    live |= DimSet{1} << d;
    by_size.push_back(d);
  }
  std::ranges::stable_sort(by_size, {}, [&](std::size_t d) { return sizes[d]; });
  stationary.resize(sizes.size());
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    add_tensor(t);
    if (may_slide_unevenly(*this, TensorId(t))) uneven_ |= only(TensorId(t));
  }
  add_labels();
  add_places();
  computes = static_cast<double>(workload.computes());
  for (const KeepRule& rule : rules.keeps) slides.push_back(problem.memory(rule.memory).sliding);
  leakage_pj = leakage_per_cycle(arch);
}

void ProblemTables::add_tensor(std::size_t t) {
  const Workload& workload = problem.workload();
  const TensorId id(t);
  irrelevant.push_back(live & ~workload.relevant_dims(id));
  for_bits(irrelevant.back(), [&](std::size_t d) { stationary[d] |= only(id); });
  elements.push_back(static_cast<double>(TileForm(workload, id, false).elements(sizes)));
  double touched = 1;
  for_bits(workload.relevant_dims(id),
           [&](std::size_t d) { touched *= static_cast<double>(sizes[d]); });
  most_touched.push_back(touched);
  plain.push_back(elements.back());
  pairs.emplace_back();
  shared_by.push_back(irrelevant.back());
  for (const Rank& rank : workload.tensor(id).ranks) {
    const RankForm form = make_rank_form(workload, rank, false);
    if (form.terms.size() != 2 || problem.conventions().holes_are_data) {
      if (form.terms.size() < 2) continue;
      for (const Term& term : form.terms) shared_by.back() |= DimSet{1} << term.dim.value;
      continue;
    }
    Pair pair{form.terms[0].dim.pos(), form.terms[1].dim.pos(),
              magnitude(form.terms[0].coefficient), magnitude(form.terms[1].coefficient), 1};
    pair.least = static_cast<double>(footprint(form, sizes[pair.first], sizes[pair.second]));
    plain.back() /= pair.least;
    pairs.back().push_back(pair);
  }
}

void ProblemTables::add_labels() {
  // By what stays stationary, then by the affine rank of each tensor.
  std::map<std::vector<std::size_t>, DimSet> alike;
  for_bits(live, [&](std::size_t d) {
    std::vector<std::size_t> key{stationary[d]};
    for (const std::vector<Pair>& ranks : pairs) {
      const auto mine = [&](const Pair& pair) { return pair.first == d || pair.second == d; };
      if (std::ranges::any_of(ranks, mine)) key.push_back(d);
    }
    alike[key] |= DimSet{1} << d;
  });
  for (const auto& [key, same] : alike) labels.push_back({static_cast<TensorSet>(key[0]), same});
}

void ProblemTables::add_places() {
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    const Place& place = rules.places[p];
    shares_.emplace_back(static_cast<std::size_t>(tensors), false);
    merges_.push_back(false);
    if (place.is_block()) {
      block.push_back(p);
      continue;
    }
    const Fanout& fanout = problem.arch().fanout(place.node);
    for (std::size_t t = 0; t < shares_[p].size(); ++t) {
      shares_[p][t] = t == output ? fanout.reduction : fanout.multicast != Multicast::kNone;
    }
    merges_[p] = fanout.multicast == Multicast::kOverlap;
  }
}

Tiling ProblemTables::no_loops() const {
  Tiling none;
  none.dims = dims;
  none.factors.assign(rules.places.size() * static_cast<std::size_t>(dims), 1);
  return none;
}

bool ProblemTables::fans_out(std::size_t outside, std::size_t inside) const {
  const std::size_t end = inside < block.size() ? block[inside] : rules.places.size();
  for (std::size_t p = block[outside] + 1; p < end; ++p) {
    if (!rules.places[p].is_block()) return true;
  }
  return false;
}

TensorSet ProblemTables::held(const Keeps& keeps, std::size_t memory) const {
  TensorSet result = 0;
  for (std::size_t m = 0; m <= memory; ++m) {
    if (rules.keeps[m].memory == rules.keeps[memory].memory) result |= keeps[m];
  }
  return result;
}

bool ProblemTables::knows(const Resource& resource, std::size_t tensor, std::size_t child) const {
  if (resource.kind != Resource::Kind::kTime) return true;
  if ((uneven_ & slides[child] & TensorSet{1} << tensor) == 0) return true;
  const auto axes = std::span(rules.places).first(block[static_cast<std::size_t>(resource.memory)]);
  return std::ranges::all_of(axes, &Place::is_block);  // there is one instance only
}

bool tiles_fit(const ProblemTables& tables, std::span<const TileForm> tiles, std::size_t memory,
               TensorSet kept, const Counts& extents) {
  const NodeId node = tables.rules.keeps[memory].memory;
  const Memory& room = tables.problem.arch().memory(node);
  const ResolvedMemory& resolved = tables.problem.memory(node);
  double used = 0;
  bool fit = true;
  for_bits(kept, [&](std::size_t t) {
    const double bits =
        static_cast<double>(tiles[t].elements(extents)) * static_cast<double>(resolved.bits[t]);
    if (resolved.partition_bits[t]) {
      fit = fit && bits <= static_cast<double>(*resolved.partition_bits[t] / room.buffering);
    } else {
      used += bits;
    }
  });
  return fit &&
         (!room.capacity_bits || used <= static_cast<double>(*room.capacity_bits / room.buffering));
}

}  // namespace tilewright
