// SPDX-License-Identifier: Apache-2.0
// Branch and bound. First what is kept and all loops in space, the most promising choice first;
// then block by block from the outermost inwards: which tensors its innermost loop leaves still,
// then a factor for one dim after the other. Whole mappings are evaluated by the model.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "tilewright/mapspace/keeps.h"
#include "tilewright/mapspace/orders.h"
#include "tilewright/mapspace/splits.h"
#include "tilewright/search/cost_bound.h"
#include "tilewright/search/scorer.h"
#include "tilewright/search/search.h"
#include "tilewright/search/watch.h"
#include "tilewright/workload/footprint.h"

namespace tilewright {
namespace {

using Counts = std::array<std::int64_t, Workload::kMaxDims>;

// A bound is a sum of rounded products: a mapping is given up only if it is worse for sure.
constexpr double kRounding = 1e-9;
constexpr std::uint64_t kNodesBetweenLooks = 4096;

// The ways to go on from a count inwards: splits from the outside.
class InwardSteps {
 public:
  struct Step {
    int inner = 0;  // number of the count inside the slot
    std::int64_t count = 1;
    std::int64_t first = 1;
    std::int64_t last = 1;
  };

  InwardSteps(std::int64_t size, std::vector<FactorRule> innermost_first)
      : splits_(size, std::move(innermost_first)),
        steps_(static_cast<std::size_t>(splits_.slots())) {
    const std::size_t counts = splits_.counts().size();
    std::vector<bool> reached(counts, false);
    reached[0] = true;
    for (int slot = 0; slot < splits_.slots(); ++slot) {
      auto& table = steps_[static_cast<std::size_t>(slot)];
      table.resize(counts);
      std::vector<bool> next(counts, false);
      for (std::size_t c = 0; c < counts; ++c) {
        if (!reached[c]) continue;
        for (const Splits::Step& step : splits_.steps(slot, static_cast<int>(c))) {
          next[static_cast<std::size_t>(step.next)] = true;
          table[static_cast<std::size_t>(step.next)].push_back(
              {static_cast<int>(c), splits_.counts()[c], step.first, step.last});
        }
      }
      for (auto& list : table) {
        std::ranges::stable_sort(list, {}, [](const Step& step) { return step.count; });
      }
      reached = std::move(next);
    }
    possible_ = splits_.end() >= 0 && reached[static_cast<std::size_t>(splits_.end())];
  }

  bool possible() const { return possible_; }
  // All factors that `slot` may have, rising.
  std::vector<std::int64_t> factors(int slot) const {
    std::vector<std::int64_t> result;
    for (const auto& list : steps_[static_cast<std::size_t>(slot)]) {
      for (const Step& step : list) {
        for (std::int64_t factor = step.first; factor <= step.last; ++factor) {
          result.push_back(factor);
        }
      }
    }
    std::ranges::sort(result);
    const auto same = std::ranges::unique(result);
    result.erase(same.begin(), same.end());
    return result;
  }
  int outermost() const { return splits_.end(); }
  std::span<const Step> steps(int slot, int count) const {
    return steps_[static_cast<std::size_t>(slot)][static_cast<std::size_t>(count)];
  }

 private:
  Splits splits_;
  std::vector<std::vector<std::vector<Step>>> steps_;  // by slot and the count outside it
  bool possible_ = false;
};

// What the search knows apart from where it is.
struct Incumbent {
  std::optional<double> score;
  std::vector<NestNode> nest;
};

class Search {
 public:
  Search(const Problem& problem, const Rules& rules, const SearchOptions& options)
      : problem_(problem),
        rules_(rules),
        options_(options),
        watch_(options),
        scorer_(problem, options),
        classes_(problem, rules),
        dims_(static_cast<int>(problem.workload().dims().size())) {
    for (int d = 0; d < dims_; ++d) {
      std::vector<FactorRule> slots;
      for (std::size_t p = rules.places.size(); p-- > 0;) {
        slots.push_back(rules.places[p].rules[static_cast<std::size_t>(d)]);
      }
      steps_.emplace_back(problem.workload().dim(DimId(d)).size, std::move(slots));
    }
    for (std::size_t t = 0; t < problem.workload().tensors().size(); ++t) {
      tiles_.emplace_back(problem.workload(), TensorId(t), options.conventions.holes_are_data);
    }
    tiling_.dims = dims_;
    tiling_.factors.assign(rules.places.size() * static_cast<std::size_t>(dims_), 1);
    orders_.resize(rules.places.size());
    still_.resize(rules.places.size());
    active_.resize(rules.places.size());
    add_room();
  }

