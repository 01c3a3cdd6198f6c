// SPDX-License-Identifier: Apache-2.0
// Along each dim of the rank, the tiles that one event hands out together form a lane: some full
// tiles at equal distances and perhaps a shorter last one. There are at most four kinds of lanes
// per dim, so a sum over all events is a sum over at most sixteen pairs of lanes, each in closed
// form. Where a form is not closed (three terms, loops that interleave, gaps), values are marked
// one by one.
#include "tilewright/model/affine.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tilewright {
namespace {

// `full` tiles of the steady extent, then one of extent `edge` if that is not 0; in `events`
// events.
struct Lane {
  std::int64_t events = 0;
  std::int64_t full = 0;
  std::int64_t edge = 0;

  std::int64_t tiles() const { return full + (edge != 0); }
};

struct Lanes {
  std::int64_t tile = 1;     // extent of a full tile
  std::int64_t spacing = 1;  // from one tile of a lane to the next
  std::array<Lane, 4> lane;
};

struct PrefixCount {
  std::int64_t total = 0;
  bool with_last = false;  // the very last index is among them
};

// Indices below `end` of the loops `slots` whose digits in `zero` are 0.
PrefixCount count_prefix(Slots slots, std::int64_t end, LoopSet zero) {
  if (end == 0) return {};
  std::int64_t full = 1;
  std::int64_t last = 1;
  bool with_last = true;
  for (const Slot& slot : slots) {
    const std::int64_t next = ceil_div(end, slot.factor);
    const std::int64_t rest = end - (next - 1) * slot.factor;
    if (slot.in(zero)) {
      if (rest > 1) {
        last = full;
        with_last = false;
      }
    } else {
      last += (rest - 1) * full;
      full *= slot.factor;
    }
    end = next;
  }
  return {last, with_last};
}

std::int64_t count_at(Slots slots) { return slots.empty() ? 1 : slots.front().count; }

// Fills in `lanes`; false if the merged loops do not stand together, so that there are no lanes.
// Loops inside the merged ones step through the tiles of one column, those outside through passes.
bool make_lanes(const TermView& term, LoopSet merged, LoopSet zero, Lanes& lanes) {
  const Slots slots = term.slots;
  std::size_t first = 0;
  while (first < slots.size() && !slots[first].in(merged)) ++first;
  std::size_t end = slots.size();
  if (first == slots.size()) {
    first = end = 0;
  } else {
    while (!slots[end - 1].in(merged)) --end;
  }
  std::int64_t inner = 1;
  std::int64_t side = 1;
  for (std::size_t i = 0; i < first; ++i) inner *= slots[i].factor;
  for (std::size_t i = first; i < end; ++i) {
    if (!slots[i].in(merged) && slots[i].factor > 1) return false;
    side *= slots[i].factor;
  }
  const std::int64_t tiles = count_at(slots);
  const std::int64_t edge = term.size - (tiles - 1) * term.tile;
  const std::int64_t passes = end < slots.size() ? slots[end].count : 1;
  const std::int64_t left = tiles - (passes - 1) * inner * side;  // tiles of the last pass
  const std::int64_t columns = inner == 1 ? left : ceil_div(left, inner);
  const std::int64_t in_last_column = left - (columns - 1) * inner;

  std::int64_t all_passes = passes;
  std::int64_t last = 1;
  std::int64_t all = inner;
  std::int64_t before_edge = in_last_column - 1;
  std::int64_t up_to_edge = in_last_column;
  if (zero != 0) {
    const PrefixCount outer = count_prefix(slots.subspan(end), passes, zero);
    all_passes = outer.total;
    last = outer.with_last ? 1 : 0;
    const Slots column = slots.first(first);
    all = count_prefix(column, inner, zero).total;
    before_edge = count_prefix(column, in_last_column - 1, zero).total;
    up_to_edge = count_prefix(column, in_last_column, zero).total;
  }
  lanes.tile = term.tile;
  lanes.spacing = term.tile * inner;
  lanes.lane[0] = {(all_passes - last) * all, side, 0};
  lanes.lane[1] = {last * before_edge, columns, 0};
  lanes.lane[2] = {last * (up_to_edge - before_edge), columns - 1, edge};
  lanes.lane[3] = {columns > 1 ? last * (all - up_to_edge) : 0, columns - 1, 0};
  if (edge == term.tile) lanes.lane[2] = {lanes.lane[2].events, columns, 0};
  return true;
}

// What a tile of extents A x B counts for.
enum class Part {
  kAll,     // all its elements
  kShared,  // those that the tile before it had as well
  kFresh,   // those that it had not
};

struct TileValue {
  const RankForm& form;
  Part part;
  std::int64_t before;  // extent of the tile before, along the first term
  std::int64_t step;    // from it to this one

