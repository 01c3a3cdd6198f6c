// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/links.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "tilewright/base/checked.h"
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

// By how much tiles along a dim are longer than `reach`, summed, at most, if there are `tiles` of
// them or more: all have one length, but for the last one.
double most_excess(double size, double tiles, std::int64_t reach) {
  if (reach == 1) return std::max(0.0, size - tiles);
  const double least = static_cast<double>(reach);
  if (tiles <= 1) return std::max(0.0, size - least);
  const double length = std::floor((size - 1) / (tiles - 1));
  return length <= least ? 0 : std::floor(size * (length - least) / length);
}

// Compute units along two dims of a rank: so many need the same element at most, on average. Any a
// and b values have a + b - 1 different sums at least. If the a values are multiples of `stride`
// and the b ones fall into R residue classes of it, R (a - 1) + b.
double most_shared(const Facts::Children& a, const Facts::Children& b, std::int64_t stride) {
  double sharing = a.mean * b.mean / (a.mean + b.mean - 1);
  if (b.spaced == 0) return sharing;
  std::int64_t classes = stride;
  for (std::int64_t space = 2; space <= std::min(b.spaced, stride); ++space) {
    classes = std::min(classes, stride / std::gcd(stride, space));
  }
  const double many = std::min(static_cast<double>(classes), b.most);
  return std::min(sharing, a.mean * b.most / (many * (a.mean - 1) + b.most));
}

// First touches of the output, at most: partial results of an element may lie in different
// instances of `memory`.
double most_touched(const Facts& facts, const Tiling& spatial, std::size_t memory) {
  double result = facts.most_touched[facts.output];
  for (std::size_t p = 0; p < facts.block[memory]; ++p) {
    if (facts.rules.places[p].is_block()) continue;
    for_bits(facts.irrelevant[facts.output], [&](std::size_t d) {
      result *= static_cast<double>(spatial.at(static_cast<int>(p), static_cast<int>(d)));
    });
  }
  return result;
}

// True if tiles of the tensor that slide may have holes, and loops remainders.
bool may_slide_unevenly(const Facts& facts, TensorId tensor) {
  const auto ragged = [](const Place& place) {
    return std::ranges::any_of(place.rules, &FactorRule::remainder);
  };
  const auto holes = [&](const Rank& rank) {
    const RankForm form = make_rank_form(facts.problem.workload(), rank, false);
    const auto strided = [](const Term& term) { return magnitude(term.coefficient) > 1; };
    return form.terms.size() > 2 ||
           (form.terms.size() == 2 && std::ranges::any_of(form.terms, strided));
  };
  return std::ranges::any_of(facts.rules.places, ragged) &&
         std::ranges::any_of(facts.problem.workload().tensor(tensor).ranks, holes);
}

// What one element costs, action by action.
struct Actions {
  double read = 0;
  double fill = 0;
  double update = 0;
};

// Only partial sums are read and filled, and for each that is read there is an update that does not
// finish its element (docs/optimal.md (4)). Of inputs both are the same.
Prices make_prices(const Actions& finished, const Actions& partial, bool drains_are_reads) {
  return {partial.read + (partial.update - finished.update), partial.fill, finished.update,
          drains_are_reads ? finished.read : 0};
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
        const auto of = [&](std::int64_t bits) {
          const double cycles = static_cast<double>(bits) / value_of(*bandwidth);
          return Actions{reads ? cycles : 0, writes ? cycles : 0, writes ? cycles : 0};
        };
        time.prices[m][t] = make_prices(of(resolved.bits[t]), of(resolved.partial_bits[t]),
                                        conventions.drains_are_reads);
      }
      times.push_back(std::move(time));
    };
    limit(memory.read_bandwidth, true, false);
    limit(memory.write_bandwidth, false, true);
    limit(memory.shared_bandwidth, true, true);
    for (std::size_t t = 0; t < tensors; ++t) {
      const auto of = [&](std::int64_t bits) {
        const Charge charge = charge_of(memory, bits);
        const auto pj = [&](const std::optional<double>& access) {
          return access.value_or(0) * charge.factor / static_cast<double>(charge.block);
        };
        return Actions{pj(memory.energy.read_pj), pj(memory.energy.fill_pj),
                       pj(memory.energy.update_pj)};
      };
      resources[0].prices[m][t] = make_prices(of(resolved.bits[t]), of(resolved.partial_bits[t]),
                                              conventions.drains_are_reads);
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
  // A tile of u x v loses (u - n)+ (v - m)+ elements to coincidence, and sums of products over a
  // grid are products of sums.
  return size1 * size2 - most_excess(size1, n1, n) * most_excess(size2, n2, m);
}

