// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/sampler.h"

#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "tilewright/base/error.h"
#include "tilewright/mapspace/counting/draw_table.h"

namespace tilewright {
namespace {

// A set of blocks that hold loops decides how dims may be split, and little else: one table each.
constexpr int kMaxOptionalMemories = 10;

/// Tilings with the blocks of some memories open, and the keep sets that open just these.
struct Opening {
  Opening(const Workload& workload, const Rules& rules, std::uint64_t places, std::uint32_t kept)
      : shape(workload, rules, places), draws(shape), memories(kept) {}

  TilingShape shape;
  DrawTable draws;
  std::uint32_t memories = 0;  // bit m: memory m of Rules::keeps keeps something
};

double nonempty_sets(const KeepRule& rule) {
  if ((rule.required & ~rule.allowed) != 0) return 0;
  const double all = std::ldexp(1.0, std::popcount(rule.allowed & ~rule.required));
  return rule.required != 0 ? all : all - 1;
}

bool may_keep_nothing(const KeepRule& rule) { return rule.required == 0; }

}  // namespace

struct Sampler::Tables {
  const Problem* problem;
  Rules rules;
  std::vector<std::unique_ptr<const Opening>> openings;
  std::vector<double> reach;  // chances added up, one per opening

  Tables(const Problem& given, Rules obeyed) : problem(&given), rules(std::move(obeyed)) {
    std::vector<std::size_t> optional;
    std::uint32_t always = 0;
    for (std::size_t m = 0; m < rules.keeps.size(); ++m) {
      if (!may_keep_nothing(rules.keeps[m])) {
        always |= 1U << m;
      } else if (rules.keeps[m].allowed != 0) {
        optional.push_back(m);
      }
    }
    if (optional.size() > kMaxOptionalMemories) {
      throw OverflowError(
          "too many memories may keep something or nothing: fix some by keep or bypass");
    }
    for (std::uint32_t choice = 0; choice < 1U << optional.size(); ++choice) {
      std::uint32_t kept = always;
      for (std::size_t i = 0; i < optional.size(); ++i) kept |= (choice >> i & 1U) << optional[i];
      add(kept);
    }
  }

  void add(std::uint32_t kept) {
    double sets = 1;
    std::uint64_t places = 0;
    std::size_t memory = 0;
    for (std::size_t p = 0; p < rules.places.size(); ++p) {
      if (!rules.places[p].is_block()) continue;
      if ((kept >> memory & 1U) != 0) {
        places |= std::uint64_t{1} << p;
        sets *= nonempty_sets(rules.keeps[memory]);
      }
      ++memory;
    }
    if (sets == 0) return;
    auto opening = std::make_unique<const Opening>(problem->workload(), rules, places, kept);
    const double weight = sets * opening->draws.size();
    if (weight == 0) return;
    openings.push_back(std::move(opening));
    reach.push_back(weight + (reach.empty() ? 0 : reach.back()));
  }
};

struct Sampler::Scratch {
  Tiling tiling;
  Keeps keeps;
  Orders orders;
  std::vector<NestNode> nest;
};

Sampler::Sampler(const Problem& problem, Rules rules)
    : tables_(std::make_shared<const Tables>(problem, std::move(rules))),
      scratch_(std::make_unique<Scratch>()) {
  scratch_->keeps.resize(tables_->rules.keeps.size());
  scratch_->orders.resize(tables_->rules.places.size());
}

Sampler::~Sampler() = default;
Sampler::Sampler(const Sampler& other)
    : tables_(other.tables_), scratch_(std::make_unique<Scratch>(*other.scratch_)) {}

bool Sampler::empty() const { return tables_->openings.empty(); }

namespace {

TensorSet draw_keeps(const KeepRule& rule, Random& random) {
  const TensorSet free = rule.allowed & ~rule.required;
  while (true) {  // at least every other set is not empty
    const TensorSet kept = rule.required | (static_cast<TensorSet>(random.next() >> 32) & free);
    if (kept != 0) return kept;
  }
}

// The dims of `fixed` that are split, in that order.
DimSet add_fixed(const std::vector<DimId>& fixed, DimSet active, std::vector<DimId>& order) {
  DimSet added = 0;
  for (const DimId dim : fixed) {
    if ((active >> dim.value & 1U) == 0) continue;
    order.push_back(dim);
    added |= DimSet{1} << dim.value;
  }
  return added;
}

DimSet as_set(const std::vector<DimId>& dims) {
  DimSet set = 0;
  for (const DimId dim : dims) set |= DimSet{1} << dim.value;
  return set;
}

void draw_order(const Place& block, DimSet active, Random& random, std::vector<DimId>& order) {
  order.clear();
  active &= ~add_fixed(block.outermost, active, order);
  const DimSet last = active & as_set(block.innermost);
  const std::size_t first = order.size();
  for (DimSet left = active & ~last; left != 0; left &= left - 1) {
    order.emplace_back(std::countr_zero(left));
    const std::int64_t other = random.between(static_cast<std::int64_t>(first),
                                              static_cast<std::int64_t>(order.size()) - 1);
    std::swap(order.back(), order[static_cast<std::size_t>(other)]);
  }
  add_fixed(block.innermost, last, order);
}

}  // namespace

std::span<const NestNode> Sampler::draw_tiling(Random& random) {
  const Tables& tables = *tables_;
  TW_CHECK(!empty(), "an empty space has nothing to draw");
  const double at = static_cast<double>(random.next() >> 11) * 0x1p-53 * tables.reach.back();
  std::size_t chosen = 0;
  while (chosen + 1 < tables.reach.size() && at >= tables.reach[chosen]) ++chosen;
  const Opening& opening = *tables.openings[chosen];
  Scratch& s = *scratch_;
  for (std::size_t m = 0; m < s.keeps.size(); ++m) {
    const bool kept = (opening.memories >> m & 1U) != 0;
    s.keeps[m] = kept ? draw_keeps(tables.rules.keeps[m], random) : 0;
  }
  if (s.tiling.factors.empty()) s.tiling = opening.shape.blank();
  opening.draws.draw(random, s.tiling);
  s.nest.clear();
  std::size_t memory = 0;
  const std::int64_t* factor = s.tiling.factors.data();
  for (const Place& place : tables.rules.places) {
    const bool block = place.is_block();
    if (block && s.keeps[memory] != 0) s.nest.push_back(keep(place.node, s.keeps[memory]));
    if (block) ++memory;
    for (int d = 0; d < s.tiling.dims; ++d, ++factor) {
      if (*factor == 1) continue;
      s.nest.push_back(block ? temporal(DimId(d), *factor)
                             : spatial(place.node, place.axis, DimId(d), *factor));
    }
  }
  return s.nest;
}

std::span<const NestNode> Sampler::draw_orders(Random& random) {
  const Rules& rules = tables_->rules;
  Scratch& s = *scratch_;
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    if (!rules.places[p].is_block()) continue;
    draw_order(rules.places[p], s.tiling.active(static_cast<int>(p)), random, s.orders[p]);
  }
  build_nest(rules, s.keeps, s.tiling, s.orders, s.nest);
  return s.nest;
}

}  // namespace tilewright
