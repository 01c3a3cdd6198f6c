// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/moves.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"
#include "tilewright/mapspace/tile_limits.h"

namespace tilewright {
namespace {

// Factors up to this are all tried, and so are those that leave at most as many steps.
constexpr std::int64_t kFew = 16;

std::size_t pos(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Moves::Moves(const Problem& problem, const Rules& rules)
    : rules_(rules),
      dims_(static_cast<int>(problem.workload().dims().size())),
      places_(static_cast<int>(rules.places.size())) {
  for (const Dim& dim : problem.workload().dims()) sizes_.push_back(dim.size);
  for (const Place& place : rules.places) {
    if (place.is_block()) {
      memory_of_place_.push_back(static_cast<int>(place_of_memory_.size()));
      place_of_memory_.push_back(static_cast<int>(axis_sizes_.size()));
      axis_sizes_.push_back(FactorRule::kNoLimit);
      continue;
    }
    const auto fanout = std::ranges::find(rules.fanouts, place.node, &FanoutRule::fanout);
    memory_of_place_.push_back(-1);
    axis_sizes_.push_back(fanout->axis_sizes[pos(place.axis)]);
  }
}

Point Moves::read(std::span<const NestNode> nest) const {
  Point point{Keeps(rules_.keeps.size(), 0),
              {dims_, std::vector<std::int64_t>(pos(dims_ * places_), 1)}};
  int block = 0;
  for (const NestNode& node : nest) {
    if (node.kind == NestNode::Kind::kTemporal) {
      point.tiling.at(block, node.dim.value) = node.factor;
      continue;
    }
    const bool keeps = node.kind == NestNode::Kind::kKeep;
    const auto place = std::ranges::find_if(rules_.places, [&](const Place& p) {
      return p.node == node.node && p.axis == (keeps ? -1 : node.axis);
    });
    TW_CHECK(place != rules_.places.end(), "the nest is of the space");
    const int at = static_cast<int>(place - rules_.places.begin());
    if (keeps) {
      block = at;
      point.keeps[pos(memory_of_place_[pos(at)])] = node.tensors;
    } else {
      point.tiling.at(at, node.dim.value) = node.factor;
    }
  }
  return point;
}

// ---- What is legal ----

// The largest factor that fits the place, whatever there is to split.
std::int64_t Moves::most(int place, int dim) const {
  const int memory = memory_of_place_[pos(place)];
  if (memory >= 0) return point_.keeps[pos(memory)] == 0 ? 1 : rule(place, dim).most;
  std::int64_t used = 1;
  for (int d = 0; d < dims_; ++d) {
    if (d != dim) used = capped_mul(used, point_.tiling.at(place, d));
  }
  return std::min(rule(place, dim).most, axis_sizes_[pos(place)] / used);
}

// The steps of `dim` that the places inside leave.
std::int64_t Moves::left_at(int place, int dim) const {
  std::int64_t left = size(dim);
  for (int p = innermost(); p > place; --p) left = ceil_div(left, point_.tiling.at(p, dim));
  return left;
}

// The place that takes what the others leave; -1: none may.
int Moves::sink(int dim) const {
  for (int p = 0; p < places_; ++p) {
    if (most(p, dim) > 1) return p;
  }
  return -1;
}

bool Moves::chain_is_legal(int dim) const {
  std::int64_t left = size(dim);
  for (int p = innermost(); p >= 0; --p) {
    const std::int64_t factor = point_.tiling.at(p, dim);
    const FactorRule& allowed = rule(p, dim);
    if (factor < allowed.least || factor > left) return false;
    if (factor > 1 && factor > most(p, dim)) return false;
    if (!allowed.remainder && left % factor != 0) return false;
    left = ceil_div(left, factor);
  }
  return left == 1;
}

bool Moves::axes_are_legal() const {
  for (const FanoutRule& fanout : rules_.fanouts) {
    std::int64_t children = 1;
    for (int p = 0; p < places_; ++p) {
      if (rules_.places[pos(p)].node != fanout.fanout) continue;
      std::int64_t used = 1;
      for (int d = 0; d < dims_; ++d) used = capped_mul(used, point_.tiling.at(p, d));
      if (used > axis_sizes_[pos(p)]) return false;
      children = capped_mul(children, used);
    }
    if (children < fanout.least_children) return false;
  }
  return true;
}

bool Moves::allows(const Point& point) const {
  Moves copy = *this;
  copy.point_ = point;
  for (std::size_t m = 0; m < rules_.keeps.size(); ++m) {
    const KeepRule& keep = rules_.keeps[m];
    if ((keep.required & ~point.keeps[m]) != 0 || (point.keeps[m] & ~keep.allowed) != 0) {
      return false;
    }
  }
  for (int d = 0; d < dims_; ++d) {
    if (!copy.chain_is_legal(d)) return false;
  }
  return copy.axes_are_legal();
}

// ---- Changes of one dim ----

std::vector<std::int64_t> Moves::column(int dim) const {
  std::vector<std::int64_t> factors(pos(places_));
  for (int p = 0; p < places_; ++p) factors[pos(p)] = point_.tiling.at(p, dim);
  return factors;
}

void Moves::restore(int dim, const std::vector<std::int64_t>& factors) {
  for (int p = 0; p < places_; ++p) point_.tiling.at(p, dim) = factors[pos(p)];
}

std::int64_t Moves::shared(int dim, int inner, int outer) const {
  std::int64_t others = 1;
  for (int p = 0; p < places_; ++p) {
    if (p != inner && p != outer) others = capped_mul(others, point_.tiling.at(p, dim));
  }
  return ceil_div(size(dim), others);
}

// `place` gets the factor, `other` the least one that covers the rest.
bool Moves::split(int dim, int place, std::int64_t factor, int other) {
  const std::int64_t together = shared(dim, place, other);
  point_.tiling.at(place, dim) = factor;
  point_.tiling.at(other, dim) = ceil_div(together, factor);
  return chain_is_legal(dim);
}

// `place` gets the factor; the places outside it keep of theirs what still divides, and the sink
// takes the rest.
bool Moves::carry(int dim, int place, std::int64_t factor) {
  const int last = sink(dim);
  std::int64_t left = left_at(place, dim);
  point_.tiling.at(place, dim) = factor;
  left = ceil_div(left, factor);
  for (int p = place - 1; p >= 0; --p) {
    std::int64_t& own = point_.tiling.at(p, dim);
    own = std::min(own, left);
    if (p == last) own = left;
    if (!rule(p, dim).remainder) {
      while (left % own != 0) --own;
    }
    left = ceil_div(left, own);
  }
  return chain_is_legal(dim);
}

const std::vector<std::int64_t>& Moves::divisors(std::int64_t count) {
  std::vector<std::int64_t>& list = divisors_[count];
  if (!list.empty()) return list;
  for (std::int64_t v = 1; v <= count / v; ++v) {
    if (count % v != 0) continue;
    list.push_back(v);
    if (v != count / v) list.push_back(count / v);
  }
  std::ranges::sort(list);
  return list;
}

// The least factor for each number of steps left, where there are few of one of the two.
const std::vector<std::int64_t>& Moves::ragged_factors(std::int64_t count) {
  std::vector<std::int64_t>& list = ragged_[count];
  if (!list.empty()) return list;
  list = divisors(count);
  for (std::int64_t few = 1; few <= std::min(kFew, count); ++few) {
    list.push_back(ceil_div(count, ceil_div(count, few)));
    list.push_back(ceil_div(count, few));
  }
  std::ranges::sort(list);
  const auto rest = std::ranges::unique(list);
  list.erase(rest.begin(), rest.end());
  return list;
}

// ---- Neighbours ----

void Moves::report(const Visit& visit) const {
  if (axes_are_legal()) visit(point_);
}

void Moves::resplit(const Point& from, const Visit& visit) {
  point_ = from;
  for (int d = 0; d < dims_; ++d) {
    if (size(d) == 1) continue;
    resplit_dim(d, visit);
    nudge(d, visit);
    grow(d, visit);
  }
}

void Moves::resplit_dim(int dim, const Visit& visit) {
  const std::vector<std::int64_t> before = column(dim);
  for (int inner = innermost(); inner > 0; --inner) {
    for (int outer = inner - 1; outer >= 0; --outer) {
      const std::int64_t together = shared(dim, inner, outer);
      if (together == 1) continue;
      const std::int64_t most_inner = most(inner, dim);
      const std::int64_t most_outer = most(outer, dim);
      const bool ragged = rule(inner, dim).remainder || rule(outer, dim).remainder;
      const auto attempt = [&](std::int64_t factor) {
        if (factor > most_inner || ceil_div(together, factor) > most_outer) return;
        if (factor == before[pos(inner)] && ceil_div(together, factor) == before[pos(outer)]) {
          return;
        }
        if (split(dim, inner, factor, outer)) report(visit);
        restore(dim, before);
      };
      for (const std::int64_t factor : ragged ? ragged_factors(together) : divisors(together)) {
        attempt(factor);
      }
      if (ragged && most_inner < together) attempt(most_inner);
      if (ragged && most_outer < together) attempt(ceil_div(together, most_outer));
    }
  }
}

// A factor one larger or less may leave as many steps and cost something else.
void Moves::nudge(int dim, const Visit& visit) {
  for (int p = 0; p < places_; ++p) {
    if (!rule(p, dim).remainder) continue;
    const std::int64_t before = point_.tiling.at(p, dim);
    for (const std::int64_t factor : {before - 1, before + 1}) {
      if (factor < 1) continue;
      point_.tiling.at(p, dim) = factor;
      if (chain_is_legal(dim)) report(visit);
    }
    point_.tiling.at(p, dim) = before;
  }
}

void Moves::grow(int dim, const Visit& visit) {
  const std::vector<std::int64_t> before = column(dim);
  for (int p = innermost(); p > 0; --p) {
    const std::int64_t left = left_at(p, dim);
    const std::int64_t limit = std::min(left, most(p, dim));
    const bool ragged = rule(p, dim).remainder;
    const auto attempt = [&](std::int64_t factor) {
      if (factor > limit || factor == before[pos(p)]) return;
      if (carry(dim, p, factor)) report(visit);
      restore(dim, before);
    };
    for (const std::int64_t factor : ragged ? ragged_factors(left) : divisors(left)) {
      attempt(factor);
    }
    if (ragged && limit < left) attempt(limit);
  }
}

void Moves::swap(const Point& from, const Visit& visit) {
  point_ = from;
  for (int axis = 0; axis < places_; ++axis) {
    if (!is_axis(axis)) continue;
    for (int dim = 0; dim < dims_; ++dim) {
      if (point_.tiling.at(axis, dim) == 1) continue;
      for (int other = 0; other < places_; ++other) {
        if (other != axis) swap_on(axis, other, dim, visit);
      }
    }
  }
}

// `dim` moves from `axis` to `other`, whole or in part, and another dim the other way.
void Moves::swap_on(int axis, int other, int dim, const Visit& visit) {
  const std::vector<std::int64_t> before = column(dim);
  const std::int64_t factor = before[pos(axis)];
  for (const std::int64_t kept : divisors(factor)) {
    if (kept == factor) break;
    const bool moved =
        split(dim, axis, kept, other) || (restore(dim, before), carry(dim, axis, kept));
    for (int d = 0; moved && d < dims_; ++d) {
      if (d == dim || point_.tiling.at(other, d) == 1) continue;
      const std::vector<std::int64_t> partner = column(d);
      const std::int64_t together = shared(d, axis, other);
      std::int64_t taken = std::min(together, most(axis, d));
      if (rule(axis, d).remainder) {
        taken = ceil_div(together, ceil_div(together, taken));
      } else {
        while (together % taken != 0) --taken;
      }
      if (taken > partner[pos(axis)] && split(d, axis, taken, other)) report(visit);
      restore(d, partner);
    }
    restore(dim, before);
  }
}

void Moves::bypass(const Point& from, const Visit& visit) {
  point_ = from;
  for (std::size_t m = 0; m < rules_.keeps.size(); ++m) {
    const TensorSet required = rules_.keeps[m].required;
    const TensorSet free = rules_.keeps[m].allowed & ~required;
    const TensorSet kept = from.keeps[m];
    for (TensorSet rest = free; rest != 0; rest &= rest - 1) {
      const TensorSet one = rest & (~rest + 1);
      set_keeps(m, kept ^ one, visit);
      if ((kept & one) == 0) continue;
      for (TensorSet others = free & ~kept; others != 0; others &= others - 1) {
        set_keeps(m, (kept ^ one) | (others & (~others + 1)), visit);
      }
    }
    if (std::popcount(kept & ~required) > 1) set_keeps(m, required, visit);
  }
}

void Moves::set_keeps(std::size_t memory, TensorSet kept, const Visit& visit) {
  const Point before = point_;
  point_.keeps[memory] = kept;
  if (kept != 0 || close(place_of_memory_[memory])) report(visit);
  point_ = before;
}

// Moves all loops out of a block whose memory keeps nothing: into the next one that may have them.
bool Moves::close(int place) {
  for (int d = 0; d < dims_; ++d) {
    if (point_.tiling.at(place, d) == 1) continue;
    const std::vector<std::int64_t> before = column(d);
    bool moved = false;
    for (int p = place - 1; p >= 0 && !moved; --p) {
      if (is_axis(p) || most(p, d) == 1) continue;
      moved = split(d, place, 1, p);
      if (!moved) restore(d, before);
    }
    if (!moved && !carry(d, place, 1)) return false;
  }
  return true;
}

// ---- Points to start from ----

std::optional<Point> Moves::outermost(const Keeps& keeps) {
  point_ = {keeps, {dims_, std::vector<std::int64_t>(pos(dims_ * places_), 1)}};
  for (int d = 0; d < dims_; ++d) {
    const int last = sink(d);
    std::int64_t left = size(d);
    for (int p = innermost(); p >= 0; --p) {
      const FactorRule& allowed = rule(p, d);
      std::int64_t& factor = point_.tiling.at(p, d);
      factor = p == last ? left : allowed.least;
      if (factor > left) return std::nullopt;
      if (!allowed.remainder) {
        while (left % factor != 0) ++factor;
      }
      left = ceil_div(left, factor);
    }
  }
  if (!allows(point_)) return std::nullopt;
  return point_;
}

Point Moves::scatter(const Point& from, Random& random,
                     const std::function<bool(const Point&)>& fits) {
  Point at = from;
  const auto consider = [&](const Point& next) {
    if (fits(next)) at = next;
  };
  for (std::size_t m = 0; m < rules_.keeps.size(); ++m) {
    const TensorSet free = rules_.keeps[m].allowed & ~rules_.keeps[m].required;
    // Three of four are kept: what is kept is mostly of use.
    const auto drawn = static_cast<TensorSet>(random.next() >> 32 | random.next() >> 32);
    point_ = at;
    set_keeps(m, rules_.keeps[m].required | (drawn & free), consider);
  }
  std::vector<int> axes;
  for (int p = 0; p < places_; ++p) {
    if (is_axis(p)) axes.push_back(p);
  }
  for (int step = 0; step < 3 * static_cast<int>(axes.size()); ++step) {
    const int axis = axes[static_cast<std::size_t>(
        random.between(0, static_cast<std::int64_t>(axes.size()) - 1))];
    const int dim = static_cast<int>(random.between(0, dims_ - 1));
    point_ = at;
    const std::int64_t left = left_at(axis, dim);
    std::int64_t factor = std::min(left, most(axis, dim));
    if (!rule(axis, dim).remainder) {
      while (left % factor != 0) --factor;
    }
    if (factor > 1 && carry(dim, axis, factor)) report(consider);
  }
  return at;
}

}  // namespace tilewright
