// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/links.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

// At least so many tiles lie behind `factor` children each. Every child has one if there is but one
// tile outside; else the last one may lack some.
double spread(double count, std::int64_t factor, bool whole) {
  const double many = static_cast<double>(factor);
  return whole || count <= 1 ? count * many : (count - 1) * many + 1;
}

// First touches of the output, at most: partial results of an element may lie in different
// instances of `memory`.
double most_touched(const ProblemTables& tables, const Tiling& spatial, std::size_t memory) {
  double result = tables.most_touched[tables.output];
  for (std::size_t p = 0; p < tables.block[memory]; ++p) {
    if (tables.rules.places[p].is_block()) continue;
    for_bits(tables.irrelevant[tables.output], [&](std::size_t d) {
      result *= static_cast<double>(spatial.at(static_cast<int>(p), static_cast<int>(d)));
    });
  }
  return result;
}

}  // namespace

Links::Links(const ProblemTables& tables, Keeps keeps, const Tiling& spatial)
    : tables_(tables), keeps_(std::move(keeps)), spatial_(spatial) {
  std::vector<int> last(static_cast<std::size_t>(tables.tensors), -1);
  for (std::size_t m = 0; m < keeps_.size(); ++m) {
    parent_.push_back(last);
    for_bits(keeps_[m], [&](std::size_t t) { last[t] = static_cast<int>(m); });
    touched_.push_back(most_touched(tables, spatial, m));
  }
}

std::uint64_t Links::key_into(std::size_t memory) const {
  std::uint64_t key = memory;
  for (int t = 0; t < tables_.tensors; ++t) {
    const std::size_t at = static_cast<std::size_t>(t);
    const int from = keeps(memory, at) ? parent(memory, at) + 1 : 63;
    key = key << 6 | static_cast<std::uint64_t>(from);
  }
  return key << Workload::kMaxTensors | tables_.held(keeps_, memory);
}

int Links::child(std::size_t memory, std::size_t tensor) const {
  for (std::size_t m = memory; m < keeps_.size(); ++m) {
    if (keeps(m, tensor)) return static_cast<int>(m);
  }
  return -1;
}

bool Links::may_skip(std::size_t memory, std::size_t tensor) const {
  const int next = child(memory + 1, tensor);
  if (next < 0 || parent(memory, tensor) < 0) return false;
  const std::size_t inside = static_cast<std::size_t>(next);
  const bool slides = (tables_.slides[memory] >> tensor & 1U) != 0;
  return (tables_.rules.keeps[memory].required >> tensor & 1U) == 0 &&
         !tables_.fans_out(memory, inside) &&
         (!slides || (tables_.slides[inside] >> tensor & 1U) != 0);
}

double Links::deliveries(std::size_t tensor, std::size_t child, int at, std::size_t dim,
                         std::int64_t count) const {
  const std::size_t outside = tables_.block[static_cast<std::size_t>(parent(child, tensor))];
  const std::size_t decided = at < 0 ? 0 : tables_.block[static_cast<std::size_t>(at)];
  double result = static_cast<double>(count);
  for (std::size_t p = std::min(decided, outside); p < tables_.block[child]; ++p) {
    const std::int64_t many = factor(p, dim);
    if (many == 1 || tables_.rules.places[p].is_block()) continue;
    if (p < decided) {
      if (p > outside && tables_.shares(tensor, p)) result /= static_cast<double>(many);
    } else if (p < outside || !tables_.shares(tensor, p)) {
      result = spread(result, many, tables_.whole(p, dim));
    }
  }
  return result;
}

double Links::receipts(std::size_t, std::size_t child, int at, std::size_t dim,
                       std::int64_t count) const {
  const std::size_t decided = at < 0 ? 0 : tables_.block[static_cast<std::size_t>(at)];
  double result = static_cast<double>(count);
  for (std::size_t p = decided; p < tables_.block[child]; ++p) {
    const std::int64_t many = factor(p, dim);
    if (many == 1 || tables_.rules.places[p].is_block()) continue;
    result = spread(result, many, tables_.whole(p, dim));
  }
  return result;
}

