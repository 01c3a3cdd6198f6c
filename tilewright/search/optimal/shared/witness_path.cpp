// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/witness_path.h"

#include <algorithm>
#include <cstdio>

#include "tilewright/base/checked.h"
#include "tilewright/mapspace/choices/orders.h"
#include "tilewright/search/scorer.h"

namespace tilewright {
namespace {

// Bounds and costs are sums of the same products, rounded in different orders.
constexpr double kRounding = 1 + 1e-12;

bool is_above(const LowerBounds& bounds, const LowerBounds& cost) {
  return bounds.score > cost.score * kRounding || bounds.energy > cost.energy * kRounding ||
         bounds.cycles > cost.cycles * kRounding;
}

std::string text(const LowerBounds& bounds) {
  char digits[120];
  std::snprintf(digits, sizeof digits, "score %.17g, energy %.17g pJ, cycles %.17g", bounds.score,
                bounds.energy, bounds.cycles);
  return digits;
}

LowerBounds cost_of(const Scored& scored) { return {scored.score, scored.energy, scored.cycles}; }

}  // namespace

WitnessPath::WitnessPath(const Witness& witness, const ProblemTables& tables,
                         const SearchOptions& options)
    : witness_(witness), tables_(tables), axes_(fanout_places(tables)) {
  std::optional<Choices> choices = read_choices(tables.problem, tables.rules, witness.mapping);
  if (!choices) lose("the space", "it has no such mapping");
  choices_ = *std::move(choices);
  Scorer scorer(tables.problem, options);
  const Scored scored = scorer.score(witness.mapping.nodes());
  if (scored.outcome != Outcome::kValid) lose("the space", "the mapping does not fit");
  cost_ = cost_of(scored);
  set_orders();
  std::vector<NestNode> nest;
  build_nest(tables.rules, choices_.keeps, choices_.tiling, choices_.orders, nest);
  check("classes of orders", cost_of(scorer.score(nest)));
  set_counts();
}

void WitnessPath::set_orders() {
  const OrderClasses classes(tables_.problem, tables_.rules);
  std::vector<DimSet> active;
  for (std::size_t p = 0; p < tables_.rules.places.size(); ++p) {
    active.push_back(choices_.tiling.active(static_cast<int>(p)));
  }
  for (const std::size_t p : tables_.block) {
    std::vector<DimId>& order = choices_.orders[p];
    if (order.empty()) continue;
    order = classes.representative(static_cast<int>(p), active, choices_.keeps, order);
  }
}

void WitnessPath::set_counts() {
  const std::size_t places = tables_.rules.places.size();
  std::vector<Counts> counts(places + 1);  // outside each place
  for (Counts& boundary : counts) boundary.fill(1);
  for (std::size_t d = 0; d < tables_.sizes.size(); ++d) {
    counts[places][d] = tables_.sizes[d];
    for (std::size_t p = places; p-- > 0;) {
      const std::int64_t factor = choices_.tiling.at(static_cast<int>(p), static_cast<int>(d));
      counts[p][d] = ceil_div(counts[p + 1][d], factor);
    }
  }
  for (const std::size_t p : tables_.block) {
    outside_.push_back(counts[p]);
    inside_.push_back(counts[p + 1]);
    labels_.push_back(-1);
    if (choices_.orders[p].empty()) continue;
    const int last = choices_.orders[p].back().value;
    const auto label = std::ranges::find_if(
        tables_.labels, [&](const ProblemTables::Label& l) { return (l.dims >> last & 1U) != 0; });
    labels_.back() = static_cast<int>(label - tables_.labels.begin());
  }
  outside_.push_back(counts[places]);
}

bool WitnessPath::is_in(const SpatialChoices::Part& part) const {
  for (std::size_t d = 0; d < tables_.sizes.size(); ++d) {
    for (std::size_t f = 0; f < axes_.size() && !part.is_open(d, f); ++f) {
      std::vector<std::int64_t> split;
      for (const std::size_t p : axes_[f]) {
        split.push_back(choices_.tiling.at(static_cast<int>(p), static_cast<int>(d)));
      }
      const auto has = [&](const SpatialChoices::Option& option) {
        return std::ranges::find(option.splits, split) != option.splits.end();
      };
      if (std::ranges::none_of(part.options[d * axes_.size() + f], has)) return false;
    }
  }
  return true;
}

void WitnessPath::check(std::string_view prune, const LowerBounds& bounds) const {
  if (is_above(bounds, cost_)) lose(prune, text(bounds) + " where it has " + text(cost_));
  if (!witness_.checked) return;
  const std::lock_guard lock(mutex_);
  witness_.checked({prune, bounds, cost_});
}

void WitnessPath::check_drop(std::string_view prune, double limit) const {
  if (limit > cost_.score * kRounding) {
    lose(prune, "dropped, and nothing known scores " + text(cost_));
  }
}

void WitnessPath::lose(std::string_view prune, const std::string& why) const {
  throw WitnessLost(prune, why);
}

}  // namespace tilewright
