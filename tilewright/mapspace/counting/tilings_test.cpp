// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/counting/tilings.h"

#include <gtest/gtest.h>

#include <set>

#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

// The Ruby paper's Table I: one dim, two memories, nine PEs between them.
Problem line_problem(std::int64_t size) {
  const Workload workload("line", {{"d", size}},
                          {{.name = "A", .ranks = {Rank{{{DimId(0), 1}}}}},
                           {.name = "Z", .ranks = {Rank{{{DimId(0), 1}}}}}});
  std::vector<ArchNode> nodes = {Memory{.name = "DRAM"}, Fanout{.name = "PE", .axes = {{"X", 9}}},
                                 Memory{.name = "spad"}};
  return Problem(workload, Arch("line", "", std::nullopt, std::move(nodes), Compute{}));
}

TEST(Tilings, TableOneOfTheRubyPaper) {
  const std::vector<std::pair<std::int64_t, std::uint64_t>> expected = {
      {3, 3}, {64, 22}, {100, 24}, {1000, 52}, {4096, 43}};
  for (const auto& [size, count] : expected) {
    const Problem problem = line_problem(size);
    // The paper counts what fits: 1 KiB holds 1024 elements of a byte.
    const std::vector<Constraint> fits = {
        {.kind = Constraint::Kind::kAtMost, .node = NodeId(2), .dim = DimId(0), .value = 1024}};
    const Tilings tilings(problem.workload(), make_rules(problem, SpaceKind::kPfm, fits));
    EXPECT_EQ(tilings.size().to_string(), std::to_string(count)) << size;
  }
}

TEST(Tilings, RanksAreTheOrderOfEnumeration) {
  const Problem problem = testing::gemm_problem({4, 6, 3});
  for (const SpaceKind kind : {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRuby}) {
    const Tilings tilings(problem.workload(), make_rules(problem, kind, {}));
    std::uint64_t next = 0;
    tilings.for_each([&](const Tiling& tiling) {
      EXPECT_EQ(tilings.rank(tiling), std::optional(Natural(next)));
      EXPECT_EQ(tilings.unrank(next), tiling);
      ++next;
      return next % 97 != 0 || !::testing::Test::HasFailure();
    });
    EXPECT_EQ(tilings.size().to_string(), std::to_string(next));
  }
}

TEST(Tilings, EnumerationGoesOnFromAnyOfThem) {
  const Problem problem = testing::gemm_problem({4, 6, 3});
  const Tilings tilings(problem.workload(), make_rules(problem, SpaceKind::kRubyS, {}));
  const std::uint64_t size = tilings.size().to_uint64();
  for (const std::uint64_t first : {size / 7, size / 2, size - 1}) {
    std::uint64_t next = first;
    tilings.for_each_from(first, [&](const Tiling& tiling) {
      EXPECT_EQ(tilings.rank(tiling), std::optional(Natural(next)));
      ++next;
      return !::testing::Test::HasFailure();
    });
    EXPECT_EQ(next, size) << "from " << first;
  }
}

TEST(Tilings, EnoughChildren) {
  const Problem problem = testing::gemm_problem({4, 6, 3});
  const std::vector<Constraint> constraints = {
      {.kind = Constraint::Kind::kUtilization, .node = NodeId(2), .share = {1, 1}}};
  const Tilings all(problem.workload(), make_rules(problem, SpaceKind::kRuby, {}));
  const Tilings full(problem.workload(), make_rules(problem, SpaceKind::kRuby, constraints));
  std::uint64_t count = 0;
  all.for_each([&](const Tiling& tiling) {
    std::int64_t children = 1;
    for (int d = 0; d < 3; ++d) children *= tiling.at(2, d) * tiling.at(3, d);
    const bool enough = children == 6;
    EXPECT_EQ(full.rank(tiling).has_value(), enough);
    count += enough ? 1 : 0;
    return true;
  });
  EXPECT_EQ(full.size(), Natural(count));
  EXPECT_GT(count, 0U);
}

TEST(Tilings, DrawsReachEverything) {
  const Problem problem = testing::gemm_problem({3, 2, 2});
  const Tilings tilings(problem.workload(), make_rules(problem, SpaceKind::kRubyT, {}));
  Random random(5);
  std::set<Natural> seen;
  Tiling tiling;
  for (int i = 0; i < 20000; ++i) {
    tilings.sample(random, tiling);
    const auto rank = tilings.rank(tiling);
    ASSERT_TRUE(rank);
    seen.insert(*rank);
  }
  EXPECT_EQ(Natural(seen.size()), tilings.size());
}

TEST(Tilings, ClosedBlocksSplitNothing) {
  const Problem problem = testing::gemm_problem({4, 6, 3});
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  const Tilings outermost(problem.workload(), rules, 1);  // spatial assignments alone
  outermost.for_each([&](const Tiling& tiling) {
    EXPECT_EQ(tiling.active(1), 0U);
    EXPECT_EQ(tiling.active(4), 0U);
    return true;
  });
  const std::vector<Constraint> split = {
      {.kind = Constraint::Kind::kAtLeast, .node = NodeId(1), .dim = DimId(0), .value = 2}};
  EXPECT_TRUE(
      Tilings(problem.workload(), make_rules(problem, SpaceKind::kPfm, split), 1).size().is_zero());
}

}  // namespace
}  // namespace tilewright