double Facts::Pair::most_shared(std::int64_t size1, std::int64_t size2) const {
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
    if (sizes.back() == 1) continue;
    live |= DimSet{1} << d;
    by_size.push_back(d);
  }
  std::ranges::stable_sort(by_size, {}, [&](std::size_t d) { return sizes[d]; });
  still.resize(sizes.size());
  for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
    add_tensor(t, conventions);
    if (may_slide_unevenly(*this, TensorId(t))) uneven_ |= only(TensorId(t));
  }
  add_labels();
  add_places();
  computes = static_cast<double>(workload.computes());
  for (const KeepRule& rule : rules.keeps) {
    slides.push_back(problem.memory(rule.memory).sliding);
    leakage_pj += arch.memory(rule.memory).leakage_pj_per_cycle *
                  static_cast<double>(arch.instances(rule.memory));
  }
  leakage_pj += arch.compute().leakage_pj_per_cycle * static_cast<double>(arch.compute_units());
}

void Facts::add_tensor(std::size_t t, const Conventions& conventions) {
  const Workload& workload = problem.workload();
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
  shared_by.push_back(irrelevant.back());
  for (const Rank& rank : workload.tensor(id).ranks) {
    const RankForm form = make_rank_form(workload, rank, false);
    if (form.terms.size() != 2 || conventions.holes_are_data) {
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

void Facts::add_labels() {
  // By what stays still, then by the affine rank of each tensor.
  std::map<std::vector<std::size_t>, DimSet> alike;
  for_bits(live, [&](std::size_t d) {
    std::vector<std::size_t> key{still[d]};
    for (const std::vector<Pair>& ranks : pairs) {
      const auto mine = [&](const Pair& pair) { return pair.first == d || pair.second == d; };
      if (std::ranges::any_of(ranks, mine)) key.push_back(d);
    }
    alike[key] |= DimSet{1} << d;
  });
  for (const auto& [key, same] : alike) labels.push_back({static_cast<TensorSet>(key[0]), same});
}

void Facts::add_places() {
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

bool Facts::fans_out(std::size_t outside, std::size_t inside) const {
  const std::size_t end = inside < block.size() ? block[inside] : rules.places.size();
  for (std::size_t p = block[outside] + 1; p < end; ++p) {
    if (!rules.places[p].is_block()) return true;
  }
  return false;
}

bool Facts::knows(const Resource& resource, std::size_t tensor, std::size_t child) const {
  if (resource.kind != Resource::Kind::kTime) return true;
  if ((uneven_ & slides[child] & TensorSet{1} << tensor) == 0) return true;
  const auto axes = std::span(rules.places).first(block[static_cast<std::size_t>(resource.memory)]);
  return std::ranges::all_of(axes, &Place::is_block);  // there is one instance only
}

bool tiles_fit(const Facts& facts, std::span<const TileForm> tiles, std::size_t memory,
               TensorSet kept, const Counts& extents) {
  const NodeId node = facts.rules.keeps[memory].memory;
  const Memory& room = facts.problem.arch().memory(node);
  const ResolvedMemory& resolved = facts.problem.memory(node);
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

Links::Links(const Facts& facts, Keeps keeps, const Tiling& spatial)
    : facts_(facts), keeps_(std::move(keeps)), spatial_(spatial) {
  std::vector<int> last(static_cast<std::size_t>(facts.tensors), -1);
  for (std::size_t m = 0; m < keeps_.size(); ++m) {
    parent_.push_back(last);
    for_bits(keeps_[m], [&](std::size_t t) { last[t] = static_cast<int>(m); });
    touched_.push_back(most_touched(facts, spatial, m));
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

double Links::pieces(const Facts::Pair& pair, std::size_t child, int at, std::int64_t first,
                     std::int64_t second, std::size_t slide) const {
  const double size1 = static_cast<double>(facts_.sizes[pair.first]);
  const double size2 = static_cast<double>(facts_.sizes[pair.second]);
  double n1 = static_cast<double>(first);
  double n2 = static_cast<double>(second);
  if (slide == pair.first || slide == pair.second) {
    double many = 1;
    const std::size_t decided = at < 0 ? 0 : facts_.block[static_cast<std::size_t>(at)];
    for (std::size_t p = decided; p < facts_.block[child]; ++p) {
      if (!facts_.rules.places[p].is_block()) many *= static_cast<double>(factor(p, slide));
    }
    // Children in between may have what consecutive tiles would share.
    const double other = slide == pair.first ? size2 : size1;
    const bool far_apart = many > other * static_cast<double>(std::max(pair.m, pair.n));
    if (!far_apart) (slide == pair.first ? n1 : n2) = 1;
  }
  return pair.pieces(size1, size2, n1, n2);
}

std::vector<std::size_t> Links::slides(std::size_t tensor, std::size_t child, DimSet dims) const {
  std::vector<std::size_t> result;
  if ((facts_.slides[child] >> tensor & 1U) != 0) {
    for (const Facts::Pair& pair : facts_.pairs[tensor]) {
      if ((dims >> pair.first & 1U) != 0) result.push_back(pair.first);
      if ((dims >> pair.second & 1U) != 0) result.push_back(pair.second);
    }
  }
  if (result.empty()) result.push_back(kNoSlide);
  return result;
}

DimSet Links::separate(std::size_t tensor, std::size_t child, int at) const {
  const std::size_t outside = facts_.block[static_cast<std::size_t>(parent(child, tensor))];
  const std::size_t decided = at < 0 ? 0 : facts_.block[static_cast<std::size_t>(at)];
  bool apart = false;  // only equal tiles are served together
  DimSet spread_out = 0;
  for (std::size_t p = std::min(outside, decided); p < facts_.block[child]; ++p) {
    if (facts_.rules.places[p].is_block()) continue;
    for_bits(facts_.live, [&](std::size_t d) {
      if (factor(p, d) == 1) return;
      if (p > outside) {
        const bool merges = tensor != facts_.output && facts_.merges(p);
        apart = apart || (facts_.shares(tensor, p) && !merges);
      }
      if (p > decided) spread_out |= DimSet{1} << d;
    });
  }
  if (!apart) return 0;
  DimSet result = 0;
  for (const Facts::Pair& pair : facts_.pairs[tensor]) {
    const DimSet first = spread_out & (DimSet{1} << pair.first);
    const DimSet second = spread_out & (DimSet{1} << pair.second);
    // Along both of them tiles may coincide.
    if (first == 0 || second == 0) result |= first | second;
  }
  return result;
}

DimSet Links::mixed(std::size_t tensor, std::size_t child, int at) const {
  const std::size_t outside = facts_.block[static_cast<std::size_t>(parent(child, tensor))];
  const std::size_t decided = at < 0 ? 0 : facts_.block[static_cast<std::size_t>(at)];
  DimSet result = 0;
  for (std::size_t p = outside; p < decided; ++p) {
    if (facts_.rules.places[p].is_block() || !facts_.shares(tensor, p)) continue;
    for_bits(facts_.live, [&](std::size_t d) {
      if (factor(p, d) > 1) result |= DimSet{1} << d;
    });
  }
  return result;
}

Links::Traffic Links::elements(std::size_t tensor, std::size_t child, int at, const Counts& outside,
                               const Counts& inside, DimSet last) const {
  if (facts_.pairs[tensor].empty()) return {facts_.elements[tensor], facts_.elements[tensor]};
  const DimSet apart = separate(tensor, child, at);
  const DimSet blurred = mixed(tensor, child, at);
  const auto read = [&](std::size_t d) { return (apart >> d & 1U) != 0 ? inside[d] : outside[d]; };
  Traffic least{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (const std::size_t slide : slides(tensor, child, last)) {
    Traffic traffic{facts_.plain[tensor], facts_.plain[tensor]};
    for (const Facts::Pair& pair : facts_.pairs[tensor]) {
      traffic.delivered *=
          pair.is_in(blurred) ? pair.least
                              : pieces(pair, child, at, read(pair.first), read(pair.second), slide);
      traffic.received *= pieces(pair, child, at, inside[pair.first], inside[pair.second], slide);
    }
    least.delivered = std::min(least.delivered, traffic.delivered);
    least.received = std::min(least.received, traffic.received);
  }
  return least;
}

Links::Rates Links::rates(const Resource& resource, std::size_t tensor, std::size_t child) const {
  if (!facts_.knows(resource, tensor, child)) return {};
  const std::size_t outside = static_cast<std::size_t>(parent(child, tensor));
  const Prices& out = resource.prices[outside][tensor];
  const Prices& in = resource.prices[child][tensor];
  if (tensor != facts_.output) return {out.read, in.fill};
  return {out.update, in.drain, out.read, in.fill, touched_[outside], touched_[child]};
}

// An element at every step; children that share it count once.
double Links::inner_moves(std::size_t tensor, std::size_t memory) const {
  const std::array<Facts::Children, Workload::kMaxDims> units = sharing_units(tensor, memory);
  double moves = facts_.computes;
  for_bits(facts_.shared_by[tensor], [&](std::size_t d) { moves /= units[d].mean; });
  for (const Facts::Pair& pair : facts_.pairs[tensor]) {
    const Facts::Children& first = units[pair.first];
    const Facts::Children& second = units[pair.second];
    moves /= std::min(most_shared(first, second, pair.m), most_shared(second, first, pair.n));
  }
  return std::max(facts_.elements[tensor], moves * (1 - 1e-12));
}

// Along each dim, those that `memory` serves by one access.
std::array<Facts::Children, Workload::kMaxDims> Links::sharing_units(std::size_t tensor,
                                                                     std::size_t memory) const {
  std::array<std::int64_t, Workload::kMaxDims> factors;
  std::array<std::int64_t, Workload::kMaxDims> tiles;  // of the dim, at least
  factors.fill(1);
  tiles.fill(1);
  DimSet parted = 0;     // there is something between its axes
  DimSet scattered = 0;  // ... that may be loops over it
  std::size_t passed = memory;
  for (std::size_t p = facts_.block[memory] + 1; p < facts_.rules.places.size(); ++p) {
    const bool block = facts_.rules.places[p].is_block();
    if (block && keeps_[++passed] == 0) continue;
    for_bits(facts_.live, [&](std::size_t d) {
      const DimSet self = DimSet{1} << d;
      const std::int64_t many = block ? 1 : factor(p, d);
      if (block || (many > 1 && !facts_.shares(tensor, p))) {
        if (factors[d] > 1) parted |= self;
      } else if (many > 1) {
        // A loop in between has two iterations or more, if there are so many tiles.
        if ((tiles[d] - 1) * 2 * many < facts_.sizes[d]) scattered |= parted & self;
        tiles[d] = tiles[d] == 1 ? many : (tiles[d] - 1) * many + 1;
        factors[d] *= many;
      }
    });
  }
  std::array<Facts::Children, Workload::kMaxDims> result;
  for_bits(facts_.live, [&](std::size_t d) {
    const std::int64_t size = facts_.sizes[d];
    result[d].mean = static_cast<double>(size) / static_cast<double>(ceil_div(size, factors[d]));
    result[d].most = static_cast<double>(std::min(factors[d], size));
    if ((scattered >> d & 1U) != 0) return;
    result[d].spaced =
        tiles[d] == 1 ? size : std::max<std::int64_t>(1, (size - 1) / (tiles[d] - 1));
  });
  return result;
}

double Links::inner_cost(const Resource& resource, std::size_t tensor, std::size_t memory) const {
  const double moves = inner_moves(tensor, memory);
  const Prices& prices = resource.prices[memory][tensor];
  if (tensor != facts_.output) return moves * prices.read;
  return moves * prices.update + std::max(0.0, moves - touched_[memory]) * prices.read;
}

double Links::inner_cost(const Resource& resource) const {
  double total = resource.fixed;
  for (std::size_t t = 0; t < facts_.elements.size(); ++t) {
    std::size_t last = keeps_.size();
    while (!keeps(--last, t)) {
    }
    total += inner_cost(resource, t, last);
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

double Links::compulsory(const Resource& resource) const {
  double total = inner_cost(resource);
  for (std::size_t m = 1; m < keeps_.size(); ++m) {
    for_bits(keeps_[m], [&](std::size_t t) {
      if (parent(m, t) >= 0) total += least_cost(resource, t, m);
    });
  }
  return total;
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
    result *= static_cast<double>(ceil_div(facts_.sizes[d], many));
  });
  return result;
}

}  // namespace tilewright
