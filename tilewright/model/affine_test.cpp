// SPDX-License-Identifier: Apache-2.0
// Every sum is compared with one over all tiles, each of them a set of values.
#include "tilewright/model/affine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/base/random.h"

namespace tilewright {
namespace {

using Values = std::set<std::int64_t>;

// One dim of the rank with its loops, innermost first.
struct Line {
  std::int64_t coefficient = 1;
  std::int64_t size = 1;
  std::int64_t tile = 1;
  std::vector<Slot> slots;
};

// `factors` innermost first; they must cover the tiles. Loops are numbered from `first_loop`.
Line make_line(std::int64_t coefficient, std::int64_t size, std::int64_t tile,
               const std::vector<std::int64_t>& factors, int first_loop) {
  Line line{coefficient, size, tile, {}};
  std::int64_t left = ceil_div(size, tile);
  std::int64_t inside = tile;
  for (const std::int64_t factor : factors) {
    const std::int64_t next = ceil_div(left, factor);
    line.slots.push_back({factor, left, left - (next - 1) * factor, first_loop++, inside});
    inside = std::min(size, inside * factor);
    left = next;
  }
  EXPECT_EQ(left, 1);
  return line;
}

struct Sum {
  std::vector<Line> lines;
  LoopParts parts;
  Sharing sharing = Sharing::kEqual;
  bool holes_are_data = false;
  LoopSet zero = 0;
  LoopSet advancing = 0;
  std::int64_t step = 0;

  RankForm form() const {
    RankForm result;
    result.holes_are_data = holes_are_data;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      result.terms.push_back({DimId(i), lines[i].coefficient});
    }
    return result;
  }

  // whole() and saved(), the latter 0 if nothing advances.
  std::pair<std::int64_t, std::int64_t> counted() const {
    const RankForm rank = form();
    std::vector<TermView> views;
    for (const Line& line : lines) views.push_back({line.slots, line.size, line.tile});
    const RankSum sum(rank, views, parts, sharing);
    return {sum.whole(), advancing == 0 ? 0 : sum.saved(zero, advancing, {step})};
  }
};

// ---- One by one ----

struct Tile {
  std::int64_t start = 0;
  std::int64_t extent = 1;
  std::vector<std::int64_t> event;  // digits of the loops that are not merged
  bool slid = false;                // the zero loops are at 0 and the advancing one is not
};

std::vector<Tile> list_tiles(const Line& line, const Sum& sum, bool first) {
  std::vector<Tile> tiles;
  for (std::int64_t j = 0; j * line.tile < line.size; ++j) {
    Tile tile{j * line.tile, std::min(line.tile, line.size - j * line.tile), {}, true};
    bool exists = true;
    std::int64_t left = j;
    for (const Slot& slot : line.slots) {
      const std::int64_t digit = left % slot.factor;
      left /= slot.factor;
      if (slot.in(sum.parts.fixed) && digit != 0) exists = false;
      if (!slot.in(sum.parts.merged)) tile.event.push_back(digit);
      if (first && slot.in(sum.zero) && digit != 0) tile.slid = false;
      if (first && slot.in(sum.advancing) && digit == 0) tile.slid = false;
    }
    if (exists) tiles.push_back(std::move(tile));
  }
  return tiles;
}

Values values_of(const Sum& sum, const std::vector<Tile>& tile) {
  Values values{0};
  for (std::size_t i = 0; i < tile.size(); ++i) {
    Values next;
    for (const std::int64_t v : values) {
      for (std::int64_t x = 0; x < tile[i].extent; ++x) {
        next.insert(v + sum.lines[i].coefficient * (tile[i].start + x));
      }
    }
    values = std::move(next);
  }
  if (!sum.holes_are_data) return values;
  Values box;
  for (std::int64_t v = *values.begin(); v <= *values.rbegin(); ++v) box.insert(v);
  return box;
}

// What one event hands out: each tile, and what of it is sent.
std::int64_t hand_out(const std::vector<std::pair<Values, Values>>& tiles, Sharing sharing) {
  std::map<Values, Values> sent;
  for (const auto& [tile, elements] : tiles) {
    Values& all = sent[sharing == Sharing::kEqual ? tile : Values{}];
    all.insert(elements.begin(), elements.end());
  }
  std::int64_t sum = 0;
  for (const auto& [tile, elements] : sent) sum += static_cast<std::int64_t>(elements.size());
  return sum;
}

std::pair<std::int64_t, std::int64_t> enumerated(const Sum& sum) {
  std::vector<std::vector<Tile>> lists;
  for (std::size_t i = 0; i < sum.lines.size(); ++i) {
    lists.push_back(list_tiles(sum.lines[i], sum, i == 0));
  }
  struct Event {
    std::vector<std::pair<Values, Values>> whole;
    std::vector<std::pair<Values, Values>> fresh;
  };
  std::map<std::vector<std::int64_t>, Event> events;
  std::vector<std::size_t> at(lists.size(), 0);
  while (true) {
    std::vector<Tile> tile;
    std::vector<std::int64_t> key;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      tile.push_back(lists[i][at[i]]);
      key.insert(key.end(), tile.back().event.begin(), tile.back().event.end());
    }
    const Values values = values_of(sum, tile);
    Event& event = events[key];
    event.whole.emplace_back(values, values);
    if (sum.advancing != 0 && tile.front().slid) {
      tile.front().start -= sum.step;
      tile.front().extent = sum.lines.front().tile;
      Values fresh = values;
      for (const std::int64_t v : values_of(sum, tile)) fresh.erase(v);
      event.fresh.emplace_back(values, std::move(fresh));
    }
    std::size_t i = 0;
    while (i < at.size() && ++at[i] == lists[i].size()) at[i++] = 0;
    if (i == at.size()) break;
  }
  std::int64_t whole = 0;
  std::int64_t saved = 0;
  for (const auto& [key, event] : events) {
    whole += hand_out(event.whole, sum.sharing);
    if (event.fresh.empty()) continue;
    std::vector<std::pair<Values, Values>> tiles = event.fresh;
    for (auto& [tile, fresh] : tiles) fresh = tile;
    saved += hand_out(tiles, sum.sharing) - hand_out(event.fresh, sum.sharing);
  }
  return {whole, saved};
}

