// SPDX-License-Identifier: Apache-2.0
// What threads of the optimal search owe each other; its answers are judged by property.optimal.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "tilewright/base/memory_use.h"
#include "tilewright/search/search.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::gemm;

SearchResult search(SpaceKind kind, const SearchOptions& options) {
  const Problem problem = gemm(24, 36, 30, 4096, {{"X", 3}, {"Y", 2}});
  return search_optimal(problem, make_rules(problem, kind, {}), options);
}

// Takes long.
SearchOptions thorough() {
  SearchOptions options;
  options.prunes.by_cost = false;
  return options;
}

TEST(OptimalSearch, FindsTheSameOnAnyNumberOfThreads) {
  for (const SpaceKind kind : {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRuby}) {
    SearchOptions options;
    options.top = 8;
    options.threads = 1;
    const SearchResult one = search(kind, options);
    ASSERT_TRUE(one.best);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      const SearchResult more = search(kind, options);
      EXPECT_EQ(more.ending, Ending::kExhausted);
      EXPECT_EQ(more.bound, one.bound);
      ASSERT_EQ(more.answers.size(), one.answers.size());
      for (std::size_t i = 0; i < one.answers.size(); ++i) {
        EXPECT_EQ(more.answers[i].mapping, one.answers[i].mapping);
      }
    }
  }
}

// Z[b,m] += A[b,m] * B[b]: b is a dim of all tensors.
TEST(OptimalSearch, LooksAtLessWhereBatchesAreLeftOutside) {
  const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
  const Problem problem(
      Workload("scale", {{"b", 24}, {"m", 10}},
               {{"A", "input", 8, {rank(0), rank(1)}},
                {"B", "weight", 8, {rank(0)}},
                {"Z", "output", 8, {rank(0), rank(1)}}}),
      Arch("test", "", std::nullopt,
           {search_test::memory("DRAM", 100), search_test::memory("GLB", 6, 160),
            Fanout{.name = "PE", .axes = {{"X", 3}}}, search_test::memory("RF", 1, 48)},
           Compute{.energy_pj = 0.5}));
  for (const SpaceKind kind : {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRuby}) {
    const Rules rules = make_rules(problem, kind, {});
    SearchOptions options = thorough();
    options.threads = 1;
    const SearchResult less = search_optimal(problem, rules, options);
    options.prunes.by_batch = false;
    const SearchResult all = search_optimal(problem, rules, options);
    ASSERT_TRUE(less.best && all.best);
    EXPECT_EQ(less.best->score, all.best->score);
    EXPECT_LT(less.nodes, all.nodes / 2) << space_name(kind);
  }
}

TEST(OptimalSearch, EndsAllThreadsAtTheMemoryLimit) {
  if (!memory_in_use()) GTEST_SKIP() << "this system does not tell";
  for (const int threads : {1, 3}) {
    SearchOptions options = thorough();
    options.threads = threads;
    options.max_memory = 1;
    const SearchResult result = search(SpaceKind::kRuby, options);
    EXPECT_EQ(result.ending, Ending::kMemory);
    ASSERT_TRUE(result.bound);
    EXPECT_GT(*result.bound, 0);
  }
}

TEST(OptimalSearch, EndsAllThreadsWhenStopped) {
  const SearchResult proved = search(SpaceKind::kRuby, {});
  ASSERT_TRUE(proved.best);
  for (const int threads : {1, 3}) {
    std::atomic<bool> stop = false;
    SearchOptions options = thorough();
    options.threads = threads;
    options.stop = &stop;
    options.progress = [&](const Progress&) { stop = true; };
    const SearchResult result = search(SpaceKind::kRuby, options);
    EXPECT_EQ(result.ending, Ending::kStopped);
    ASSERT_TRUE(result.best && result.bound);
    EXPECT_GT(*result.bound, 0);
    EXPECT_LE(*result.bound, proved.best->score);
  }
}

TEST(OptimalSearch, EndsAllThreadsWhenOneFails) {
  for (const int threads : {1, 3}) {
    SearchOptions options = thorough();
    options.threads = threads;
    options.progress = [](const Progress& progress) {
      if (progress.nodes > 0) throw std::runtime_error("a wire came loose");
    };
    EXPECT_THROW(search(SpaceKind::kRuby, options), std::runtime_error);
  }
}

}  // namespace
}  // namespace tilewright
