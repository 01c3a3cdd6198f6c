// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/local/moves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/small_case.h"
#include "tilewright/mapspace/choices/orders.h"
#include "tilewright/mapspace/feasibility/feasible.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

// The places of search_test::gemm: DRAM, GLB, PE on X, RF; its dims and memories.
constexpr int kDram = 0, kGlb = 1, kX = 2, kRf = 3;
constexpr int kM = 0, kN = 1, kK = 2;

std::vector<NestNode> any_nest(const Rules& rules, const Point& point) {
  Orders orders(rules.places.size());
  for (std::size_t p = 0; p < orders.size(); ++p) {
    if (!rules.places[p].is_block()) continue;
    orders[p] = BlockOrders(rules.places[p], point.tiling.active(static_cast<int>(p))).unrank({});
  }
  std::vector<NestNode> nest;
  build_nest(rules, point.keeps, point.tiling, orders, nest);
  return nest;
}

// Neighbours of all kinds.
std::vector<Point> neighbours(Moves& moves, const Point& from) {
  std::vector<Point> found;
  const auto visit = [&](const Point& point) { found.push_back(point); };
  for (int d = 0; d < from.tiling.dims; ++d) moves.resplit(from, d, visit);
  moves.swap(from, visit);
  moves.exchange(from, visit);
  moves.bypass(from, visit);
  return found;
}

using Move = void (Moves::*)(const Point&, const Moves::Visit&);

std::vector<Point> neighbours_by(Move move, Moves& moves, const Point& from) {
  std::vector<Point> found;
  (moves.*move)(from, [&](const Point& point) { found.push_back(point); });
  return found;
}

Moves::Fits fits_in(const Problem& problem, const Rules& rules) {
  return [&](const Point& point) {
    return search_test::fits(problem, Mapping(any_nest(rules, point)));
  };
}

bool contains(const std::vector<Point>& points, const Point& point) {
  return std::ranges::find(points, point) != points.end();
}

Keeps all_keeps(const Rules& rules) {
  Keeps keeps;
  for (const KeepRule& keep : rules.keeps) keeps.push_back(keep.allowed);
  return keeps;
}

Point outermost(Moves& moves, const Rules& rules) {
  const std::optional<Point> point = moves.outermost(all_keeps(rules));
  EXPECT_TRUE(point);
  return *point;
}

TEST(Moves, StayInTheSpace) {
  std::uint64_t met = 0;
  std::uint64_t constrained = 0;
  for (std::uint64_t index = 0; index < 300; ++index) {
    SCOPED_TRACE(index);
    const testing::SmallCase given = testing::make_small_case(11, index);
    const Rules rules = make_rules(given.problem, given.kind, given.constraints);
    const auto witness = find_feasible(given.problem, rules);
    if (!witness) continue;
    const Mapspace space(given.problem, rules);
    const auto is_member = [&](const Point& point) {
      return space.contains(Mapping(any_nest(rules, point)));
    };
    Moves moves(given.problem, rules);
    Random random(index);
    Point at = moves.read(witness->nodes());
    EXPECT_TRUE(is_member(at));
    const std::optional<Point> outside = moves.outermost(all_keeps(rules));
    EXPECT_TRUE(!outside || is_member(*outside));
    for (int step = 0; step < 8; ++step) {
      const std::vector<Point> around = neighbours(moves, at);
      met += around.size();
      constrained += given.constraints.empty() ? 0 : around.size();
      for (const Point& next : around) ASSERT_TRUE(is_member(next));
      if (around.empty()) break;
      const auto which = random.between(0, static_cast<std::int64_t>(around.size()) - 1);
      at = moves.shake(around[static_cast<std::size_t>(which)], 2, random,
                       [](const Point&) { return true; });
      ASSERT_TRUE(is_member(at));
    }
  }
  EXPECT_GT(met, 20000U);
  EXPECT_GT(constrained, 5000U);
}

TEST(Moves, ReadWhatANestChooses) {
  const Problem problem = search_test::gemm(12, 10, 14, 600);
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  const Mapspace space(problem, rules);
  const Moves moves(problem, rules);
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Mapping mapping = space.sample(random);
    const Point point = moves.read(mapping.nodes());
    EXPECT_EQ(moves.read(any_nest(rules, point)), point);
    std::multiset<std::int64_t> factors;
    std::multiset<std::int64_t> expected;
    for (const NestNode& node : mapping.nodes()) {
      if (node.is_loop()) expected.insert(node.factor);
    }
    for (const std::int64_t factor : point.tiling.factors) {
      if (factor > 1) factors.insert(factor);
    }
    EXPECT_EQ(factors, expected);
  }
}

