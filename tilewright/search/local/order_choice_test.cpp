// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/local/order_choice.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/support/random_case.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
using Effort = OrderChoice::Effort;

// The least score over all orders of all blocks; nothing if there is one or too many to try.
std::optional<double> best_by_trying(const Rules& rules, const Point& point, Scorer& scorer) {
  std::vector<std::vector<std::vector<DimId>>> all(rules.places.size());
  std::size_t combinations = 1;
  for (std::size_t p = 0; p < all.size(); ++p) {
    all[p] = {{}};
    if (rules.places[p].is_block()) {
      all[p] = BlockOrders(rules.places[p], point.tiling.active(static_cast<int>(p))).all();
    }
    combinations *= all[p].size();
  }
  if (combinations == 1 || combinations > 1000) return std::nullopt;
  double best = kNever;
  Orders orders(all.size());
  std::vector<NestNode> nest;
  const std::function<void(std::size_t)> go = [&](std::size_t p) {
    if (p == all.size()) {
      build_nest(rules, point.keeps, point.tiling, orders, nest);
      best = std::min(best, scorer.score(nest).score);
      return;
    }
    for (const std::vector<DimId>& order : all[p]) {
      orders[p] = order;
      go(p + 1);
    }
  };
  go(0);
  return best;
}

TEST(OrderChoice, IsMostlyTheBest) {
  int tried = 0;
  int best = 0;
  for (std::uint64_t index = 0; index < 400; ++index) {
    SCOPED_TRACE(index);
    const testing::RandomCase given = testing::make_case(21, index);
    SearchOptions options;
    const Rules rules = make_rules(given.problem, SpaceKind::kRuby, {});
    Scorer scorer(given.problem, options);
    OrderChoice choice(given.problem, rules, scorer);
    Moves moves(given.problem, rules);
    Keeps keeps;
    for (const KeepRule& keep : rules.keeps) keeps.push_back(keep.allowed);
    const std::optional<Point> first = moves.outermost(keeps);
    ASSERT_TRUE(first);
    Random random(index);
    const Point point = moves.shake(*first, 12, random, [](const Point&) { return true; });
    SearchResult tally;
    const std::optional<Worth> worth = choice.choose(point, Effort::kAll, kNever, tally);
    ASSERT_EQ(worth.has_value(), choice.fits(point));
    if (!worth) {
      EXPECT_EQ(tally.too_large, 1U);
      continue;
    }
    EXPECT_EQ(moves.read(choice.nest(point)), point);
    EXPECT_EQ(scorer.score(choice.nest(point)).score, worth->score);
    const std::optional<double> least = best_by_trying(rules, point, scorer);
    if (!least) continue;
    EXPECT_GE(worth->score, *least * (1 - 1e-12));
    ++tried;
    best += worth->score <= *least * (1 + 1e-12) ? 1 : 0;
  }
  std::printf("orders: the best of all in %d of %d tilings\n", best, tried);
  EXPECT_GE(tried, 100);
  EXPECT_GE(best, tried * 97 / 100);  // measured: all of them
}

TEST(OrderChoice, TriesAnOrderOnceUnlessAsked) {
  const Problem problem = search_test::gemm(12, 10, 14, 600);
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  const SearchOptions options;
  Scorer scorer(problem, options);
  OrderChoice choice(problem, rules, scorer);
  Moves moves(problem, rules);
  const std::optional<Point> point = moves.outermost({7, 7, 7});
  ASSERT_TRUE(point);
  const auto evaluations = [&](Effort effort, double hopeless) {
    SearchResult tally;
    EXPECT_TRUE(choice.choose(*point, effort, hopeless, tally));
    return tally.seen;
  };
  EXPECT_EQ(evaluations(Effort::kNew, 0), 1U);  // any score is hopeless
  EXPECT_EQ(evaluations(Effort::kNew, kNever), 3U);
  EXPECT_EQ(evaluations(Effort::kNew, kNever), 1U);
  EXPECT_EQ(evaluations(Effort::kAll, kNever), 3U);
  choice.forget();
  EXPECT_EQ(evaluations(Effort::kNew, kNever), 3U);
}

}  // namespace
}  // namespace tilewright
