// SPDX-License-Identifier: Apache-2.0
// Tiles grow with every extent, so per dim only the chains that no other dominates need be tried
// (mapspace/chains.h). They are combined dim by dim, depth first: a branch ends where even the
// least that the remaining dims can ask is too much, or where an earlier branch failed that asked
// no more.
#include "tilewright/mapspace/feasible.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "tilewright/base/checked.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/chains.h"
#include "tilewright/mapspace/fit.h"
#include "tilewright/mapspace/tiling.h"

namespace tilewright {
namespace {

std::size_t pos(int i) { return static_cast<std::size_t>(i); }

class Combiner {
 public:
  Combiner(const Problem& problem, const Rules& rules, bool holes_are_data)
      : problem_(problem),
        rules_(rules),
        fit_(problem, rules, holes_are_data),
        costs_(make_costs(rules, fit_)),
        chosen_(problem.workload().dims().size()) {
    for (std::size_t p = 0; p < rules.places.size(); ++p) {
      if (rules.places[p].is_block()) blocks_.push_back(p);
    }
  }

  std::optional<Mapping> find() {
    if (!keeps_agree()) return std::nullopt;
    const std::size_t dims = chosen_.size();
    for (std::size_t d = 0; d < dims; ++d) {
      fronts_.push_back(find_chains(rules_, costs_, fit_, problem_.workload(), DimId(d)));
      if (fronts_.back().empty()) return std::nullopt;
      sort_front(fronts_.back());
      find_bounds(fronts_.back());
    }
    order_.resize(dims);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t d) { return fronts_[d].size(); });
    failed_.resize(dims + 1);
    if (search(0)) return build();
    if (too_many_loops_) throw OverflowError("every nest that might fit has too many loops");
    return std::nullopt;
  }

 private:
  using Numbers = std::vector<std::int64_t>;

