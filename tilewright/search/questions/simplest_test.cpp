// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/questions/simplest.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::gemm;

constexpr int kMany = 100'000;

// Mapping by mapping.
Simplicity simplest_of_all(const Mapspace& space, double limit) {
  Simplicity least{1000, 1000};
  space.for_each(OrderMode::kClasses, [&](std::span<const NestNode> nest) {
    const Mapping mapping({nest.begin(), nest.end()});
    if (!search_test::fits(space.problem(), mapping)) return true;
    if (score({}, evaluate(space.problem(), mapping)) > limit) return true;
    least = std::min(least, measure_simplicity(space.rules(), mapping));
    return true;
  });
  return least;
}

TEST(Simplicity, CountsLoopsAndBypasses) {
  const Problem problem = gemm(4, 6, 2, 100);
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  const Mapping mapping({keep(NodeId(0), 0b111), temporal(DimId(0), 4), keep(NodeId(1), 0b101),
                         temporal(DimId(1), 2), spatial(NodeId(2), 0, DimId(1), 3),
                         keep(NodeId(3), 0b100), temporal(DimId(2), 2)});
  EXPECT_EQ(measure_simplicity(rules, mapping), (Simplicity{4, 3}));
  EXPECT_LT((Simplicity{3, 9}), (Simplicity{4, 0}));
  // What must not be kept is no choice.
  const std::vector<Constraint> bypass = {
      {.kind = Constraint::Kind::kBypass, .node = NodeId(3), .tensors = 0b011}};
  EXPECT_EQ(measure_simplicity(make_rules(problem, SpaceKind::kRuby, bypass), mapping),
            (Simplicity{4, 1}));
}

TEST(FindSimplest, IsTheSimplestOfAllThatAreGoodEnough) {
  bool simpler = false;
  for (const auto& [kind, glb_bits] : {std::pair{SpaceKind::kPfm, 100}, {SpaceKind::kRubyS, 48}}) {
    const Problem problem = gemm(4, 5, 2, glb_bits);
    const Mapspace space(problem, make_rules(problem, kind, {}));
    const SearchResult best = search_optimal(problem, space.rules(), {});
    ASSERT_TRUE(best.best);
    const Simplicity before = measure_simplicity(space.rules(), best.best->mapping);
    for (const double share : {0.0, 0.1, 1.0}) {
      const double limit = best.best->score * (1 + share);
      const SimplestResult found =
          find_simplest(problem, space.rules(), {}, *best.best, limit, kMany);
      EXPECT_TRUE(found.proved) << found.searches;
      EXPECT_LE(found.found.score, limit);
      EXPECT_TRUE(space.contains(found.found.mapping));
      EXPECT_EQ(measure_simplicity(space.rules(), found.found.mapping), found.simplicity);
      EXPECT_EQ(found.simplicity, simplest_of_all(space, limit)) << share;
      simpler = simpler || found.simplicity < before;
    }
  }
  EXPECT_TRUE(simpler) << "the best was always the simplest: the test says nothing";
}

TEST(FindSimplest, ObeysTheRules) {
  const Problem problem = gemm(4, 6, 2, 100);
  const std::vector<Constraint> demands = {
      {.kind = Constraint::Kind::kAtLeast, .node = NodeId(1), .dim = DimId(1), .value = 2},
      {.kind = Constraint::Kind::kBypass, .node = NodeId(1), .tensors = 0b010}};
  const Mapspace space(problem, make_rules(problem, SpaceKind::kRubyS, demands));
  const SearchResult best = search_optimal(problem, space.rules(), {});
  ASSERT_TRUE(best.best);
  const double limit = best.best->score * 2;
  const SimplestResult found = find_simplest(problem, space.rules(), {}, *best.best, limit, kMany);
  EXPECT_TRUE(space.contains(found.found.mapping));
  EXPECT_EQ(found.simplicity, simplest_of_all(space, limit));
}

TEST(FindSimplest, SaysIfItEndedTooEarly) {
  const Problem problem = gemm(4, 6, 2, 100);
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  const SearchResult best = search_optimal(problem, rules, {});
  ASSERT_TRUE(best.best);
  const double limit = best.best->score * 1.1;
  const SimplestResult none = find_simplest(problem, rules, {}, *best.best, limit, 0);
  EXPECT_FALSE(none.proved);
  EXPECT_EQ(none.searches, 0);
  EXPECT_EQ(none.found.mapping, best.best->mapping);
  const std::atomic<bool> stop = true;
  SearchOptions options;
  options.stop = &stop;
  EXPECT_FALSE(find_simplest(problem, rules, options, *best.best, limit, kMany).proved);
}

}  // namespace
}  // namespace tilewright
