// SPDX-License-Identifier: Apache-2.0
// The end of the way: a mapping whose loops are all known but for their order within each block.
#include <algorithm>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/search/optimal/tree/root_search.h"

namespace tilewright {

void RootSearch::score_orders() {
  for (std::size_t p = 0; p < orders_.size(); ++p) {
    const bool is_block = tables_.rules.places[p].is_block();
    way_.active[p] = tiling_.active(static_cast<int>(p));
    orders_[p].clear();
    if (!is_block) continue;
    for_bits(way_.active[p], [&](std::size_t d) { orders_[p].emplace_back(static_cast<int>(d)); });
  }
  build_nest(tables_.rules, root_tables_->keeps, tiling_, orders_, nest_);
  if (!scorer_.fits(nest_)) {
    count(Outcome::kTooLarge, tally_);
    return;
  }
  // What each order of a block costs more than the best one could.
  for (std::size_t m = 0; m < tables_.block.size(); ++m) {
    const std::size_t p = tables_.block[m];
    ranked_[m].clear();
    if (way_.active[p] == 0) continue;
    const DimSet last = tables_.labels[static_cast<std::size_t>(way_.label[p])].dims;
    for (const std::vector<DimId>& order : orders_of(p)) {
      if ((last >> order.back().value & 1U) == 0) continue;
      ranked_[m].push_back({order_cost(m, order), &order});
    }
    if (ranked_[m].empty()) return;  // they cost the same as orders of another label
    std::ranges::stable_sort(ranked_[m], {}, &Ranked::extra);
  }
  go_through_orders(0, 0);
}

// At least so much more energy than bound_here_ has: the links that are decided in the block of
// `memory`, now that the order of its loops is known.
double RootSearch::order_cost(std::size_t memory, const std::vector<DimId>& order) const {
  double extra = 0;
  const auto& dims = root_tables_->to_go[0]->grid(0).dims;
  for (const Passed& link : way_.passed) {
    if (link.at != static_cast<int>(memory)) continue;
    PartialMapping part;
    part.counts = link.counts;
    Moved& moved = part.moved[link.tensor];
    moved.at = link.at;
    moved.tiles.fill(1);
    DimSet staying = 0;  // loops inside the innermost one that the tensor depends on
    for (std::size_t i = order.size(); i-- > 0;) {
      const DimSet here = DimSet{1} << order[i].value;
      if ((tables_.irrelevant[link.tensor] & here) == 0) {
        moved.last = here;
        break;
      }
      staying |= here;
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const bool outer = (staying >> dims[i] & 1U) != 0;
      const std::size_t boundary = tables_.block[memory] + (outer ? 0 : 1);
      const int cell = outer ? way_.outer[memory][i] : way_.inner_cell[memory][i];
      moved.tiles[dims[i]] =
          root_tables_->chains[dims[i]]->counts(boundary)[static_cast<std::size_t>(cell)];
    }
    extra += link_cost(0, link.tensor, link.child, part) - link.energy;
  }
  return std::max(0.0, extra);
}

// Bounds of a leaf whose orders cost so much more.
LowerBounds RootSearch::with_order(const LowerBounds& leaf, double extra) const {
  LowerBounds bounds = leaf;
  if (leaf.energy <= 0) return bounds;
  bounds.energy += extra;
  bounds.score *= power(bounds.energy / leaf.energy, context_.options.objective.energy);
  return bounds;
}

void RootSearch::go_through_orders(std::size_t memory, double extra) {
  while (memory < ranked_.size() && ranked_[memory].empty()) ++memory;
  if (memory < ranked_.size()) {
    for (const Ranked& ranked : ranked_[memory]) {
      const LowerBounds bounds = with_order(bound_here_, extra + ranked.extra);
      if (context_.prunes.by_order && !promises(bounds)) break;
      orders_[tables_.block[memory]] = *ranked.order;
      go_through_orders(memory + 1, extra + ranked.extra);
    }
    return;
  }
  build_nest(tables_.rules, root_tables_->keeps, tiling_, orders_, nest_);
  const Scored scored = scorer_.score_fitting(nest_);
  count(scored.outcome, tally_);
  if (scored.outcome == Outcome::kTooLarge) return;
  TW_DCHECK(bound_here_.score <= scored.score * (1 + 1e-9), "a bound is above what it bounds");
  TW_DCHECK(context_.options.objective.energy <= 0 ||
                bound_here_.energy + extra <= scored.energy * (1 + 1e-9),
            "the bound of an order is above what it bounds");
  if (scored.outcome != Outcome::kValid) return;
  answers_.offer({scored.score, scored.energy, scored.cycles, here_, nest_});
}

const std::vector<std::vector<DimId>>& RootSearch::orders_of(std::size_t p) {
  std::vector<std::uint32_t> key(way_.active.begin(), way_.active.end());
  key.insert(key.end(), root_tables_->keeps.begin(), root_tables_->keeps.end());
  key.push_back(static_cast<std::uint32_t>(p));
  const auto [it, added] = known_orders_.try_emplace(std::move(key));
  if (added)
    it->second = classes_.representatives(static_cast<int>(p), way_.active, root_tables_->keeps);
  return it->second;
}

}  // namespace tilewright