  bool keeps_agree() const {
    TensorSet kept = 0;
    for (const KeepRule& rule : rules_.keeps) {
      if ((rule.required & ~rule.allowed) != 0) return false;
      kept |= rule.required;
    }
    return kept == (TensorSet{1} << problem_.workload().tensors().size()) - 1;
  }

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
    if (!axes_suffice() || !tiles_fit()) return false;
    if (depth == order_.size()) return loops_suffice();
    Numbers demanded;
    Numbers asked = ask(demanded);
    std::vector<Numbers>& failed = failed_[depth][demanded];
    for (const Numbers& other : failed) {
      if (std::ranges::equal(other, asked, std::less_equal<>())) return false;
    }
    const std::size_t dim = order_[depth];
    for (const Chain& chain : fronts_[dim]) {
      chosen_[dim] = &chain;
      if (search(depth + 1)) return true;
    }
    chosen_[dim] = nullptr;
    std::erase_if(failed, [&](const Numbers& other) {
      return std::ranges::equal(asked, other, std::less_equal<>());
    });
    failed.push_back(std::move(asked));
    return false;
  }

  // Children along an axis: those of the chosen dims times those of the others, at least (at most).
  std::int64_t spread(const PlaceCost& axis, bool most) const {
    std::int64_t product = 1;
    for (std::size_t d = 0; d < chosen_.size(); ++d) {
      const bool open = most && chosen_[d] == nullptr;
      product = capped_mul(product, open ? most_[d][pos(axis.spread)] : cost(d, axis.spread));
    }
    return product;
  }

  bool axes_suffice() const {
    for (const FanoutRule& fanout : rules_.fanouts) {
      std::int64_t children = 1;
      for (std::size_t p = 0; p < costs_.size(); ++p) {
        if (rules_.places[p].node != fanout.fanout) continue;
        const std::int64_t size = fanout.axis_sizes[pos(rules_.places[p].axis)];
        if (spread(costs_[p], false) > size) return false;
        children = capped_mul(children, std::min(size, spread(costs_[p], true)));
      }
      if (children < fanout.least_children) return false;
    }
    return true;
  }

  bool tiles_fit() const {
    for (std::size_t m = 0; m < blocks_.size(); ++m) {
      const PlaceCost& at = costs_[blocks_[m]];
      if (at.extent < 0 || !is_open(at)) continue;
      if (!fit_.fits(static_cast<int>(m), extents(at.extent))) return false;
    }
    return true;
  }

  bool is_open(const PlaceCost& at) const {
    if (at.open < 0) return true;
    for (std::size_t d = 0; d < chosen_.size(); ++d) {
      if (cost(d, at.open) > 0) return true;
    }
    return false;
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
    for (std::size_t p = 0, m = 0; p < costs_.size(); ++p) {
      const PlaceCost& at = costs_[p];
      if (at.spread >= 0) (at.demand > 0 ? demanded : asked).push_back(spread(at, false));
      const int memory = rules_.places[p].is_block() ? static_cast<int>(m++) : -1;
      if (at.extent < 0) continue;
      if (at.open >= 0) asked.push_back(is_open(at) ? 1 : 0);
      const Numbers sizes = extents(at.extent);
      const KeepRule& rule = fit_.keep(memory);
      const TensorSet tensors = fit_.optional(memory) ? rule.allowed : rule.required;
      for (std::size_t t = 0; t < problem_.workload().tensors().size(); ++t) {
        if ((tensors & only(TensorId(t))) != 0) ask_for_tile(t, sizes, asked);
      }
    }
    return asked;
  }

  // Ranks with all dims chosen are one number; the others are open to what comes.
  void ask_for_tile(std::size_t tensor, const Numbers& sizes, Numbers& asked) const {
    std::int64_t elements = 1;
    for (const RankForm& rank : fit_.ranks(tensor)) {
      const auto is_chosen = [&](const Term& term) { return chosen_[term.dim.pos()] != nullptr; };
      if (std::ranges::all_of(rank.terms, is_chosen)) {
        elements = capped_mul(elements, Fit::elements(rank, sizes));
        continue;
      }
      for (const Term& term : rank.terms) {
        if (is_chosen(term)) asked.push_back(sizes[term.dim.pos()]);
      }
    }
    asked.push_back(elements);
  }

  Mapping build() const {
    const int dims = static_cast<int>(chosen_.size());
    Tiling tiling{dims, {}};
    tiling.factors.resize(rules_.places.size() * chosen_.size());
    Numbers inside(chosen_.size(), 1);  // extents at the place
    Keeps keeps(blocks_.size());
    Orders orders(rules_.places.size());
    int memory = static_cast<int>(blocks_.size());
    for (int p = static_cast<int>(rules_.places.size()) - 1; p >= 0; --p) {
      for (int d = 0; d < dims; ++d) {
        const std::int64_t factor = chosen_[pos(d)]->factors[pos(p)];
        const std::int64_t size = problem_.workload().dims()[pos(d)].size;
        tiling.at(p, d) = factor;
        inside[pos(d)] = inside[pos(d)] > size / factor ? size : inside[pos(d)] * factor;
      }
      const Place& place = rules_.places[pos(p)];
      if (!place.is_block()) continue;
      --memory;
      orders[pos(p)] = order(place, tiling.active(p));
      const bool keeps_any = !fit_.optional(memory) || tiling.active(p) != 0;
      keeps[pos(memory)] = keeps_any ? fit_.choose(memory, inside) : 0;
    }
    std::vector<NestNode> nest;
    build_nest(rules_, keeps, tiling, orders, nest);
    return Mapping(std::move(nest));
  }

  // Any order that the block allows.
  std::vector<DimId> order(const Place& block, DimSet active) const {
    std::vector<DimId> first;
    std::vector<DimId> last;
    const auto take = [&](const std::vector<DimId>& wanted, std::vector<DimId>& into) {
      for (const DimId dim : wanted) {
        if ((active >> dim.value & 1U) == 0) continue;
        active &= ~(DimSet{1} << dim.value);
        into.push_back(dim);
      }
    };
    take(block.outermost, first);
    take(block.innermost, last);
    std::vector<DimId> all;
    for (std::size_t d = 0; d < chosen_.size(); ++d) all.push_back(DimId(d));
    take(all, first);
    first.insert(first.end(), last.begin(), last.end());
    return first;
  }

  const Problem& problem_;
  const Rules& rules_;
  Fit fit_;
  std::vector<PlaceCost> costs_;            // by place
  std::vector<std::size_t> blocks_;         // the place of every memory
  std::vector<std::vector<Chain>> fronts_;  // by DimId
  std::vector<Numbers> least_;              // by DimId: of each cost
  std::vector<Numbers> most_;               // by DimId: of each cost
  std::vector<std::size_t> order_;          // dims, those with few chains first
  std::vector<const Chain*> chosen_;        // by DimId; null: not yet
  // What was asked where no choice for the remaining dims was found: by depth, then by children.
  std::vector<std::map<Numbers, std::vector<Numbers>>> failed_;
  bool too_many_loops_ = false;
};

}  // namespace

std::optional<Mapping> find_feasible(const Problem& problem, const Rules& rules,
                                     bool holes_are_data) {
  return Combiner(problem, rules, holes_are_data).find();
}

}  // namespace tilewright