  SearchResult run(std::optional<Found> first) {
    if (first) {
      best_.score = first->score;
      best_.nest.assign(first->mapping.nodes().begin(), first->mapping.nodes().end());
    }
    const bool possible = std::ranges::all_of(steps_, &InwardSteps::possible);
    if (possible) add_roots();
    std::ranges::stable_sort(roots_, {}, &Root::points);
    std::optional<double> open;  // a bound of what was not looked at
    for (const Root& root : roots_) {
      if (!promises(root.points)) break;
      keeps_ = KeepChoices(rules_).unrank(root.keeps);
      const CostBound bound(problem_, rules_, keeps_, options_.conventions);
      bound_ = &bound;
      set_spatial(root.factors);
      inner_ = bound.inner(tiling_);
      Numbers numbers{};
      for (int d = 0; d < dims_; ++d) {
        numbers[static_cast<std::size_t>(d)] = steps_[static_cast<std::size_t>(d)].outermost();
      }
      enter_place(0, bound.start(), numbers);
      if (ending_) {
        open = root.points;
        break;
      }
    }
    return finish(open);
  }

 private:
  using Numbers = std::array<int, Workload::kMaxDims>;  // of counts, by dim

  // One choice of what is kept and of all loops in space.
  struct Root {
    double points = 0;
    std::uint64_t keeps = 0;
    std::vector<std::int64_t> factors;  // by axis and dim
  };

  void add_roots() {
    for (std::size_t p = 0; p < rules_.places.size(); ++p) {
      if (!rules_.places[p].is_block()) axes_.push_back(p);
    }
    const KeepChoices choices(rules_);
    std::vector<CostBound> bounds;
    for (std::uint64_t i = 0; i < choices.size().to_uint64(); ++i) {
      bounds.emplace_back(problem_, rules_, choices.unrank(i), options_.conventions);
    }
    add_spatial(0, 0, bounds);
  }

  // Goes through the factors of all dims on all axes.
  void add_spatial(std::size_t axis, int d, const std::vector<CostBound>& bounds) {
    if (axis == axes_.size()) {
      add_roots_here(bounds);
      return;
    }
    const int p = static_cast<int>(axes_[axis]);
    const Place& place = rules_.places[axes_[axis]];
    if (d == dims_) {
      const bool last =
          axis + 1 == axes_.size() || rules_.places[axes_[axis + 1]].node != place.node;
      if (!last || enough_children(place.node)) add_spatial(axis + 1, 0, bounds);
      return;
    }
    std::int64_t used = 1;
    for (int other = 0; other < d; ++other) used *= tiling_.at(p, other);
    for (const std::int64_t factor :
         steps_[static_cast<std::size_t>(d)].factors(slot(axes_[axis]))) {
      if (used * factor > axis_size(place)) break;
      tiling_.at(p, d) = factor;
      add_spatial(axis, d + 1, bounds);
    }
    tiling_.at(p, d) = 1;
  }

  void add_roots_here(const std::vector<CostBound>& bounds) {
    std::vector<std::int64_t> factors;
    for (const std::size_t p : axes_) {
      for (int d = 0; d < dims_; ++d) factors.push_back(tiling_.at(static_cast<int>(p), d));
    }
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      OuterPart part = bounds[i].start();
      bounds[i].enter_memory(0, part);
      const double least = points(bounds[i].least(part, 0, bounds[i].inner(tiling_)));
      if (promises(least)) roots_.push_back({least, i, factors});
    }
  }

