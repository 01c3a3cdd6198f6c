// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/roots/root_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "tilewright/search/search_test_support.h"
#include "tilewright/threads/thread_pool.h"

namespace tilewright {
namespace {

using search_test::gemm;

constexpr double kNever = std::numeric_limits<double>::infinity();

// A list with all that it refers to.
struct Listing {
  Listing(Problem of, SpaceKind kind, int threads)
      : problem(std::move(of)), rules(make_rules(problem, kind, {})), pool(threads) {}

  Problem problem;
  Rules rules;
  SearchOptions options;
  OptimalContext context{problem, rules, options};
  Answers answers{options};  // none: all roots are of interest
  ThreadPool pool;
  RootList roots{context, answers, pool};
};

std::vector<Root> list(std::int64_t m, SpaceKind kind, int threads,
                       const std::vector<Axis>& axes = {{"X", 4}, {"Y", 3}}) {
  Listing listing(gemm(m, 36, 30, 4096, axes), kind, threads);
  RootList& roots = listing.roots;
  std::vector<Root> all;
  for (;;) {
    const double bound = roots.bound();
    const std::vector<Root> next = roots.next(kNever, [] { return false; });
    if (next.empty()) break;
    EXPECT_GE(next.front().bounds.score, bound);
    all.insert(all.end(), next.begin(), next.end());
  }
  EXPECT_EQ(roots.bound(), kNever);
  return all;
}

bool same(const Root& a, const Root& b) {
  return a.bounds.score == b.bounds.score && a.keeps == b.keeps && a.spatial == b.spatial &&
         a.number == b.number;
}

TEST(RootList, IsTheSameOnAnyNumberOfThreads) {
  for (const SpaceKind kind : {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRuby}) {
    const std::vector<Root> one = list(24, kind, 1);
    EXPECT_GT(one.size(), 100);
    for (const int threads : {2, 3}) {
      EXPECT_TRUE(std::ranges::equal(list(24, kind, threads), one, same));
    }
  }
}

TEST(RootList, HasEveryRootOnceWhereChoicesAreFew) {
  const std::vector<Root> one = list(1, SpaceKind::kPfm, 1, {{"X", 2}});
  EXPECT_FALSE(one.empty());
  EXPECT_TRUE(std::ranges::equal(list(1, SpaceKind::kPfm, 3, {{"X", 2}}), one, same));
}

TEST(RootList, IsInOrderWithoutDoubles) {
  const std::vector<Root> roots = list(23, SpaceKind::kRubyS, 2);
  for (std::size_t i = 1; i < roots.size(); ++i) {
    EXPECT_TRUE(comes_before(roots[i - 1], roots[i]));
    EXPECT_EQ(roots[i].number, static_cast<std::int64_t>(i));
  }
}

TEST(RootList, ListsNoFurtherThanAsked) {
  Listing listing(gemm(24, 36, 30, 4096, {{"X", 4}, {"Y", 3}}), SpaceKind::kRuby, 1);
  RootList& roots = listing.roots;
  const auto never = [] { return false; };
  const double first = roots.bound();
  EXPECT_TRUE(roots.next(first / 2, never).empty());
  EXPECT_EQ(roots.bound(), first);
  roots.next(first, never);
  EXPECT_GT(roots.bound(), first);
  const double enough = 2 * roots.bound();
  while (roots.bound() <= enough) roots.next(enough, never);
  EXPECT_LT(roots.bound(), kNever);
  EXPECT_TRUE(roots.next(enough, never).empty());
}

TEST(RootList, EndsWhenStopped) {
  Listing listing(gemm(48, 60, 36, 4096, {{"X", 12}, {"Y", 14}}), SpaceKind::kRuby, 2);
  RootList& roots = listing.roots;
  while (!roots.next(kNever, [] { return true; }).empty()) {
  }
  EXPECT_LT(roots.bound(), kNever);  // there are more
}

}  // namespace
}  // namespace tilewright