  std::int64_t size(std::int64_t A, std::int64_t B) const { return footprint(form, A, B); }
  std::int64_t operator()(std::int64_t A, std::int64_t B) const {
    if (part == Part::kAll) return size(A, B);
    const std::int64_t shared = shared_elements(form, before, step, A, B);
    return part == Part::kShared ? shared : size(A, B) - shared;
  }
};

// sum + times * value. Only holes that count as data can make it overflow.
std::int64_t add_product(std::int64_t sum, std::int64_t times, std::int64_t value) {
  return checked_add(sum, checked_mul(times, value));
}

// (10) `equal`: tiles at the same place with the same elements count once. Places coincide like the
// sums of two arithmetic progressions; a shorter tile equals another one only if one is short along
// the first dim, the other along the second, and both stick out equally far.
std::int64_t sum_equal(const RankForm& form, const Lanes& first, const Lane& a, const Lanes& second,
                       const Lane& b, const TileValue& value) {
  const std::int64_t A = first.tile;
  const std::int64_t B = second.tile;
  if (a.tiles() == 1 || b.tiles() == 1) {  // nothing can coincide
    std::int64_t sum = 0;
    if (a.full > 0 && b.full > 0) sum = checked_mul(a.full * b.full, value(A, B));
    if (a.edge > 0 && b.full > 0) sum = add_product(sum, b.full, value(a.edge, B));
    if (b.edge > 0 && a.full > 0) sum = add_product(sum, a.full, value(A, b.edge));
    if (a.edge > 0 && b.edge > 0) sum = checked_add(sum, value(a.edge, b.edge));
    return sum;
  }
  const std::int64_t m = magnitude(form.terms[0].coefficient);
  const std::int64_t n = magnitude(form.terms[1].coefficient);
  const std::int64_t common = gcd(m * first.spacing, n * second.spacing);
  const std::int64_t da = m * first.spacing / common;
  const std::int64_t db = n * second.spacing / common;
  std::int64_t sum = checked_mul(distinct_sums(da, db, a.full, b.full), value(A, B));
  if (a.edge > 0) sum = add_product(sum, b.full, value(a.edge, B));
  if (b.edge > 0) sum = add_product(sum, a.full, value(A, b.edge));
  if (a.edge > 0 && b.edge > 0) {
    sum = checked_add(sum, value(a.edge, b.edge));
    const bool same_direction = (form.terms[0].coefficient < 0) == (form.terms[1].coefficient < 0);
    const bool alike = same_direction && m * (A - a.edge) == n * (B - b.edge) &&
                       value.size(a.edge, B) == value.size(A, b.edge);
    // Served together: what either receives is read once, so only what both have had is saved.
    if (alike) {
      sum -= std::min(a.full / db, b.full / da) * std::max(value(a.edge, B), value(A, b.edge));
    }
  }
  return sum;
}

// True if every tile of these extents is a run of values without gaps.
bool gapless(const RankForm& form, std::int64_t A, std::int64_t B) {
  if (form.holes_are_data) return true;
  const std::int64_t m = magnitude(form.terms[0].coefficient);
  const std::int64_t n = form.terms.size() > 1 ? magnitude(form.terms[1].coefficient) : 1;
  if (A == 1) return B == 1 || n == 1;
  if (B == 1) return m == 1;
  return (m == 1 && A >= n) || (n == 1 && B >= m);
}

// Length of the union of `full` runs of length `run`, `spacing` apart, repeated `rows` times,
// `row_spacing` apart; nothing if that has no simple form.
std::optional<std::int64_t> union_of_runs(std::int64_t run, std::int64_t full, std::int64_t spacing,
                                          std::int64_t rows, std::int64_t row_spacing) {
  if (spacing > row_spacing) {
    std::swap(spacing, row_spacing);
    std::swap(full, rows);
  }
  if (full == 1) return (rows - 1) * std::min(row_spacing, run) + run;
  if (spacing > run) {
    if (rows == 1) return full * run;
    return std::nullopt;
  }
  const std::int64_t row = (full - 1) * spacing + run;
  return (rows - 1) * std::min(row_spacing, row) + row;
}

// (10) `overlap`: each element once. Nothing if that has no simple form here.
std::optional<std::int64_t> sum_union(const RankForm& form, const Lanes& first, const Lane& a,
                                      const Lanes& second, const Lane& b, const TileValue& value) {
  if (a.tiles() == 0 || b.tiles() == 0) return 0;
  if (a.tiles() == 1 && b.tiles() == 1) {
    return value(a.full > 0 ? first.tile : a.edge, b.full > 0 ? second.tile : b.edge);
  }
  const bool no_gaps = (a.tiles() == 1 || first.spacing == first.tile) &&
                       (b.tiles() == 1 || second.spacing == second.tile);
  if (value.part == Part::kAll && !form.holes_are_data && no_gaps) {
    return value.size(a.full * first.tile + a.edge, b.full * second.tile + b.edge);
  }
  if (a.edge != 0 || b.edge != 0 || !gapless(form, first.tile, second.tile)) return std::nullopt;
  if (value.part != Part::kAll && !gapless(form, value.before, second.tile)) return std::nullopt;
  const std::int64_t run = value(first.tile, second.tile);
  if (run == 0) return 0;
  const std::int64_t n = form.terms.size() > 1 ? magnitude(form.terms[1].coefficient) : 1;
  return union_of_runs(run, a.full, magnitude(form.terms[0].coefficient) * first.spacing, b.full,
                       n * second.spacing);
}

// ---- The general way: every tile looked at, every value marked. ----

struct Piece {
  std::int64_t start = 0;
  std::int64_t extent = 1;
  auto operator<=>(const Piece&) const = default;
};
using Group = std::vector<Piece>;  // tiles of one event along one dim, relative to the first

// How often each kind of group occurs among the events with the `zero` digits at 0 and, if
// `advancing` is not empty, its digit not at 0.
std::map<Group, std::int64_t> find_groups(const TermView& term, const LoopParts& parts,
                                          LoopSet zero, LoopSet advancing) {
  constexpr std::int64_t kMostTiles = std::int64_t{1} << 22;
  const std::int64_t tiles = count_at(term.slots);
  if (tiles > kMostTiles) {
    throw OverflowError("an affine subscript has too many tiles to be counted one by one");
  }
  std::map<std::int64_t, Group> events;
  for (std::int64_t j = 0; j < tiles; ++j) {
    std::int64_t event = 0;
    std::int64_t left = j;
    std::int64_t unit = 1;
    bool wanted = true;
    for (const Slot& slot : term.slots) {
      const std::int64_t digit = left % slot.factor;
      left /= slot.factor;
      if (digit != 0 && slot.in(zero | parts.fixed)) wanted = false;
      if (digit == 0 && slot.in(advancing)) wanted = false;
      if (!slot.in(parts.merged)) event += digit * unit;
      unit *= slot.factor;
    }
    if (!wanted) continue;
    events[event].push_back({j * term.tile, std::min(term.tile, term.size - j * term.tile)});
  }
  std::map<Group, std::int64_t> kinds;
  for (auto& [event, group] : events) {
    const std::int64_t origin = group.front().start;
    for (Piece& piece : group) piece.start -= origin;
    ++kinds[group];
  }
  return kinds;
}

// What one event moves, given its tiles along every dim.
std::int64_t count_marked(const RankForm& form, std::span<const Group* const> groups,
                          Sharing sharing, const Slide* slide, std::int64_t before) {
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::int64_t c = form.terms[i].coefficient;
    const Piece& last = groups[i]->back();
    const std::int64_t back = i == 0 && slide != nullptr ? slide->step : 0;
    const std::int64_t from = -c * back;
    const std::int64_t to = c * (last.start + last.extent - 1 + (back > 0 ? before : 0));
    low += std::min({from, to, std::int64_t{0}});
    high += std::max({from, to, std::int64_t{0}});
  }
  ValueSet all(low, high);
  std::vector<std::pair<ValueSet, ValueSet>> seen;
  std::vector<std::size_t> index(groups.size(), 0);
  std::vector<std::int64_t> starts(groups.size());
  std::vector<std::int64_t> extents(groups.size());
  while (true) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      starts[i] = (*groups[i])[index[i]].start;
      extents[i] = (*groups[i])[index[i]].extent;
    }
    ValueSet tile(low, high);
    tile.mark(form, starts, extents);
    ValueSet fresh = tile;
    if (slide != nullptr) {
      ValueSet earlier(low, high);
      starts[0] -= slide->step;
      extents[0] = before;
      earlier.mark(form, starts, extents);
      fresh.remove(earlier);
    }
    if (sharing == Sharing::kUnion) {
      all.merge(fresh);
    } else {
      auto same = std::ranges::find(seen, tile, &std::pair<ValueSet, ValueSet>::first);
      if (same == seen.end()) {
        seen.emplace_back(std::move(tile), std::move(fresh));
      } else {
        same->second.merge(fresh);
      }
    }
    std::size_t i = 0;
    while (i < index.size() && ++index[i] == groups[i]->size()) index[i++] = 0;
    if (i == index.size()) break;
  }
  if (sharing == Sharing::kUnion) return all.size();
  std::int64_t sum = 0;
  for (const auto& [tile, fresh] : seen) sum += fresh.size();
  return sum;
}