  void set_spatial(const std::vector<std::int64_t>& factors) {
    std::size_t next = 0;
    for (const std::size_t p : axes_) {
      for (int d = 0; d < dims_; ++d) tiling_.at(static_cast<int>(p), d) = factors[next++];
    }
  }

  void add_room() {
    int memory = 0;
    for (const Place& place : rules_.places) memory_of_.push_back(place.is_block() ? memory++ : -1);
  }
  std::int64_t axis_size(const Place& place) const {
    return problem_.arch().fanout(place.node).axes[static_cast<std::size_t>(place.axis)].size;
  }

  double points(const Least& least) const {
    const Objective& goal = options_.objective;
    return std::pow(least.energy_pj, goal.energy) * std::pow(least.steps, goal.latency) *
           std::pow(least.traffic, goal.traffic);
  }
  bool promises(double points) const {
    return !options_.prunes.by_cost || !best_.score || points * (1 - kRounding) < *best_.score;
  }

  bool goes_on() {
    ++result_.nodes;
    if (options_.max_nodes > 0 && result_.nodes >= options_.max_nodes) ending_ = Ending::kBudget;
    if (result_.nodes % kNodesBetweenLooks == 0) {
      if (!ending_) ending_ = watch_.interruption();
      watch_.tell({result_.seen, result_.valid, best_.score});
    }
    return !ending_;
  }

  // Tiles of memory `memory` are at least so large with these counts outside it.
  bool may_fit(int memory, const Counts& counts, int known_dims) const {
    if (!options_.prunes.by_capacity) return true;
    const TensorSet kept = keeps_[static_cast<std::size_t>(memory)];
    const NodeId node = rules_.keeps[static_cast<std::size_t>(memory)].memory;
    const Memory& room = problem_.arch().memory(node);
    const ResolvedMemory& resolved = problem_.memory(node);
    Counts extents;
    extents.fill(1);
    for (int i = 0; i < known_dims; ++i) {
      const std::size_t d = static_cast<std::size_t>(i);
      extents[d] = ceil_div(problem_.workload().dim(DimId(i)).size, counts[d]);
    }
    double used = 0;
    for (TensorSet left = kept; left != 0; left &= left - 1) {
      const std::size_t t = static_cast<std::size_t>(std::countr_zero(left));
      const double bits =
          static_cast<double>(tiles_[t].elements(extents)) * static_cast<double>(resolved.bits[t]);
      if (resolved.partition_bits[t]) {
        if (bits > static_cast<double>(*resolved.partition_bits[t] / room.buffering)) return false;
      } else {
        used += bits;
      }
    }
    return !room.capacity_bits || used <= static_cast<double>(*room.capacity_bits / room.buffering);
  }

  void enter_place(std::size_t p, OuterPart part, const Numbers& numbers) {
    if (p == rules_.places.size()) {
      look_at();
      return;
    }
    const Place& place = rules_.places[p];
    active_[p] = 0;
    if (!place.is_block()) {
      spread(p, 0, part, numbers);
      return;
    }
    const int memory = memory_of_[p];
    if (!may_fit(memory, part.count, dims_)) return;
    bound_->enter_memory(memory, part);
    if (!promises(points(bound_->least(part, 0, inner_)))) return;
    leave_empty(p, part, numbers);
    if (keeps_[static_cast<std::size_t>(memory)] == 0) return;
    std::vector<TensorSet> labels;
    for (int d = 0; d < dims_; ++d) {
      const TensorSet still = bound_->still(DimId(d));
      const bool splits = problem_.workload().dim(DimId(d)).size > 1;
      if (splits && std::ranges::find(labels, still) == labels.end()) labels.push_back(still);
    }
    for (const TensorSet label : labels) {
      still_[p] = label;
      active_[p] = 0;
      const Counts before = part.count;  // `fill` changes it on the way
      fill(p, 0, part, numbers, before);
      if (ending_) return;
    }
  }

