// SPDX-License-Identifier: Apache-2.0
// Tiles grow with every extent, so per dim only the chains that no other dominates need be tried
// (mapspace/feasibility/chains.h). They are combined dim by dim, depth first: a branch ends where
// even the least that the remaining dims can ask is too much, or where an earlier branch failed
// that asked no more. A memory that need not keep anything is at first taken to have room for all;
// where that is not so, its block has no loops or the tiles must fit, and both are tried.
#include "tilewright/mapspace/feasibility/feasible.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "tilewright/base/checked.h"
#include "tilewright/base/stop.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/feasibility/chains.h"
#include "tilewright/mapspace/feasibility/sum_cases.h"
#include "tilewright/mapspace/feasibility/tile_limits.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright {
namespace {

std::size_t pos(int i) { return static_cast<std::size_t>(i); }

class Combiner {
 public:
  Combiner(const Problem& problem, const Rules& rules, const TileLimits& limits,
           const std::vector<Block>& blocks, const std::atomic<bool>* stop)
      : problem_(problem),
        rules_(rules),
        limits_(limits),
        stop_(stop),
        costs_(make_costs(rules, limits, blocks)),
        chosen_(problem.workload().dims().size()) {}

  // How every dim is split; nothing if there is no way.
  std::optional<Tiling> find() {
    const std::size_t dims = chosen_.size();
    for (std::size_t d = 0; d < dims; ++d) {
      check_stop(stop_);
      fronts_.push_back(find_chains(rules_, costs_, limits_, problem_.workload(), DimId(d)));
      if (fronts_.back().empty()) return std::nullopt;
      sort_front(fronts_.back());
      find_bounds(fronts_.back());
    }
    order_.resize(dims);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t d) { return fronts_[d].size(); });
    failed_.resize(dims + 1);
    if (search(0)) return tiling();
    if (too_many_loops_) throw OverflowError("every nest that might fit has too many loops");
    return std::nullopt;
  }

 private:
  using Numbers = std::vector<std::int64_t>;
  static constexpr std::size_t kRemembered = 64;  // failures, to look through quickly

  // Many children first where they are demanded, then small tiles: what is likely to fit.
  void sort_front(std::vector<Chain>& front) const {
    const auto children = [&](const Chain& chain) {
      std::int64_t product = 1;
      for (std::size_t p = 0; p < costs_.size(); ++p) {
        if (costs_[p].demand > 0) product = capped_mul(product, chain.factors[p]);
      }
      return product;
    };
    std::ranges::stable_sort(front, [&](const Chain& a, const Chain& b) {
      if (children(a) != children(b)) return children(a) > children(b);
      return a.costs < b.costs;
    });
  }

  void find_bounds(const std::vector<Chain>& front) {
    Numbers least = front.front().costs;
    Numbers most = least;
    for (const Chain& chain : front) {
      for (std::size_t c = 0; c < least.size(); ++c) {
        least[c] = std::min(least[c], chain.costs[c]);
        most[c] = std::max(most[c], chain.costs[c]);
      }
    }
    least_.push_back(std::move(least));
    most_.push_back(std::move(most));
  }

  // The cost of `dim`, at least.
  std::int64_t cost(std::size_t dim, int which) const {
    return (chosen_[dim] != nullptr ? chosen_[dim]->costs : least_[dim])[pos(which)];
  }

  Numbers extents(int cost_of_extent) const {
    Numbers result;
    for (std::size_t d = 0; d < chosen_.size(); ++d) result.push_back(cost(d, cost_of_extent));
    return result;
  }

  bool search(std::size_t depth) {
    check_stop(stop_);
    if (!tiles_fit()) return false;
    if (depth == order_.size()) return loops_suffice();
    Numbers demanded;
    Numbers asked = ask(demanded);
    std::vector<Numbers>& failed = failed_[depth][demanded];
    const auto known = std::ranges::find_if(failed, [&](const Numbers& other) {
      return std::ranges::equal(other, asked, std::less_equal<>());
    });
    if (known != failed.end()) {
      std::rotate(failed.begin(), known, known + 1);  // likely to help again
      return false;
    }
    const std::size_t dim = order_[depth];
    const std::vector<Spread> others = spread_of_others(dim);
    for (const Chain& chain : fronts_[dim]) {
      if (!axes_suffice(chain, others)) continue;
      chosen_[dim] = &chain;
      if (search(depth + 1)) return true;
    }
    chosen_[dim] = nullptr;
    if (failed.size() == kRemembered) failed.pop_back();
    failed.insert(failed.begin(), std::move(asked));
    return false;
  }

  // Children along an axis: at least and at most so many.
  struct Spread {
    std::int64_t least = 1;
    std::int64_t most = 1;
  };

  // Of all dims but `dim`, by place.
  std::vector<Spread> spread_of_others(std::size_t dim) const {
    std::vector<Spread> result(costs_.size());
    for (std::size_t p = 0; p < costs_.size(); ++p) {
      if (costs_[p].spread < 0) continue;
      for (std::size_t d = 0; d < chosen_.size(); ++d) {
        if (d == dim) continue;
        const std::int64_t least = cost(d, costs_[p].spread);
        const std::int64_t most = most_[d][pos(costs_[p].spread)];
        result[p].least = capped_mul(result[p].least, least);
        result[p].most = capped_mul(result[p].most, chosen_[d] == nullptr ? most : least);
      }
    }
    return result;
  }

  bool axes_suffice(const Chain& chain, const std::vector<Spread>& others) const {
    for (const FanoutRule& fanout : rules_.fanouts) {
      std::int64_t children = 1;
      for (std::size_t p = 0; p < costs_.size(); ++p) {
        if (rules_.places[p].node != fanout.fanout) continue;
        const std::int64_t size = fanout.axis_sizes[pos(rules_.places[p].axis)];
        if (capped_mul(chain.factors[p], others[p].least) > size) return false;
        children =
            capped_mul(children, std::min(size, capped_mul(chain.factors[p], others[p].most)));
      }
      if (children < fanout.least_children) return false;
    }
    return true;
  }

  bool tiles_fit() const {
    return std::ranges::all_of(costs_, [&](const PlaceCost& at) {
      return at.extent < 0 || limits_.fits(at.memory, extents(at.extent));
    });
  }

  // A nest of more loops has a violation. Dims whose product is not enormous cannot have so many.
  bool loops_suffice() {
    std::ptrdiff_t loops = 0;
    for (const Chain* chain : chosen_) {
      loops += std::ranges::count_if(chain->factors, [](std::int64_t f) { return f > 1; });
    }
    too_many_loops_ = too_many_loops_ || loops > kMaxLoops;
    return loops <= kMaxLoops;
  }

  // All that the chosen dims ask of what they share with the others, the less the better; children
  // along axes with a demand apart.
  Numbers ask(Numbers& demanded) const {
    Numbers asked;
    for (const PlaceCost& at : costs_) {
      if (at.spread >= 0) {
        std::int64_t children = 1;
        for (std::size_t d = 0; d < chosen_.size(); ++d) {
          children = capped_mul(children, cost(d, at.spread));
        }
        (at.demand > 0 ? demanded : asked).push_back(children);
      }
      if (at.extent < 0) continue;
      const Numbers sizes = extents(at.extent);
      const TensorSet tensors = limits_.candidates(at.memory);
      for (std::size_t t = 0; t < problem_.workload().tensors().size(); ++t) {
        if ((tensors & only(TensorId(t))) != 0) ask_for_tile(t, sizes, asked);
      }
    }
    return asked;
  }

  // Ranks with all dims chosen are one number; the others are open to what comes.
  void ask_for_tile(std::size_t tensor, const Numbers& sizes, Numbers& asked) const {
    std::int64_t elements = 1;
    for (const RankForm& rank : limits_.ranks(tensor)) {
      const auto is_chosen = [&](const Term& term) { return chosen_[term.dim.pos()] != nullptr; };
      if (std::ranges::all_of(rank.terms, is_chosen)) {
        elements = capped_mul(elements, TileLimits::elements(rank, sizes));
        continue;
      }
      for (const Term& term : rank.terms) {
        if (is_chosen(term)) asked.push_back(sizes[term.dim.pos()]);
      }
    }
    asked.push_back(elements);
  }

  Tiling tiling() const {
    Tiling result{static_cast<int>(chosen_.size()), {}};
    for (std::size_t p = 0; p < costs_.size(); ++p) {
      for (const Chain* chain : chosen_) result.factors.push_back(chain->factors[p]);
    }
    return result;
  }

  const Problem& problem_;
  const Rules& rules_;
  const TileLimits& limits_;
  const std::atomic<bool>* stop_;
  std::vector<PlaceCost> costs_;            // by place
  std::vector<std::vector<Chain>> fronts_;  // by DimId
  std::vector<Numbers> least_;              // by DimId: of each cost
  std::vector<Numbers> most_;               // by DimId: of each cost
  std::vector<std::size_t> order_;          // dims, those with few chains first
  std::vector<const Chain*> chosen_;        // by DimId; null: not yet
  // What was asked where no choice for the remaining dims was found: by depth, then by children.
  std::vector<std::map<Numbers, std::vector<Numbers>>> failed_;
  bool too_many_loops_ = false;
};

