// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/questions/simplest.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::gemm;

constexpr int kMany = 100'000;

const Arrangement kEven;

ArrangedSpace even(SpaceKind kind, std::span<const Constraint> constraints = {}) {
  return {kind, constraints, {&kEven, 1}};
}

// Mapping by mapping; `rules` are those of even placement.
Simplicity simplest_of_all(const Mapspace& space, const Rules& rules, double limit) {
  Simplicity least{1000, 1000};
  space.for_each(OrderMode::kClasses, [&](std::span<const NestNode> nest) {
    const Mapping mapping({nest.begin(), nest.end()});
    if (!search_test::fits(space.problem(), mapping)) return true;
    if (score({}, evaluate(space.problem(), mapping)) > limit) return true;
    least = std::min(least, measure_simplicity(rules, mapping));
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
      const SimplestResult found = find_simplest(problem, even(kind), {}, *best.best, limit, kMany);
      EXPECT_TRUE(found.proved) << found.searches;
      EXPECT_LE(found.found.score, limit);
      EXPECT_TRUE(space.contains(found.found.mapping));
      EXPECT_EQ(measure_simplicity(space.rules(), found.found.mapping), found.simplicity);
      EXPECT_EQ(found.simplicity, simplest_of_all(space, space.rules(), limit)) << share;
      simpler = simpler || found.simplicity < before;
    }
  }
  EXPECT_TRUE(simpler) << "the best was always the simplest: the test says nothing";
}

// On DRAM - GLB(`glb_bits`): where a buffer is tight, the best keep their tensors at different
// points.
Problem on_one_buffer(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t glb_bits) {
  return Problem(
      gemm(m, n, k, glb_bits).workload(),
      Arch("test", "", std::nullopt,
           {search_test::memory("DRAM", 100), search_test::memory("GLB", 6, glb_bits)}, Compute{}));
}

TEST(FindSimplest, LooksAtEveryArrangement) {
  int uneven = 0;
  int simpler = 0;
  for (const Problem& problem : {on_one_buffer(4, 5, 2, 96), on_one_buffer(6, 4, 3, 72),
                                 on_one_buffer(4, 6, 4, 96), on_one_buffer(6, 6, 4, 80)}) {
    const std::vector<Arrangement> arrangements =
        list_arrangements(problem, {}, {.uneven = {NodeId(1)}});
    const ArrangedSpace space{SpaceKind::kPfm, {}, arrangements};
    const SearchResult best = search(problem, space, Mapper::kOptimal, {});
    ASSERT_TRUE(best.best);
    const Rules rules = make_rules(problem, space.kind, {});
    for (const double share : {0.0, 0.05, 0.3}) {
      const double limit = best.best->score * (1 + share);
      const SimplestResult found = find_simplest(problem, space, {}, *best.best, limit, kMany);
      EXPECT_TRUE(found.proved) << found.searches;
      EXPECT_LE(found.found.score, limit);
      EXPECT_EQ(measure_simplicity(rules, found.found.mapping), found.simplicity);
      Simplicity least{1000, 1000};
      for (const Arrangement& one : arrangements) {
        const Mapspace mappings(problem, make_rules(problem, space.kind, {}, one));
        least = std::min(least, simplest_of_all(mappings, rules, limit));
      }
      EXPECT_EQ(found.simplicity, least) << problem.workload().dims()[0].size << " " << share;
      uneven += simplest_of_all(Mapspace(problem, rules), rules, limit) > least ? 1 : 0;
      simpler += least < measure_simplicity(rules, best.best->mapping) ? 1 : 0;
    }
  }
  EXPECT_GT(uneven, 0) << "an even mapping was always as simple: the test says nothing";
  EXPECT_GT(simpler, 0) << "the best was always the simplest: the test says nothing";
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
  const SimplestResult found =
      find_simplest(problem, even(SpaceKind::kRubyS, demands), {}, *best.best, limit, kMany);
  EXPECT_TRUE(space.contains(found.found.mapping));
  EXPECT_EQ(found.simplicity, simplest_of_all(space, space.rules(), limit));
}

TEST(FindSimplest, SaysIfItEndedTooEarly) {
  const Problem problem = gemm(4, 6, 2, 100);
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  const SearchResult best = search_optimal(problem, rules, {});
  ASSERT_TRUE(best.best);
  const double limit = best.best->score * 1.1;
  const SimplestResult none =
      find_simplest(problem, even(SpaceKind::kRubyS), {}, *best.best, limit, 0);
  EXPECT_FALSE(none.proved);
  EXPECT_EQ(none.searches, 0);
  EXPECT_EQ(none.found.mapping, best.best->mapping);
  const std::atomic<bool> stop = true;
  SearchOptions options;
  options.stop = &stop;
  EXPECT_FALSE(
      find_simplest(problem, even(SpaceKind::kRubyS), options, *best.best, limit, kMany).proved);
}

}  // namespace
}  // namespace tilewright