  // No loop in the block.
  void leave_empty(std::size_t p, const OuterPart& part, const Numbers& numbers) {
    Numbers inner = numbers;
    for (int d = 0; d < dims_; ++d) {
      const std::size_t at = static_cast<std::size_t>(d);
      const auto steps = steps_[at].steps(slot(p), numbers[at]);
      const auto same = std::ranges::find_if(steps, [&](const InwardSteps::Step& step) {
        return step.first == 1 && step.count == part.count[at];
      });
      if (same == steps.end()) return;
      inner[at] = same->inner;
      tiling_.at(static_cast<int>(p), d) = 1;
    }
    active_[p] = 0;
    enter_place(p + 1, part, inner);
  }

  int slot(std::size_t p) const { return static_cast<int>(rules_.places.size() - 1 - p); }

  // The factors of a block, dim after dim from `d` on.
  void fill(std::size_t p, int d, OuterPart& part, const Numbers& numbers, const Counts& before) {
    if (d == dims_) {
      leave_block(p, part, numbers, before);
      return;
    }
    const std::size_t at = static_cast<std::size_t>(d);
    const TensorSet moving = ~still_[p];
    const bool boundary = p + 1 < rules_.places.size() && rules_.places[p + 1].is_block();
    Numbers inner = numbers;
    for (const InwardSteps::Step& step : steps_[at].steps(slot(p), numbers[at])) {
      part.count[at] = step.count;
      if (!goes_on()) break;
      // Counts rise from step to step, and the bound with them.
      if (!promises(points(bound_->least(part, moving, inner_)))) break;
      if (boundary && !may_fit(memory_of_[p + 1], part.count, d + 1)) continue;
      inner[at] = step.inner;
      for (std::int64_t factor = step.first; factor <= step.last && !ending_; ++factor) {
        tiling_.at(static_cast<int>(p), d) = factor;
        if (factor > 1) active_[p] |= DimSet{1} << d;
        fill(p, d + 1, part, inner, before);
        active_[p] &= ~(DimSet{1} << d);
      }
      if (ending_) break;
    }
    part.count[at] = before[at];
  }

  void leave_block(std::size_t p, const OuterPart& part, const Numbers& numbers,
                   const Counts& before) {
    const DimSet active = active_[p];
    for (DimSet left = active; left != 0; left &= left - 1) {
      const DimId innermost(std::countr_zero(left));
      if (bound_->still(innermost) != still_[p]) continue;
      OuterPart inside = part;
      bound_->leave_block(active, innermost, before, inside);
      if (!promises(points(bound_->least(inside, 0, inner_)))) return;
      enter_place(p + 1, inside, numbers);
      active_[p] = active;
      return;  // any such dim stands for all
    }
  }

  // The counts behind one axis, dim after dim from `d` on; its factors are chosen.
  void spread(std::size_t p, int d, const OuterPart& part, const Numbers& numbers) {
    if (d == dims_) {
      if (promises(points(bound_->least(part, 0, inner_)))) enter_place(p + 1, part, numbers);
      return;
    }
    const std::size_t at = static_cast<std::size_t>(d);
    const std::int64_t factor = tiling_.at(static_cast<int>(p), d);
    Numbers inner = numbers;
    for (const InwardSteps::Step& step : steps_[at].steps(slot(p), numbers[at])) {
      if (factor < step.first || factor > step.last) continue;
      if (!goes_on()) return;
      OuterPart inside = part;
      inside.count[at] = step.count;
      bound_->add_spatial(rules_.places[p].node, DimId(d), factor, part.count[at], inside);
      if (!promises(points(bound_->least(inside, 0, inner_)))) continue;
      inner[at] = step.inner;
      spread(p, d + 1, inside, inner);
      if (ending_) return;
    }
  }

  bool enough_children(NodeId node) const {
    std::int64_t children = 1;
    for (std::size_t p = 0; p < rules_.places.size(); ++p) {
      if (rules_.places[p].node != node) continue;
      for (int d = 0; d < dims_; ++d) children *= tiling_.at(static_cast<int>(p), d);
    }
    const auto rule = std::ranges::find(rules_.fanouts, node, &FanoutRule::fanout);
    return rule == rules_.fanouts.end() || children >= rule->least_children;
  }