TEST(Moves, StartOutermost) {
  const Problem problem = search_test::gemm(12, 10, 7, 600);
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  Moves moves(problem, rules);
  const Point point = outermost(moves, rules);
  EXPECT_EQ(point.tiling.factors,
            (std::vector<std::int64_t>{12, 10, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  // As far out as a constraint allows.
  const std::vector<Constraint> inside = {
      {.kind = Constraint::Kind::kAtMost, .node = NodeId(0), .dim = DimId(kM), .value = 1},
      {.kind = Constraint::Kind::kAtLeast, .node = NodeId(3), .dim = DimId(kN), .value = 3}};
  const Rules tight = make_rules(problem, SpaceKind::kPfm, inside);
  Moves fewer(problem, tight);
  const Point moved = outermost(fewer, tight);
  EXPECT_EQ(moved.tiling.factors, (std::vector<std::int64_t>{1, 2, 7, 12, 1, 1, 1, 1, 1, 1, 5, 1}));
  EXPECT_FALSE(Moves(problem, make_rules(problem, SpaceKind::kPfm, search_test::impossible()))
                   .outermost(all_keeps(rules)));
}

TEST(Moves, FillAnAxis) {
  const Problem problem = search_test::gemm(10, 1, 8, 600);
  for (const SpaceKind kind : {SpaceKind::kPfm, SpaceKind::kRubyS}) {
    const Rules rules = make_rules(problem, kind, {});
    Moves moves(problem, rules);
    Point from = outermost(moves, rules);
    Point filled = from;  // 3 of 10 at a time leaves a remainder
    filled.tiling.at(kX, kM) = 3;
    filled.tiling.at(kDram, kM) = 4;
    EXPECT_EQ(contains(neighbours(moves, from), filled), kind == SpaceKind::kRubyS);
    filled.tiling.at(kX, kM) = 2;
    filled.tiling.at(kDram, kM) = 5;
    EXPECT_TRUE(contains(neighbours(moves, from), filled));
  }
}

TEST(Moves, SwapDimsOnAnAxis) {
  const Problem problem = search_test::gemm(9, 1, 6, 600);
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  Moves moves(problem, rules);
  Point from = outermost(moves, rules);
  from.tiling.at(kX, kM) = 3;
  from.tiling.at(kDram, kM) = 3;
  from.tiling.at(kGlb, kK) = 6;
  from.tiling.at(kDram, kK) = 1;
  Point swapped = from;
  swapped.tiling.at(kX, kM) = 1;
  swapped.tiling.at(kGlb, kM) = 3;
  swapped.tiling.at(kX, kK) = 3;
  swapped.tiling.at(kGlb, kK) = 2;
  const std::vector<Point> found = neighbours_by(&Moves::swap, moves, from);
  EXPECT_TRUE(contains(found, swapped));
}

TEST(Moves, SwapDimsBetweenFullAxes) {
  const Problem problem = search_test::gemm(8, 1, 8, 600, {{"X", 4}, {"Y", 4}});
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  Moves moves(problem, rules);
  Point from = outermost(moves, rules);
  from.tiling.at(kX, kM) = 4;
  from.tiling.at(kX + 1, kK) = 4;
  from.tiling.at(kDram, kM) = from.tiling.at(kDram, kK) = 2;
  Point swapped = from;
  swapped.tiling.at(kX, kM) = swapped.tiling.at(kX + 1, kM) = 2;
  swapped.tiling.at(kX, kK) = swapped.tiling.at(kX + 1, kK) = 2;
  const std::vector<Point> found = neighbours_by(&Moves::swap, moves, from);
  EXPECT_TRUE(contains(found, swapped));
}

TEST(Moves, ExchangeDimsOfTwoMemories) {
  const Problem problem = search_test::gemm(12, 1, 10, 600);
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  Moves moves(problem, rules);
  Point from = outermost(moves, rules);
  from.tiling.at(kGlb, kM) = 6;
  from.tiling.at(kDram, kM) = 2;
  Point exchanged = from;  // three less of m, five times as much of k
  exchanged.tiling.at(kGlb, kM) = 2;
  exchanged.tiling.at(kDram, kM) = 6;
  exchanged.tiling.at(kGlb, kK) = 5;
  exchanged.tiling.at(kDram, kK) = 2;
  const std::vector<Point> found = neighbours_by(&Moves::exchange, moves, from);
  EXPECT_TRUE(contains(found, exchanged));
}

TEST(Moves, ABypassedMemoryHasNoLoops) {
  const Problem problem = search_test::gemm(9, 4, 6, 600);
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  Moves moves(problem, rules);
  Point from = outermost(moves, rules);
  from.keeps[2] = only(TensorId(1));
  from.tiling.at(kRf, kM) = 3;
  from.tiling.at(kGlb, kM) = 3;
  from.tiling.at(kDram, kM) = 1;
  Point bypassed = from;
  bypassed.keeps[2] = 0;
  bypassed.tiling.at(kRf, kM) = 1;
  bypassed.tiling.at(kGlb, kM) = 9;
  const std::vector<Point> found = neighbours_by(&Moves::bypass, moves, from);
  EXPECT_TRUE(contains(found, bypassed));
  Point other = from;  // another tensor instead
  other.keeps[2] = only(TensorId(2));
  EXPECT_TRUE(contains(found, other));
}

TEST(Moves, AShakeFits) {
  const Problem problem = search_test::gemm(12, 10, 14, 600);
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  Moves moves(problem, rules);
  const Point first = outermost(moves, rules);
  Random random(5);
  const Moves::Fits fits = fits_in(problem, rules);
  std::set<std::vector<std::int64_t>> different;
  for (int i = 0; i < 50; ++i) {
    const Point shaken = moves.shake(first, 8, random, fits);
    EXPECT_TRUE(fits(shaken));
    different.insert(shaken.tiling.factors);
  }
  EXPECT_GT(different.size(), 15U);
}

TEST(Moves, AShakeMakesRoomForWhatIsKept) {
  const Problem problem = search_test::gemm(16, 1, 16, 200);
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  Moves moves(problem, rules);
  Point from = outermost(moves, rules);
  from.keeps[1] = only(TensorId(0));  // 128 bits of A in the buffer; those of Z have no room
  from.tiling.at(kGlb, kM) = 16;
  from.tiling.at(kDram, kM) = 1;
  const Moves::Fits fits = fits_in(problem, rules);
  ASSERT_TRUE(fits(from));
  Point more = from;
  more.keeps[1] = rules.keeps[1].allowed;
  ASSERT_FALSE(fits(more));
  Random random(1);
  int kept_more = 0;
  for (int i = 0; i < 100; ++i) {
    const Point shaken = moves.shake(from, 1, random, fits);
    EXPECT_TRUE(fits(shaken));
    kept_more += shaken.keeps[1] == more.keeps[1] ? 1 : 0;
  }
  EXPECT_GT(kept_more, 0);
}

TEST(Moves, ACrossTakesFromBoth) {
  const Problem problem = search_test::gemm(12, 10, 14, 600);
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  Moves moves(problem, rules);
  const Mapspace space(problem, rules);
  const Moves::Fits fits = fits_in(problem, rules);
  Random random(5);
  int mixed = 0;
  for (int i = 0; i < 50; ++i) {
    const Point one = moves.shake(outermost(moves, rules), 8, random, fits);
    const Point other = moves.shake(outermost(moves, rules), 8, random, fits);
    const Point child = moves.cross(one, other, random, fits);
    EXPECT_TRUE(fits(child));
    EXPECT_TRUE(space.contains(Mapping(any_nest(rules, child))));
    mixed += child != one && child != other ? 1 : 0;
  }
  EXPECT_GT(mixed, 20);
}

TEST(Moves, TwoDimsTradeTheirSplits) {
  const Problem problem = search_test::gemm(12, 18, 14, 100'000);
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  Moves moves(problem, rules);
  Point from = outermost(moves, rules);
  from.tiling.at(kGlb, kM) = 4;
  from.tiling.at(kDram, kM) = 3;
  from.tiling.at(kRf, kN) = 2;
  from.tiling.at(kDram, kN) = 9;
  Point wanted = outermost(moves, rules);
  wanted.tiling.at(kRf, kM) = 2;
  wanted.tiling.at(kDram, kM) = 6;
  wanted.tiling.at(kGlb, kN) = 3;  // 4 does not divide 18
  wanted.tiling.at(kDram, kN) = 6;
  const Mapspace space(problem, rules);
  const Moves::Fits fits = fits_in(problem, rules);
  ASSERT_TRUE(fits(from));
  Random random(5);
  int traded = 0;
  for (int i = 0; i < 50; ++i) {
    const Point found = moves.trade(from, random, fits);
    EXPECT_TRUE(fits(found));
    EXPECT_TRUE(space.contains(Mapping(any_nest(rules, found))));
    traded += found == wanted ? 1 : 0;
  }
  EXPECT_GT(traded, 5);
}

TEST(Moves, ATradeMakesRoom) {
  const Problem problem = search_test::gemm(12, 3, 14, 200);
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  Moves moves(problem, rules);
  const Moves::Fits fits = fits_in(problem, rules);
  Random random(5);
  int changed = 0;
  for (int i = 0; i < 50; ++i) {
    const Point from = moves.shake(outermost(moves, rules), 8, random, fits);
    const Point found = moves.trade(from, random, fits);
    EXPECT_TRUE(fits(found));
    changed += found != from ? 1 : 0;
  }
  EXPECT_GT(changed, 20);
}

TEST(Moves, RefuseADimThatIsTooLarge) {
  const Problem problem = search_test::gemm(std::int64_t{1} << 45, 1, 1, 600);
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  EXPECT_THROW(Moves(problem, rules), OverflowError);
}

}  // namespace
}  // namespace tilewright
