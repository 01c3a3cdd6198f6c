// SPDX-License-Identifier: Apache-2.0
// What the search of a root does for a witness: it knows where the witness is, and checks every
// bound and every prune that it meets there.
#include <algorithm>
#include <limits>

#include "tilewright/search/optimal/tree/root_search.h"

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

void RootSearch::check_tables(BoundPrecision precision, const LowerBounds& bounds) const {
  const WitnessPath& witness = *context_.witness;
  const bool full = precision == BoundPrecision::kFull;
  witness.check(full ? "by_full_tables" : "by_coarse_tables", bounds);
  for (std::size_t r = 0; r < root_tables_->to_go.size(); ++r) {
    const bool time = context_.resources[r].kind == Resource::Kind::kTime;
    if (!time || !root_tables_->to_go[r]) continue;
    const double all = root_tables_->inner[r] + root_tables_->to_go[r]->whole();
    witness.check("by_time_tables", context_.lower_bounds(0, all / root_tables_->share[r], 1));
  }
}

// The candidate that leads to the witness from a part that holds it, with the least bound that a
// table has for it.
RootSearch::Candidate RootSearch::find_witness(std::size_t memory,
                                               const PartialMapping& part) const {
  const WitnessPath& witness = *context_.witness;
  const Grid& grid = root_tables_->to_go[0]->grid(memory);
  const std::size_t place =
      memory < tables_.block.size() ? tables_.block[memory] : tables_.rules.places.size();
  Candidate wanted{kNever, 0, witness.label(memory - 1)};
  std::vector<std::vector<int>> cell;  // one by position in the grid
  for (std::size_t i = 0; i < grid.dims.size(); ++i) {
    const auto counts = root_tables_->chains[grid.dims[i]]->counts(place);
    const auto at = std::ranges::find(counts, witness.outside(memory)[grid.dims[i]]);
    if (at == counts.end()) witness.lose("by_capacity", "a count of its tiles is not there");
    cell.push_back({static_cast<int>(at - counts.begin())});
    wanted.cell = wanted.cell * grid.sizes[i] + static_cast<std::size_t>(cell.back().front());
  }
  std::vector<Candidate> all;
  scan_tables(memory, part, kNever, {cell, cell}, all);
  for (const Candidate& candidate : all) {
    if (candidate.label == wanted.label) wanted.key = std::min(wanted.key, candidate.key);
  }
  return wanted;
}

// Of a frame that holds the witness: its candidate must be there, with a bound that is not too
// high.
void RootSearch::check_candidates(std::size_t memory, Frame& frame) {
  const WitnessPath& witness = *context_.witness;
  frame.witness = find_witness(memory, frame.part);
  witness.check("by_scan", root_tables_->lower_bounds([&](std::size_t r) {
    return frame.part.spent[r] + (r == 0 ? frame.witness->key : 0);
  }));
  const auto is_it = [&](const Candidate& candidate) {
    return candidate.leads_where(*frame.witness);
  };
  if (std::ranges::none_of(frame.candidates, is_it)) check_drop("by_scan");
  if (witness.alone()) {
    std::erase_if(frame.candidates, [&](const Candidate& c) { return !is_it(c); });
  }
}

// The candidates from `first` on are dropped.
void RootSearch::check_rest(const Frame& frame, std::size_t first, std::string_view prune) {
  if (!frame.witness) return;
  const auto rest = std::span(frame.candidates).subspan(first);
  const auto is_it = [&](const Candidate& candidate) {
    return candidate.leads_where(*frame.witness);
  };
  if (std::ranges::any_of(rest, is_it)) check_drop(prune);
}

void RootSearch::check_drop(std::string_view prune) {
  answers_.refresh(view_);
  context_.witness->check_drop(prune, answers_.limit(view_, here_));
}

// A node at the compute units that holds the witness.
void RootSearch::check_leaf(const LowerBounds& bounds) {
  const WitnessPath& witness = *context_.witness;
  check_orders(bounds);
  check_factors();
  witness.reach();
  if (witness.alone()) return;
  look_at(bounds);
  if (!interrupted_) check_drop("what is evaluated of a leaf");
}

void RootSearch::check_orders(const LowerBounds& bounds) {
  const WitnessPath& witness = *context_.witness;
  double extra = 0;
  for (std::size_t m = 0; m < tables_.block.size(); ++m) {
    const std::vector<DimId>& order = witness.choices().orders[tables_.block[m]];
    if (order.empty()) continue;
    extra += order_cost(m, order);
    witness.check("by_order", with_order(bounds, extra));
  }
}

// The witness on the axes of the root, then with the factors that are tried for these counts: it
// may not cost more.
void RootSearch::check_factors() {
  const WitnessPath& witness = *context_.witness;
  const Choices& choices = witness.choices();
  Tiling tiling = root_tables_->spatial;
  const auto check = [&](std::string_view prune) {
    build_nest(tables_.rules, choices.keeps, tiling, choices.orders, nest_);
    const Scored scored = scorer_.score(nest_);
    if (scored.outcome == Outcome::kTooLarge) witness.lose(prune, "what replaces it does not fit");
    witness.check(prune, {scored.score, scored.energy, scored.cycles});
  };
  for (const std::size_t p : tables_.block) {
    for (int d = 0; d < tables_.dims; ++d) {
      tiling.at(static_cast<int>(p), d) = choices.tiling.at(static_cast<int>(p), d);
    }
  }
  check("by_axes");
  const auto& dims = root_tables_->to_go[0]->grid(0).dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    for (std::size_t m = 0; m < tables_.block.size(); ++m) {
      const DimChain::Way& way = *root_tables_->chains[dims[i]]->way(
          tables_.block[m], way_.outer[m][i], way_.inner_cell[m][i]);
      std::int64_t& factor =
          tiling.at(static_cast<int>(tables_.block[m]), static_cast<int>(dims[i]));
      if (factor < way.first || factor > way.last) {
        witness.lose("factors", "they do not lead from count to count");
      }
      if (least_factor_is_best(dims[i])) factor = way.first;
    }
  }
  check("by_least_factor");
}

}  // namespace tilewright
