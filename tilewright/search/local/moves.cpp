// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/local/moves.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"
#include "tilewright/mapspace/choices/choices.h"
#include "tilewright/mapspace/feasibility/tile_limits.h"

namespace tilewright {
namespace {

// Of the factors that leave remainders, those up to this are tried and those that leave at most as
// many steps.
constexpr std::int64_t kFew = 16;

// Divisors are found by trying; the other searches do not go further either.
constexpr std::int64_t kLargestDim = std::int64_t{1} << 44;

TensorSet lowest(TensorSet set) { return set & (~set + 1); }

}  // namespace

Moves::Moves(const Problem& problem, const Rules& rules)
    : problem_(problem),
      rules_(rules),
      dims_(static_cast<int>(problem.workload().dims().size())),
      places_(static_cast<int>(rules.places.size())) {
  for (const Dim& dim : problem.workload().dims()) {
    if (dim.size > kLargestDim) {
      throw OverflowError("a dim of " + std::to_string(dim.size) + " is too large to be split");
    }
    sizes_.push_back(dim.size);
  }
  for (int p = 0; p < places_; ++p) {
    const Place& place = rules.places[pos(p)];
    if (place.is_block()) {
      memory_of_place_.push_back(static_cast<int>(place_of_memory_.size()));
      place_of_memory_.push_back(p);
      axis_sizes_.push_back(0);
      continue;
    }
    const auto fanout = std::ranges::find(rules.fanouts, place.node, &FanoutRule::fanout);
    memory_of_place_.push_back(-1);
    axis_sizes_.push_back(fanout->axis_sizes[pos(place.axis)]);
    axes_.push_back(p);
  }
}

Point Moves::read(std::span<const NestNode> nest) const {
  std::optional<Choices> choices =
      read_choices(problem_, rules_, Mapping({nest.begin(), nest.end()}));
  TW_CHECK(choices.has_value(), "the nest belongs to the space");
  return {std::move(choices->keeps), std::move(choices->tiling)};
}

// ---- What is legal ----

// The largest factor that the place takes, however much there is to split.
std::int64_t Moves::most(int place, int dim) const {
  if (!is_axis(place)) {
    const bool closed = point_.keeps[pos(memory_of_place_[pos(place)])] == 0;
    return closed ? 1 : rule(place, dim).most;
  }
  std::int64_t used = 1;
  for (int d = 0; d < dims_; ++d) {
    if (d != dim) used = capped_mul(used, point_.tiling.at(place, d));
  }
  return std::min(rule(place, dim).most, axis_sizes_[pos(place)] / used);
}

// The steps that the places inside leave.
std::int64_t Moves::left_at(int place, int dim) const {
  std::int64_t left = sizes_[pos(dim)];
  for (int p = innermost(); p > place; --p) left = ceil_div(left, point_.tiling.at(p, dim));
  return left;
}

// What two places have to cover together.
std::int64_t Moves::shared(int dim, int place, int other) const {
  std::int64_t elsewhere = 1;
  for (int p = 0; p < places_; ++p) {
    if (p != place && p != other) elsewhere = capped_mul(elsewhere, point_.tiling.at(p, dim));
  }
  return ceil_div(sizes_[pos(dim)], elsewhere);
}

// The outermost place that may split the dim: it takes what the others leave.
int Moves::sink(int dim) const {
  int place = 0;
  while (place < innermost() && most(place, dim) <= 1) ++place;
  return place;
}

// docs/model.md (1) and the rules.
bool Moves::chain_is_legal(int dim) const {
  std::int64_t left = sizes_[pos(dim)];
  for (int p = innermost(); p >= 0; --p) {
    const std::int64_t factor = point_.tiling.at(p, dim);
    const FactorRule& allowed = rule(p, dim);
    if (factor < allowed.least || factor > std::min(left, most(p, dim))) return false;
    if (!allowed.remainder && left % factor != 0) return false;
    left = ceil_div(left, factor);
  }
  return left == 1;
}

bool Moves::axes_are_legal() const {
  return std::ranges::all_of(rules_.fanouts, [&](const FanoutRule& fanout) {
    if (fanout.least_children == 1) return true;
    std::int64_t children = 1;
    for (const int p : axes_) {
      if (rules_.places[pos(p)].node != fanout.fanout) continue;
      for (int d = 0; d < dims_; ++d) children = capped_mul(children, point_.tiling.at(p, d));
    }
    return children >= fanout.least_children;
  });
}

bool Moves::is_legal() const {
  for (std::size_t m = 0; m < rules_.keeps.size(); ++m) {
    const KeepRule& keep = rules_.keeps[m];
    if ((keep.required & ~keep.allowed) != 0) return false;
    if ((keep.required & ~point_.keeps[m]) != 0) return false;
  }
  for (int d = 0; d < dims_; ++d) {
    if (!chain_is_legal(d)) return false;
  }
  return axes_are_legal();
}

// ---- Factors ----

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

// The divisors that have none themselves.
const std::vector<std::int64_t>& Moves::primes(std::int64_t count) {
  std::vector<std::int64_t>& list = primes_[count];
  if (!list.empty()) return list;
  for (const std::int64_t v : divisors(count)) {
    const bool is_prime =
        v > 1 && std::ranges::none_of(list, [&](std::int64_t prime) { return v % prime == 0; });
    if (is_prime) list.push_back(v);
  }
  return list;
}

// The least factor for each number of steps left, as far as there are few of either.
const std::vector<std::int64_t>& Moves::ragged_factors(std::int64_t count) {
  std::vector<std::int64_t>& list = ragged_factors_[count];
  if (!list.empty()) return list;
  list = divisors(count);
  for (std::int64_t few = 1; few <= std::min(kFew, count); ++few) {
    list.push_back(ceil_div(count, few));
    list.push_back(ceil_div(count, ceil_div(count, few)));
  }
  std::ranges::sort(list);
  const auto rest = std::ranges::unique(list);
  list.erase(rest.begin(), rest.end());
  return list;
}

// The largest factor of `count` steps within the limit.
std::int64_t Moves::largest(bool ragged, std::int64_t count, std::int64_t limit) {
  if (ragged || limit >= count) return std::min(count, limit);
  const std::vector<std::int64_t>& list = divisors(count);
  return *std::prev(std::ranges::upper_bound(list, limit));
}

// ---- Changes ----

Moves::Column Moves::column(int dim) const {
  Column factors;  // NOLINT(cppcoreguidelines-pro-type-member-init): only its places are used
  for (int p = 0; p < places_; ++p) factors[pos(p)] = point_.tiling.at(p, dim);
  return factors;
}

void Moves::restore(int dim, const Column& factors) {
  for (int p = 0; p < places_; ++p) point_.tiling.at(p, dim) = factors[pos(p)];
}

// `place` gets the factor and `other` the least one that covers the rest.
bool Moves::split(int dim, int place, std::int64_t factor, int other) {
  const std::int64_t together = shared(dim, place, other);
  point_.tiling.at(place, dim) = factor;
  point_.tiling.at(other, dim) = ceil_div(together, factor);
  return chain_is_legal(dim);
}

// From the place outwards, each keeps as much of its factor as it can of what is left, and the sink
// takes the rest.
bool Moves::settle(int dim, int place, std::int64_t left) {
  const int last = sink(dim);
  for (int p = place; p >= 0; --p) {
    std::int64_t& own = point_.tiling.at(p, dim);
    own = p == last ? left : largest(rule(p, dim).remainder, left, own);
    left = ceil_div(left, own);
  }
  return chain_is_legal(dim);
}

// `place` gets the factor, and the places outside it settle.
bool Moves::carry(int dim, int place, std::int64_t factor) {
  const std::int64_t left = ceil_div(left_at(place, dim), factor);
  point_.tiling.at(place, dim) = factor;
  return settle(dim, place - 1, left);
}

// Every place gets the factor that is wanted of it, as far as there are steps and room.
bool Moves::fill(int dim, const Column& wanted) {
  for (int p = 0; p < places_; ++p) {
    point_.tiling.at(p, dim) = std::max<std::int64_t>(1, std::min(wanted[pos(p)], most(p, dim)));
  }
  return settle(dim, innermost(), sizes_[pos(dim)]);
}

// If nothing is kept, loops move to the next block outside that takes them.
bool Moves::set_keeps(std::size_t memory, TensorSet kept) {
  point_.keeps[memory] = kept;
  const int place = place_of_memory_[memory];
  for (int d = 0; kept == 0 && d < dims_; ++d) {
    if (point_.tiling.at(place, d) == 1) continue;
    const Column before = column(d);
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

// ---- Neighbours ----

void Moves::resplit(const Point& from, int dim, const Visit& visit) {
  if (sizes_[pos(dim)] == 1) return;
  point_ = from;
  for (int inner = innermost(); inner > 0; --inner) {
    for (int outer = inner - 1; outer >= 0; --outer) resplit_pair(dim, inner, outer, visit);
    grow(dim, inner, visit);
  }
  nudge(dim, visit);
}

void Moves::resplit_pair(int dim, int inner, int outer, const Visit& visit) {
  const std::int64_t together = shared(dim, inner, outer);
  if (together == 1) return;
  const std::int64_t before[] = {point_.tiling.at(inner, dim), point_.tiling.at(outer, dim)};
  const std::int64_t limits[] = {most(inner, dim), most(outer, dim)};
  const auto attempt = [&](std::int64_t factor) {
    const std::int64_t rest = ceil_div(together, factor);
    if (factor > limits[0] || rest > limits[1]) return;
    if (factor == before[0] && rest == before[1]) return;
    point_.tiling.at(inner, dim) = factor;
    point_.tiling.at(outer, dim) = rest;
    if (chain_is_legal(dim)) report(visit);
    point_.tiling.at(inner, dim) = before[0];
    point_.tiling.at(outer, dim) = before[1];
  };
  const bool ragged = rule(inner, dim).remainder || rule(outer, dim).remainder;
  for (const std::int64_t factor : factors(ragged, together)) attempt(factor);
  if (ragged && limits[0] < together) attempt(limits[0]);
  if (ragged && limits[1] < together) attempt(ceil_div(together, limits[1]));
}

// A factor at one place, at the cost of those outside it.
void Moves::grow(int dim, int place, const Visit& visit) {
  const Column before = column(dim);
  const std::int64_t left = left_at(place, dim);
  const std::int64_t limit = std::min(left, most(place, dim));
  const auto attempt = [&](std::int64_t factor) {
    if (factor > limit || factor == before[pos(place)]) return;
    if (carry(dim, place, factor)) report(visit);
    restore(dim, before);
  };
  const bool ragged = rule(place, dim).remainder;
  for (const std::int64_t factor : factors(ragged, left)) attempt(factor);
  if (ragged && limit < left) attempt(limit);
}

// A factor larger or less by one may leave as many steps and still cost something else.
void Moves::nudge(int dim, const Visit& visit) {
  for (int p = 0; p < places_; ++p) {
    if (!rule(p, dim).remainder) continue;
    const std::int64_t before = point_.tiling.at(p, dim);
    for (const std::int64_t factor : {before - 1, before + 1}) {
      point_.tiling.at(p, dim) = factor;
      if (factor > 0 && chain_is_legal(dim)) report(visit);
    }
    point_.tiling.at(p, dim) = before;
  }
}

void Moves::swap(const Point& from, const Visit& visit) {
  point_ = from;
  for (const int axis : axes_) {
    for (int d = 0; d < dims_; ++d) {
      if (point_.tiling.at(axis, d) == 1) continue;
      for (int other = 0; other < places_; ++other) {
        if (other != axis) swap_with(axis, other, d, visit);
      }
    }
  }
}

// `dim` moves from the axis to `other`, or outwards if it may not stand there.
void Moves::swap_with(int axis, int other, int dim, const Visit& visit) {
  const Column before = column(dim);
  const std::int64_t factor = before[pos(axis)];
  for (const std::int64_t kept : divisors(factor)) {
    if (kept == factor) break;
    split(dim, axis, kept, other);  // where `other` is an axis too, it may have no room yet
    const bool exchanged = take_room(axis, other, dim, visit);
    restore(dim, before);
    if (!exchanged && carry(dim, axis, kept)) take_room(axis, other, dim, visit);
    restore(dim, before);
  }
}

// Other dims move from `other` to the axis, each as far as there is room; true if one could.
bool Moves::take_room(int axis, int other, int left, const Visit& visit) {
  bool found = false;
  for (int d = 0; d < dims_; ++d) {
    if (d == left || point_.tiling.at(other, d) == 1) continue;
    const Column before = column(d);
    const std::int64_t together = shared(d, axis, other);
    std::int64_t factor = largest(rule(axis, d).remainder, together, most(axis, d));
    factor = ceil_div(together, ceil_div(together, factor));  // the least that leaves as much
    if (factor > before[pos(axis)] && split(d, axis, factor, other) && chain_is_legal(left)) {
      found = true;
      report(visit);
    }
    restore(d, before);
  }
  return found;
}

void Moves::exchange(const Point& from, const Visit& visit) {
  point_ = from;
  for (std::size_t inner = place_of_memory_.size(); inner-- > 0;) {
    for (std::size_t outer = inner; outer-- > 0;) {
      for (int d = 0; d < dims_; ++d) {
        exchange_with(place_of_memory_[inner], place_of_memory_[outer], d, visit);
      }
    }
  }
}

void Moves::exchange_with(int inner, int outer, int dim, const Visit& visit) {
  const auto at = [&](int place, int d) { return point_.tiling.at(place, d); };
  const auto put = [&](int d, std::int64_t in, std::int64_t out) {
    point_.tiling.at(inner, d) = in;
    point_.tiling.at(outer, d) = out;
  };
  const auto come = [&](int d) {
    const std::int64_t before[] = {at(inner, d), at(outer, d)};
    for (const std::int64_t prime : primes(before[1])) {
      if (split(d, inner, before[0] * prime, outer)) report(visit);
      put(d, before[0], before[1]);
    }
  };
  const std::int64_t before[] = {at(inner, dim), at(outer, dim)};
  for (const std::int64_t prime : primes(before[0])) {
    const bool left = split(dim, inner, before[0] / prime, outer);
    for (int d = 0; left && d < dims_; ++d) {
      if (d != dim) come(d);
    }
    put(dim, before[0], before[1]);
  }
}

void Moves::bypass(const Point& from, const Visit& visit) {
  const auto free = [&](std::size_t m) {
    return rules_.keeps[m].allowed & ~rules_.keeps[m].required;
  };
  for (std::size_t m = 0; m < rules_.keeps.size(); ++m) {
    const TensorSet kept = from.keeps[m];
    const auto attempt = [&](TensorSet instead) {
      point_ = from;
      if (set_keeps(m, instead)) report(visit);
    };
    for (TensorSet rest = free(m); rest != 0; rest &= rest - 1) {
      const TensorSet one = lowest(rest);
      attempt(kept ^ one);
      if ((kept & one) == 0) continue;
      for (TensorSet others = free(m) & ~kept; others != 0; others &= others - 1) {
        attempt((kept ^ one) | lowest(others));
      }
      for (std::size_t n = 0; n < rules_.keeps.size(); ++n) {
        if ((free(n) & ~from.keeps[n] & one) == 0) continue;
        point_ = from;
        point_.keeps[n] |= one;
        if (set_keeps(m, kept ^ one)) report(visit);
      }
    }
    if (std::popcount(kept & free(m)) > 1) attempt(rules_.keeps[m].required);
  }
}

// ---- Points to start from ----

std::optional<Point> Moves::outermost(const Keeps& keeps) {
  point_ = {keeps, {dims_, std::vector<std::int64_t>(pos(dims_ * places_), 1)}};
  for (int d = 0; d < dims_; ++d) {
    const int last = sink(d);
    std::int64_t left = sizes_[pos(d)];
    for (int p = innermost(); p >= 0; --p) {
      const FactorRule& allowed = rule(p, d);
      std::int64_t& factor = point_.tiling.at(p, d);
      factor = p == last ? left : std::min(left, allowed.least);
      while (!allowed.remainder && left % factor != 0) ++factor;
      left = ceil_div(left, factor);
    }
  }
  if (!is_legal()) return std::nullopt;
  return point_;
}

// Empties a place, then fills an axis as far as a few dims allow, or a block at random.
bool Moves::refill(int place, Random& random, const Fits& fits) {
  constexpr int kAttempts = 3;
  for (int d = 0; d < dims_; ++d) {
    if (point_.tiling.at(place, d) > 1 && !carry(d, place, 1)) return false;
  }
  for (int i = 0; i < kAttempts; ++i) {
    const int dim = static_cast<int>(random.between(0, dims_ - 1));
    const Column before = column(dim);
    const std::int64_t left = left_at(place, dim);
    std::int64_t limit = std::min(left, most(place, dim));
    if (!is_axis(place)) limit = random.between(1, limit);
    const std::int64_t factor = largest(rule(place, dim).remainder, left, limit);
    if (!carry(dim, place, factor) || !fits(point_)) restore(dim, before);
  }
  return axes_are_legal() && fits(point_);
}

// Loops of memories move outwards, drawn at random, until all fits; false if that is not enough.
bool Moves::shrink(Random& random, const Fits& fits) {
  std::vector<std::pair<int, int>> loops;
  while (!fits(point_)) {
    loops.clear();
    for (const int p : place_of_memory_) {
      for (int d = 0; d < dims_; ++d) {
        if (p > sink(d) && point_.tiling.at(p, d) > rule(p, d).least) loops.emplace_back(p, d);
      }
    }
    if (loops.empty()) return false;
    const auto last = static_cast<std::int64_t>(loops.size()) - 1;
    const auto [place, dim] = loops[static_cast<std::size_t>(random.between(0, last))];
    const std::vector<std::int64_t>& smaller = divisors(point_.tiling.at(place, dim));
    if (!carry(dim, place, smaller[smaller.size() - 2])) return false;
  }
  return true;
}

Point Moves::shake(const Point& from, int changes, Random& random, const Fits& fits) {
  const auto draw = [&](std::size_t count) {
    return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(count) - 1));
  };
  Point at = from;
  for (int i = 0; i < changes; ++i) {
    point_ = at;
    bool done = false;
    if (random.one_in(4)) {
      const std::size_t m = draw(rules_.keeps.size());
      const TensorSet required = rules_.keeps[m].required;
      // Three of four are kept: that is mostly of use.
      const auto drawn = static_cast<TensorSet>((random.next() | random.next()) >> 32);
      const TensorSet kept = required | (drawn & rules_.keeps[m].allowed);
      done = set_keeps(m, kept) && shrink(random, fits) && axes_are_legal();
    } else {
      const bool axis = !axes_.empty() && !random.one_in(3);
      const std::vector<int>& places = axis ? axes_ : place_of_memory_;
      done = refill(places[draw(places.size())], random, fits);
    }
    if (done) at = point_;
  }
  return at;
}

Point Moves::trade(const Point& from, Random& random, const Fits& fits) {
  if (dims_ < 2) return from;
  const int one = static_cast<int>(random.between(0, dims_ - 1));
  const int other = (one + static_cast<int>(random.between(1, dims_ - 1))) % dims_;
  point_ = from;
  const Column columns[] = {column(one), column(other)};
  Column empty;
  empty.fill(1);
  restore(one, empty);
  restore(other, empty);
  const bool legal = fill(one, columns[1]) && fill(other, columns[0]);
  return legal && shrink(random, fits) && axes_are_legal() ? point_ : from;
}

Point Moves::cross(const Point& from, const Point& other, Random& random, const Fits& fits) {
  const int choices = dims_ + static_cast<int>(rules_.keeps.size());
  const int first = static_cast<int>(random.between(0, choices - 1));
  Point at = from;
  for (int i = 0; i < choices; ++i) {
    if (random.one_in(2)) continue;
    const int which = (first + i) % choices;
    point_ = at;
    bool legal = false;
    if (which < dims_) {
      for (int p = 0; p < places_; ++p) point_.tiling.at(p, which) = other.tiling.at(p, which);
      legal = chain_is_legal(which);
    } else {
      const auto memory = pos(which - dims_);
      legal = set_keeps(memory, other.keeps[memory]);
    }
    if (legal && axes_are_legal() && fits(point_)) at = point_;
  }
  return at;
}

}  // namespace tilewright