std::int64_t sum_by_marking(const RankForm& form, std::span<const TermView> terms,
                            const LoopParts& parts, Sharing sharing, LoopSet zero,
                            LoopSet advancing, const Slide* slide) {
  std::vector<std::map<Group, std::int64_t>> kinds;
  for (const TermView& term : terms) {
    // Only the dim that moves has the advancing loop; for the others every event counts.
    const bool moves =
        std::ranges::any_of(term.slots, [&](const Slot& s) { return s.in(advancing); });
    kinds.push_back(find_groups(term, parts, zero, moves ? advancing : 0));
  }
  std::int64_t sum = 0;
  std::vector<std::map<Group, std::int64_t>::const_iterator> at;
  for (const auto& kind : kinds) {
    if (kind.empty()) return 0;
    at.push_back(kind.begin());
  }
  std::vector<const Group*> groups(kinds.size());
  while (true) {
    std::int64_t events = 1;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      groups[i] = &at[i]->first;
      events = checked_mul(events, at[i]->second);
    }
    const std::int64_t moved = count_marked(form, groups, sharing, slide, terms.front().tile);
    sum = checked_add(sum, checked_mul(events, moved));
    std::size_t i = 0;
    for (; i < kinds.size(); ++i) {
      if (++at[i] != kinds[i].end()) break;
      at[i] = kinds[i].begin();
    }
    if (i == kinds.size()) return sum;
  }
}