// Decides about blocks, and makes the nest.
class Finder {
 public:
  Finder(const Problem& problem, const SumCase& sums, const std::atomic<bool>* stop)
      : problem_(problem),
        rules_(sums.rules),
        limits_(problem, sums.rules, sums.output_bits),
        stop_(stop) {}

  std::optional<Mapping> find() const {
    std::vector<Block> blocks;
    TensorSet kept = 0;
    for (const KeepRule& rule : rules_.keeps) {
      if ((rule.required & ~rule.allowed) != 0) return std::nullopt;
      kept |= rule.required;
      const Block optional = rule.allowed == 0 ? Block::kClosed : Block::kFree;
      blocks.push_back(rule.required != 0 ? Block::kHeld : optional);
    }
    if (kept != (TensorSet{1} << problem_.workload().tensors().size()) - 1) return std::nullopt;
    return find(blocks);
  }

 private:
  std::optional<Mapping> find(std::vector<Block>& blocks) const {
    const std::optional<Tiling> tiling = Combiner(problem_, rules_, limits_, blocks, stop_).find();
    if (!tiling) return std::nullopt;
    Keeps keeps;
    const int crowded = find_keeps(*tiling, keeps);
    if (crowded < 0) return build(*tiling, keeps);
    std::optional<Mapping> found;
    for (const Block decided : {Block::kClosed, Block::kHeld}) {
      blocks[pos(crowded)] = decided;
      if (!found) found = find(blocks);
    }
    blocks[pos(crowded)] = Block::kFree;
    return found;
  }