// ---- Random ranks ----

Line random_line(Random& random, std::int64_t most, int first_loop) {
  const std::int64_t size = random.between(1, most);
  const std::int64_t tile = random.between(1, std::min<std::int64_t>(size, 4));
  std::vector<std::int64_t> factors;
  std::int64_t left = ceil_div(size, tile);
  while (left > 1) {
    const std::int64_t factor = random.one_in(3) ? left : random.between(1, left);
    factors.push_back(factor);
    left = ceil_div(left, factor);
  }
  std::int64_t coefficient = random.one_in(2) ? 1 : random.between(1, 4);
  if (random.one_in(4)) coefficient = -coefficient;
  return make_line(coefficient, size, tile, factors, first_loop);
}

Sum random_sum(Random& random, std::size_t terms) {
  Sum sum;
  sum.holes_are_data = terms == 1 || random.one_in(4);
  std::int64_t divisor = 0;
  for (std::size_t i = 0; i < terms; ++i) {
    sum.lines.push_back(random_line(random, terms > 2 ? 7 : 14, static_cast<int>(i) * 8));
    divisor = gcd(divisor, sum.lines.back().coefficient);
  }
  if (!sum.holes_are_data) {
    for (Line& line : sum.lines) line.coefficient /= divisor;
  }
  sum.sharing = random.one_in(2) ? Sharing::kEqual : Sharing::kUnion;
  // Some loops of the first dim, next to each other, slide; any other may be merged or fixed.
  const std::vector<Slot>& slots = sum.lines.front().slots;
  LoopSet sweep = 0;
  if (!slots.empty() && random.one_in(2)) {
    const auto last = static_cast<std::int64_t>(slots.size()) - 1;
    const auto from = static_cast<std::size_t>(random.between(0, last));
    const auto to = static_cast<std::size_t>(random.between(static_cast<std::int64_t>(from), last));
    for (std::size_t i = from; i <= to; ++i) {
      sum.zero |= sum.advancing;
      sum.advancing = LoopSet{1} << slots[i].loop;
      sweep |= sum.advancing;
    }
    sum.step = slots[from].tile;
  }
  const bool fixes = random.one_in(4);
  for (const Line& line : sum.lines) {
    for (const Slot& slot : line.slots) {
      const LoopSet bit = LoopSet{1} << slot.loop;
      if ((bit & sweep) != 0) continue;
      if (random.one_in(2)) {
        sum.parts.merged |= bit;
      } else if (fixes && random.one_in(2)) {
        sum.parts.fixed |= bit;
      }
    }
  }
  return sum;
}