// A rank with one term is a rank with two, the second of size 1.
const TermView kNoTerm;

// n - 1 tiles of the steady extent along a dim, then one of extent `edge`.
struct Tiles {
  std::int64_t steady = 0;
  std::int64_t tile = 1;
  std::int64_t edge = 1;

  explicit Tiles(const TermView& term)
      : steady(count_at(term.slots) - 1), tile(term.tile), edge(term.size - steady * term.tile) {
    if (edge == tile) steady = 0, count_ = count_at(term.slots);
  }
  // Sum of value(extent) over them, in as few calls as there are extents.
  template <typename Value>
  std::int64_t sum(const Value& value) const {
    const std::int64_t last = checked_mul(count_, value(edge));
    return steady == 0 ? last : add_product(last, steady, value(tile));
  }

 private:
  std::int64_t count_ = 1;  // tiles of extent `edge`
};

// Every event hands out one tile: (9) as it stands.
std::int64_t sum_single(const RankForm& form, const TermView& p, const TermView& r) {
  const Tiles first(p);
  const Tiles second(r);
  return first.sum([&](std::int64_t A) {
    return second.sum([&](std::int64_t B) { return footprint(form, A, B); });
  });
}

// (13) summed likewise, where what two tiles share does not depend on the later one's extent along
// the first term.
std::int64_t share_single(const RankForm& form, const TermView& p, const TermView& r, LoopSet zero,
                          LoopSet advancing, Slide slide) {
  const std::int64_t shared = Tiles(r).sum(
      [&](std::int64_t B) { return shared_elements(form, p.tile, slide.step, p.tile, B); });
  if (shared == 0) return 0;
  const std::int64_t advances =
      count_events(p.slots, zero) - count_events(p.slots, zero | advancing);
  return checked_mul(advances, shared);
}

}  // namespace