Links::Runs Links::runs(const ProblemTables::Pair& pair, const InSpace& in, std::size_t tensor,
                        std::size_t child, int at, std::size_t slide) const {
  constexpr std::int64_t kMany = std::numeric_limits<std::int64_t>::max();
  if (slide != pair.first && slide != pair.second) return {kMany, kMany};
  const std::size_t outside = tables_.block[static_cast<std::size_t>(parent(child, tensor))];
  const std::size_t decided = at < 0 ? 0 : tables_.block[static_cast<std::size_t>(at)];
  std::int64_t step = 1;  // tiles from one tile of a child to its next one
  for (std::size_t p = decided; p < tables_.block[child]; ++p) {
    if (!tables_.rules.places[p].is_block()) step *= factor(p, slide);
  }
  // They overlap only if the other dim reaches that far.
  const bool is_first = slide == pair.first;
  const std::int64_t reach = tables_.sizes[is_first ? pair.second : pair.first] - 1;
  if ((is_first ? pair.m : pair.n) * step > (is_first ? pair.n : pair.m) * reach) {
    return {kMany, kMany};
  }
  // Children of axes further out have runs of their own.
  const bool alone = (in.alone >> slide & 1U) != 0;
  Runs result;
  for (std::size_t p = 0; p < decided; ++p) {
    if (tables_.rules.places[p].is_block()) continue;
    const auto spread_out = [&](std::int64_t count) {
      return static_cast<std::int64_t>(
          spread(static_cast<double>(count), factor(p, slide), tables_.whole(p, slide)));
    };
    result.received = spread_out(result.received);
    if (alone || p < outside) result.delivered = spread_out(result.delivered);
  }
  return result;
}

Links::Runs Links::least_runs(const ProblemTables::Pair& pair, const InSpace& in,
                              std::size_t tensor, std::size_t child, int at,
                              std::size_t slide) const {
  Runs least = runs(pair, in, tensor, child, at, slide);
  while (at > 0) {
    const Runs further_out = runs(pair, in, tensor, child, --at, slide);
    least.delivered = std::min(least.delivered, further_out.delivered);
    least.received = std::min(least.received, further_out.received);
  }
  return least;
}

double Links::pieces(const ProblemTables::Pair& pair, std::int64_t first, std::int64_t second,
                     std::size_t slide, std::int64_t runs) const {
  const double size1 = static_cast<double>(tables_.sizes[pair.first]);
  const double size2 = static_cast<double>(tables_.sizes[pair.second]);
  if (slide == pair.first) first = std::min(first, runs);
  if (slide == pair.second) second = std::min(second, runs);
  return pair.pieces(size1, size2, static_cast<double>(first), static_cast<double>(second));
}

std::vector<std::size_t> Links::slides(std::size_t tensor, std::size_t child, DimSet dims) const {
  std::vector<std::size_t> result;
  if ((tables_.slides[child] >> tensor & 1U) != 0) {
    for (const ProblemTables::Pair& pair : tables_.pairs[tensor]) {
      if ((dims >> pair.first & 1U) != 0) result.push_back(pair.first);
      if ((dims >> pair.second & 1U) != 0) result.push_back(pair.second);
    }
  }
  if (result.empty()) result.push_back(kNoSlide);
  return result;
}

