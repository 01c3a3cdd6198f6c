// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tilewright/search/search.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::expect_same;
using search_test::gemm;
using search_test::Reference;

// Mapping by mapping in one thread.
SearchResult brute_force(const Mapspace& space, const SearchOptions& options) {
  Reference reference(space.problem(), options);
  space.for_each(options.orders, [&](std::span<const NestNode> nest) {
    reference.look_at(nest);
    return true;
  });
  return reference.result;
}

Mapspace small_space(const Problem& problem, SpaceKind kind) {
  return Mapspace(problem, make_rules(problem, kind, {}));
}

TEST(SearchExhaustive, FindsTheLeastScore) {
  const Problem problem = gemm(5, 3, 2, 100);
  for (const auto& [kind, objective] : {std::pair{SpaceKind::kPfm, "edp"},
                                        {SpaceKind::kPfm, "traffic"},
                                        {SpaceKind::kRubyS, "energy"}}) {
    const Mapspace space = small_space(problem, kind);
    SearchOptions options;
    options.orders = OrderMode::kWhole;
    options.objective = *objective_by_name(objective);
    const SearchResult expected = brute_force(space, options);
    EXPECT_EQ(Natural(expected.seen), space.size());
    EXPECT_GT(expected.too_large, 0U);
    ASSERT_TRUE(expected.best);
    for (const int threads : {1, 2, 3}) {
      options.threads = threads;
      expect_same(search_exhaustive(space, options), expected);
    }
  }
}

TEST(SearchExhaustive, FindsTheSameInClassesOfOrders) {
  const Problem problem = gemm(5, 3, 2, 100);
  const Mapspace space = small_space(problem, SpaceKind::kRubyS);
  SearchOptions whole;
  whole.orders = OrderMode::kWhole;
  SearchOptions classes;
  classes.orders = OrderMode::kClasses;
  const SearchResult all = search_exhaustive(space, whole);
  const SearchResult some = search_exhaustive(space, classes);
  ASSERT_TRUE(all.best && some.best);
  EXPECT_EQ(all.best->score, some.best->score);
  EXPECT_LT(some.seen, all.seen);
  expect_same(some, brute_force(space, classes));
}

TEST(SearchExhaustive, ObeysCaps) {
  const Problem problem = gemm(5, 3, 2, 100);
  const Mapspace space = small_space(problem, SpaceKind::kPfm);
  SearchOptions options;
  options.objective = *objective_by_name("energy");
  const SearchResult free = search_exhaustive(space, options);
  ASSERT_TRUE(free.best);
  options.caps = {{Cap::Figure::kEnergy, free.best->evaluation.energy_pj},
                  {Cap::Figure::kCycles, static_cast<double>(free.best->evaluation.cycles)}};
  const SearchResult tight = search_exhaustive(space, options);
  expect_same(tight, brute_force(space, options));
  EXPECT_GT(tight.over_cap, 0U);
  ASSERT_TRUE(tight.best);
  EXPECT_EQ(tight.best->mapping, free.best->mapping);
  options.caps.front().limit -= 1;
  const SearchResult none = search_exhaustive(space, options);
  EXPECT_FALSE(none.best);
  EXPECT_EQ(none.ending, Ending::kExhausted);
  EXPECT_EQ(none.valid, 0U);
  EXPECT_EQ(none.over_cap, free.valid);
}

TEST(SearchExhaustive, EndsWhenTold) {
  const Problem problem = gemm(5, 3, 2, 100);
  const Mapspace space = small_space(problem, SpaceKind::kPfm);
  const std::atomic<bool> stop = true;
  SearchOptions options;
  options.stop = &stop;
  const SearchResult result = search_exhaustive(space, options);
  EXPECT_EQ(result.ending, Ending::kStopped);
  EXPECT_EQ(result.seen, 0U);
  EXPECT_FALSE(result.best);
}

TEST(SearchExhaustive, EndsInTimeAndTellsHowItGoes) {
  const Problem problem = gemm(96, 96, 96, 60000);
  const Mapspace space = small_space(problem, SpaceKind::kRuby);
  SearchOptions options;
  options.max_seconds = 0.4;
  std::vector<Progress> told;
  options.progress = [&](const Progress& progress) { told.push_back(progress); };
  const SearchResult result = search_exhaustive(space, options);
  EXPECT_EQ(result.ending, Ending::kBudget);
  ASSERT_FALSE(told.empty());
  EXPECT_LE(told.size(), 1 + static_cast<std::size_t>(told.back().seconds / 0.1));
  EXPECT_GT(told.back().seen, 0U);
  EXPECT_LE(told.back().seen, result.seen);
  EXPECT_LE(told.back().valid, result.valid);
}

TEST(SearchExhaustive, FindsNothingInAnEmptySpace) {
  const Problem problem = gemm(5, 3, 2, 100);
  const Mapspace space(problem, make_rules(problem, SpaceKind::kPfm, search_test::impossible()));
  const SearchResult result = search_exhaustive(space, {});
  EXPECT_EQ(result.ending, Ending::kExhausted);
  EXPECT_EQ(result.seen, 0U);
  EXPECT_FALSE(result.best);
}

}  // namespace
}  // namespace tilewright