std::int64_t RankSum::mark_all(LoopSet zero, LoopSet advancing, const Slide* slide) const {
  return sum_by_marking(form_, terms_, parts_, sharing_, zero, advancing, slide);
}

std::int64_t RankSum::whole() const {
  if (terms_.size() > 2) return mark_all(0, 0, nullptr);
  const TermView& second = terms_.size() > 1 ? terms_[1] : kNoTerm;
  if (single()) return sum_single(form_, terms_[0], second);
  const auto sum = sum_lanes(0, 0, TileValue{form_, Part::kAll, 0, 0});
  return sum ? *sum : mark_all(0, 0, nullptr);
}

// Sums over pairs of lanes; nothing if that is not possible.
template <typename Value>
std::optional<std::int64_t> RankSum::sum_lanes(LoopSet zero, LoopSet advancing,
                                               const Value& value) const {
  const LoopSet held = parts_.fixed | zero;
  Lanes first, second;
  if (!make_lanes(terms_[0], parts_.merged, held, first)) return std::nullopt;
  if (!make_lanes(terms_.size() > 1 ? terms_[1] : kNoTerm, parts_.merged, held, second)) {
    return std::nullopt;
  }
  if (advancing != 0) {
    Lanes still;
    make_lanes(terms_[0], parts_.merged, held | advancing, still);
    for (std::size_t i = 0; i < first.lane.size(); ++i)
      first.lane[i].events -= still.lane[i].events;
  }
  std::int64_t total = 0;
  for (const Lane& a : first.lane) {
    if (a.events == 0) continue;
    for (const Lane& b : second.lane) {
      if (b.events == 0) continue;
      std::int64_t moved = 0;
      if (sharing_ == Sharing::kUnion) {
        const auto joined = sum_union(form_, first, a, second, b, value);
        if (!joined) return std::nullopt;
        moved = *joined;
      } else {
        moved = sum_equal(form_, first, a, second, b, value);
      }
      total = checked_add(total, checked_mul(checked_mul(a.events, b.events), moved));
    }
  }
  return total;
}

std::int64_t RankSum::saved(LoopSet zero, LoopSet advancing, Slide slide) const {
  const auto marked = [&] {
    return mark_all(zero, advancing, nullptr) - mark_all(zero, advancing, &slide);
  };
  if (terms_.size() > 2) return marked();
  const TermView& second = terms_.size() > 1 ? terms_[1] : kNoTerm;
  const bool dilated = terms_.size() > 1 && magnitude(form_.terms[1].coefficient) != 1;
  if (single() && (form_.holes_are_data || !dilated)) {
    return share_single(form_, terms_[0], second, zero, advancing, slide);
  }
  const std::int64_t before = terms_[0].tile;
  if (sharing_ == Sharing::kEqual) {
    const auto shared =
        sum_lanes(zero, advancing, TileValue{form_, Part::kShared, before, slide.step});
    return shared ? *shared : marked();
  }
  const auto all = sum_lanes(zero, advancing, TileValue{form_, Part::kAll, before, slide.step});
  const auto fresh = sum_lanes(zero, advancing, TileValue{form_, Part::kFresh, before, slide.step});
  return all && fresh ? *all - *fresh : marked();
}

}  // namespace tilewright