Links::InSpace Links::in_space(std::size_t tensor, std::size_t child, int at) const {
  const std::size_t outside = tables_.block[static_cast<std::size_t>(parent(child, tensor))];
  const std::size_t decided = at < 0 ? 0 : tables_.block[static_cast<std::size_t>(at)];
  bool equal = false;  // only equal tiles are served together
  DimSet shared = 0;   // dims with a factor on an axis of the link that shares
  DimSet inner = 0;    // ... on any axis inside the loops that decide
  DimSet outer = 0;    // ... on one outside of them that shares
  for (std::size_t p = std::min(outside, decided); p < tables_.block[child]; ++p) {
    if (tables_.rules.places[p].is_block()) continue;
    const bool shares = tables_.shares(tensor, p);
    for_bits(tables_.live, [&](std::size_t d) {
      if (factor(p, d) == 1) return;
      const DimSet self = DimSet{1} << d;
      if (p > outside && shares) {
        equal = equal || tensor == tables_.output || !tables_.merges(p);
        shared |= self;
      }
      if (p > decided) inner |= self;
      if (p >= outside && p < decided && shares) outer |= self;
    });
  }
  InSpace result{0, 0, outer};
  for (const ProblemTables::Pair& pair : tables_.pairs[tensor]) {
    const DimSet both = DimSet{1} << pair.first | DimSet{1} << pair.second;
    // Along both of them tiles may coincide.
    if ((shared & both) == 0 || (equal && (shared & both) != both)) {
      result.alone |= both;
      result.mixed &= ~both;
    } else if (equal && (inner & both) != both) {
      result.separate |= inner & both;
    }
  }
  result.separate |= result.alone;
  return result;
}