  // A whole tiling: all classes of orders whose innermost loops leave the same tensors still.
  void look_at() {
    const std::size_t places = rules_.places.size();
    for (std::size_t p = 0; p < places; ++p) {
      if (!rules_.places[p].is_block()) active_[p] = tiling_.active(static_cast<int>(p));
      orders_[p].clear();
      for (DimSet left = active_[p]; left != 0 && rules_.places[p].is_block(); left &= left - 1) {
        orders_[p].emplace_back(std::countr_zero(left));
      }
    }
    build_nest(rules_, keeps_, tiling_, orders_, nest_);
    if (!scorer_.fits(nest_)) {
      count(Outcome::kTooLarge, result_);
      return;
    }
    go_through_orders(0);
  }

  void go_through_orders(std::size_t p) {
    while (p < rules_.places.size() && (!rules_.places[p].is_block() || active_[p] == 0)) ++p;
    if (p == rules_.places.size()) {
      build_nest(rules_, keeps_, tiling_, orders_, nest_);
      const Scored scored = scorer_.score_fitting(nest_);
      count(scored.outcome, result_);
      if (scored.outcome != Outcome::kValid || (best_.score && scored.score >= *best_.score))
        return;
      best_ = {scored.score, nest_};
      return;
    }
    for (const std::vector<DimId>& order : orders_of(p)) {
      if (bound_->still(order.back()) != still_[p]) continue;
      orders_[p] = order;
      go_through_orders(p + 1);
    }
  }

  const std::vector<std::vector<DimId>>& orders_of(std::size_t p) {
    std::vector<std::uint32_t> key(active_.begin(), active_.end());
    key.insert(key.end(), keeps_.begin(), keeps_.end());
    key.push_back(static_cast<std::uint32_t>(p));
    const auto [it, added] = known_orders_.try_emplace(std::move(key));
    if (added) it->second = classes_.representatives(static_cast<int>(p), active_, keeps_);
    return it->second;
  }

  SearchResult finish(std::optional<double> open) {
    result_.ending = ending_.value_or(Ending::kExhausted);
    if (best_.score) result_.best = make_found(problem_, options_, std::move(best_.nest));
    if (!ending_ && result_.best) result_.bound = result_.best->score;
    if (ending_) result_.bound = open;
    if (ending_ && result_.best && result_.bound) {
      result_.bound = std::min(*result_.bound, result_.best->score);
    }
    return std::move(result_);
  }

  const Problem& problem_;
  const Rules& rules_;
  const SearchOptions& options_;
  Watch watch_;
  Scorer scorer_;
  OrderClasses classes_;
  int dims_;
  std::vector<InwardSteps> steps_;  // by dim
  std::vector<TileForm> tiles_;     // by tensor
  std::vector<int> memory_of_;      // by place; -1: an axis
  std::vector<std::size_t> axes_;   // places
  std::vector<Root> roots_;
  const CostBound* bound_ = nullptr;
  InnerPart inner_;
  Keeps keeps_;
  Tiling tiling_;
  Orders orders_;
  std::vector<TensorSet> still_;  // by place: what the innermost loop of the block leaves still
  std::vector<DimSet> active_;    // by place
  std::vector<NestNode> nest_;
  std::map<std::vector<std::uint32_t>, std::vector<std::vector<DimId>>> known_orders_;
  Incumbent best_;
  std::optional<Ending> ending_;
  SearchResult result_;
};

}  // namespace

SearchResult search_optimal(const Problem& problem, const Rules& rules,
                            const SearchOptions& options) {
  SearchOptions quick = options;
  quick.max_seen = 50'000;
  quick.patience = 3000;
  quick.progress = {};
  quick.trace = {};
  SearchResult first = search_random(problem, rules, quick);
  return Search(problem, rules, options).run(std::move(first.best));
}

}  // namespace tilewright