  // What the memories keep. If in one with loops nothing fits: its position, else -1.
  int find_keeps(const Tiling& tiling, Keeps& keeps) const {
    std::vector<std::int64_t> extents(pos(tiling.dims), 1);
    keeps.assign(rules_.keeps.size(), 0);
    int memory = static_cast<int>(keeps.size());
    for (int p = static_cast<int>(rules_.places.size()) - 1; p >= 0; --p) {
      for (int d = 0; d < tiling.dims; ++d) {
        const std::int64_t size = problem_.workload().dims()[pos(d)].size;
        std::int64_t& extent = extents[pos(d)];
        extent = extent > size / tiling.at(p, d) ? size : extent * tiling.at(p, d);
      }
      if (!rules_.places[pos(p)].is_block()) continue;
      --memory;
      if (limits_.optional(memory) && tiling.active(p) == 0) continue;
      if (!limits_.fits(memory, extents)) return memory;
      keeps[pos(memory)] = limits_.choose(memory, extents);
    }
    return -1;
  }

  Mapping build(const Tiling& tiling, const Keeps& keeps) const {
    Orders orders(rules_.places.size());
    for (std::size_t p = 0; p < orders.size(); ++p) {
      const Place& place = rules_.places[p];
      if (place.is_block()) orders[p] = order(place, tiling.active(static_cast<int>(p)));
    }
    std::vector<NestNode> nest;
    build_nest(rules_, keeps, tiling, orders, nest);
    return Mapping(std::move(nest));
  }

  // Any order that the block allows.
  static std::vector<DimId> order(const Place& block, DimSet active) {
    std::vector<DimId> first;
    std::vector<DimId> last;
    const auto take = [&](DimId dim, std::vector<DimId>& into) {
      if ((active >> dim.value & 1U) == 0) return;
      active &= ~(DimSet{1} << dim.value);
      into.push_back(dim);
    };
    for (const DimId dim : block.outermost) take(dim, first);
    for (const DimId dim : block.innermost) take(dim, last);
    for (std::size_t d = 0; d < block.rules.size(); ++d) take(DimId(d), first);
    first.insert(first.end(), last.begin(), last.end());
    return first;
  }

  const Problem& problem_;
  const Rules& rules_;
  TileLimits limits_;
  const std::atomic<bool>* stop_;
};

}  // namespace

std::optional<Mapping> find_feasible(const Problem& problem, const Rules& rules,
                                     const std::atomic<bool>* stop) {
  std::optional<OverflowError> failed;
  for (const SumCase& sums : sum_cases(problem, rules)) {
    try {
      if (auto found = Finder(problem, sums, stop).find()) return found;
    } catch (const OverflowError& error) {  // another case may still have a mapping
      failed = error;
    }
  }
  if (failed) throw OverflowError(*failed);
  return std::nullopt;
}

}  // namespace tilewright