Links::Traffic Links::elements(std::size_t tensor, std::size_t child, int at, bool just_there,
                               const Counts& outside, const Counts& inside, DimSet last) const {
  if (tables_.pairs[tensor].empty()) return {tables_.elements[tensor], tables_.elements[tensor]};
  const InSpace in = in_space(tensor, child, at);
  const auto read = [&](std::size_t d) {
    return (in.separate >> d & 1U) != 0 ? inside[d] : outside[d];
  };
  Traffic least{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (const std::size_t slide : slides(tensor, child, last)) {
    Traffic traffic{tables_.plain[tensor], tables_.plain[tensor]};
    for (const ProblemTables::Pair& pair : tables_.pairs[tensor]) {
      const Runs most = just_there ? runs(pair, in, tensor, child, at, slide)
                                   : least_runs(pair, in, tensor, child, at, slide);
      traffic.delivered *= pair.is_in(in.mixed) ? pair.least
                                                : pieces(pair, read(pair.first), read(pair.second),
                                                         slide, most.delivered);
      traffic.received *=
          pieces(pair, inside[pair.first], inside[pair.second], slide, most.received);
    }
    least.delivered = std::min(least.delivered, traffic.delivered);
    least.received = std::min(least.received, traffic.received);
  }
  return least;
}

Links::Rates Links::rates(const Resource& resource, std::size_t tensor, std::size_t child) const {
  if (!tables_.knows(resource, tensor, child)) return {};
  const std::size_t outside = static_cast<std::size_t>(parent(child, tensor));
  const Prices& out = resource.prices[outside][tensor];
  const Prices& in = resource.prices[child][tensor];
  if (tensor != tables_.output) return {out.read, in.fill};
  return {out.update, in.drain, out.read, in.fill, touched_[outside], touched_[child]};
}

// An element at every step; children that share it count once.
double Links::inner_moves(std::size_t tensor, std::size_t memory) const {
  const std::array<ProblemTables::Children, Workload::kMaxDims> units =
      sharing_units(tensor, memory);
  double moves = tables_.computes;
  for_bits(tables_.shared_by[tensor], [&](std::size_t d) { moves /= units[d].mean; });
  for (const ProblemTables::Pair& pair : tables_.pairs[tensor]) {
    const ProblemTables::Children& first = units[pair.first];
    const ProblemTables::Children& second = units[pair.second];
    moves /= std::min(most_shared(first, second, pair.m), most_shared(second, first, pair.n));
  }
  return std::max(tables_.elements[tensor], moves * (1 - 1e-12));
}

// Along each dim, those that `memory` serves by one access.
std::array<ProblemTables::Children, Workload::kMaxDims> Links::sharing_units(
    std::size_t tensor, std::size_t memory) const {
  std::array<std::int64_t, Workload::kMaxDims> factors;
  std::array<std::int64_t, Workload::kMaxDims> tiles;  // of the dim, at least
  factors.fill(1);
  tiles.fill(1);
  DimSet parted = 0;     // there is something between its axes
  DimSet scattered = 0;  // ... that may be loops over it
  std::size_t passed = memory;
  for (std::size_t p = tables_.block[memory] + 1; p < tables_.rules.places.size(); ++p) {
    const bool block = tables_.rules.places[p].is_block();
    if (block && keeps_[++passed] == 0) continue;
    for_bits(tables_.live, [&](std::size_t d) {
      const DimSet self = DimSet{1} << d;
      const std::int64_t many = block ? 1 : factor(p, d);
      if (block || (many > 1 && !tables_.shares(tensor, p))) {
        if (factors[d] > 1) parted |= self;
      } else if (many > 1) {
        // A loop in between has two iterations or more, if there are so many tiles.
        if ((tiles[d] - 1) * 2 * many < tables_.sizes[d]) scattered |= parted & self;
        tiles[d] = tiles[d] == 1 ? many : (tiles[d] - 1) * many + 1;
        factors[d] *= many;
      }
    });
  }
  std::array<ProblemTables::Children, Workload::kMaxDims> result;
  for_bits(tables_.live, [&](std::size_t d) {
    const std::int64_t size = tables_.sizes[d];
    result[d].mean = static_cast<double>(size) / static_cast<double>(ceil_div(size, factors[d]));
    result[d].most = static_cast<double>(std::min(factors[d], size));
    if ((scattered >> d & 1U) != 0) return;
    result[d].spaced =
        tiles[d] == 1 ? size : std::max<std::int64_t>(1, (size - 1) / (tiles[d] - 1));
  });
  return result;
}

std::size_t Links::innermost(std::size_t tensor) const {
  std::size_t last = keeps_.size();
  while (!keeps(--last, tensor)) {
  }
  return last;
}

Links::InnerMoves Links::inner_moves() const {
  InnerMoves moves{};
  for (std::size_t t = 0; t < tables_.elements.size(); ++t) moves[t] = inner_moves(t, innermost(t));
  return moves;
}

double Links::inner_cost(const Resource& resource, const InnerMoves& moves) const {
  double total = resource.fixed;
  for (std::size_t t = 0; t < tables_.elements.size(); ++t) {
    const std::size_t memory = innermost(t);
    const Prices& prices = resource.prices[memory][t];
    total += t == tables_.output ? moves[t] * prices.update +
                                       std::max(0.0, moves[t] - touched_[memory]) * prices.read
                                 : moves[t] * prices.read;
  }
  return total;
}

double Links::least_cost(const Resource& resource, std::size_t tensor, std::size_t child) const {
  Traffic traffic{tables_.elements[tensor], tables_.elements[tensor]};
  for_bits(tables_.irrelevant[tensor], [&](std::size_t d) {
    traffic.delivered *= deliveries(tensor, child, -1, d, 1);
    traffic.received *= receipts(tensor, child, -1, d, 1);
  });
  return cost(resource, tensor, child, traffic);
}

double Links::compulsory(const Resource& resource, const InnerMoves& moves) const {
  double total = inner_cost(resource, moves);
  for (std::size_t m = 1; m < keeps_.size(); ++m) {
    for_bits(keeps_[m], [&](std::size_t t) {
      if (parent(m, t) >= 0) total += least_cost(resource, t, m);
    });
  }
  return total;
}

double Links::instances(std::size_t memory) const {
  double result = 1;
  for (std::size_t p = 0; p < tables_.block[memory]; ++p) {
    if (tables_.rules.places[p].is_block()) continue;
    for_bits(tables_.live, [&](std::size_t d) { result *= static_cast<double>(factor(p, d)); });
  }
  return result;
}

double Links::steps() const {
  double result = 1;
  for_bits(tables_.live, [&](std::size_t d) {
    std::int64_t many = 1;
    for (std::size_t p = 0; p < tables_.rules.places.size(); ++p) {
      if (!tables_.rules.places[p].is_block()) many *= factor(p, d);
    }
    result *= static_cast<double>(ceil_div(tables_.sizes[d], many));
  });
  return result;
}

}  // namespace tilewright