std::string describe(const Sum& sum) {
  std::string text = sum.sharing == Sharing::kEqual ? "equal" : "union";
  if (sum.holes_are_data) text += ", holes";
  for (const Line& line : sum.lines) {
    text += "; " + std::to_string(line.coefficient) + " * " + std::to_string(line.size) + " by " +
            std::to_string(line.tile) + ":";
    for (const Slot& slot : line.slots) {
      text += " " + std::to_string(slot.factor);
      if (slot.in(sum.parts.merged)) text += "m";
      if (slot.in(sum.parts.fixed)) text += "f";
      if (slot.in(sum.zero)) text += "z";
      if (slot.in(sum.advancing)) text += "a";
    }
  }
  return text;
}

void compare(std::size_t terms, int cases) {
  Random random(terms);
  for (int i = 0; i < cases; ++i) {
    const Sum sum = random_sum(random, terms);
    ASSERT_EQ(sum.counted(), enumerated(sum)) << "case " << i << ": " << describe(sum);
  }
}

TEST(RankSum, OneTermEqualsEnumeration) { compare(1, 1000); }
TEST(RankSum, TwoTermsEqualEnumeration) { compare(2, 6000); }
TEST(RankSum, ThreeTermsEqualEnumeration) { compare(3, 300); }

TEST(RankSum, CountsOneTilePerEventByDefault) {
  // p = 7 as 4 x 2, r = 3 in the tile: 4 + 4 + 4 + 3.
  Sum sum;
  sum.lines = {make_line(1, 7, 2, {4}, 0), make_line(1, 3, 3, {}, 8)};
  EXPECT_EQ(sum.counted().first, 15);
  // Side by side: none is like another, but all touch 0..8.
  sum.parts.merged = 1;
  EXPECT_EQ(sum.counted().first, 15);
  sum.sharing = Sharing::kUnion;
  EXPECT_EQ(sum.counted().first, 9);
  // In time: each step brings two elements, the last one.
  sum.parts.merged = 0;
  sum.advancing = 1;
  sum.step = 2;
  EXPECT_EQ(sum.counted().second, 15 - (4 + 2 + 2 + 1));
}

TEST(RankSum, EqualTilesThatSlidInFromDifferentOnes) {
  // p = 10 as 2 in space x 2 in time x 3, r = 7 as 3 in space x 3, as in walk_test.cpp.
  Sum sum;
  sum.lines = {make_line(1, 10, 3, {2, 2}, 0), make_line(1, 7, 3, {3}, 8)};
  sum.parts.merged = 0b10 | 1 << 8;
  sum.advancing = 1;
  sum.step = 3;
  const std::int64_t first = 5 + 5 + 3 + 5 + 5 + 3;
  const std::int64_t second = 5 + 5 + 3 + 3 + 1;  // 9..11 is there twice
  EXPECT_EQ(sum.counted().first, first + second);
  EXPECT_EQ(sum.counted().second, second - (3 + 3 + 3 + 1 + 1));
  // A third term of one element makes no difference but the way it is counted.
  sum.lines.push_back(make_line(100, 1, 1, {}, 16));
  EXPECT_EQ(sum.counted().first, first + second);
  EXPECT_EQ(sum.counted().second, second - (3 + 3 + 3 + 1 + 1));
}

TEST(RankSum, TooManyTilesAreNotCountedOneByOne) {
  Sum sum;
  const std::int64_t many = std::int64_t{1} << 23;
  sum.lines = {make_line(1, many, 1, {many}, 0), make_line(2, 2, 1, {2}, 8),
               make_line(3, 2, 1, {2}, 16)};
  EXPECT_THROW(sum.counted(), OverflowError);
}

}  // namespace
}  // namespace tilewright
