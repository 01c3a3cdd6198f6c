// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/mapspace.h"

#include <gtest/gtest.h>

#include <set>

#include "tilewright/base/stop.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

// Every mapping of the enumeration has a rank of its own below the size, and leads back.
void expect_exact(const Problem& problem, const std::vector<Constraint>& constraints,
                  SpaceKind kind) {
  const Mapspace space(problem, make_rules(problem, kind, constraints));
  EXPECT_EQ(mapspace_size(problem, space.rules()), space.size());
  std::set<Natural> ranks;
  space.for_each(OrderMode::kWhole, [&](std::span<const NestNode> nest) {
    const Mapping mapping(std::vector<NestNode>(nest.begin(), nest.end()));
    EXPECT_TRUE(find_violations(problem, mapping).empty());
    const auto rank = space.rank(mapping);
    EXPECT_TRUE(rank && *rank < space.size());
    if (rank) {
      EXPECT_EQ(space.unrank(*rank), mapping);
      EXPECT_TRUE(ranks.insert(*rank).second);
    }
    return !::testing::Test::HasFailure();
  });
  EXPECT_EQ(space.size().to_string(), std::to_string(ranks.size()));
}

TEST(Mapspace, SizeIsTheNumberOfMappings) {
  for (const SpaceKind kind :
       {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT, SpaceKind::kRuby}) {
    expect_exact(testing::gemm_problem({3, 2, 2}), {}, kind);
  }
}

TEST(Mapspace, IsNotCountedWhenNobodyWaits) {
  const Problem problem = testing::gemm_problem({3, 2, 2});
  const std::atomic<bool> stop = true;
  EXPECT_THROW(Mapspace(problem, make_rules(problem, SpaceKind::kPfm, {}), &stop), StoppedError);
}

TEST(Mapspace, ConstraintsCountToo) {
  using Kind = Constraint::Kind;
  const std::vector<Constraint> constraints = {
      {.kind = Kind::kAtMost, .node = NodeId(1), .dim = DimId(0), .value = 2},
      {.kind = Kind::kOrder, .node = NodeId(3), .outermost = {DimId(1)}},
      {.kind = Kind::kBypass, .node = NodeId(1), .tensors = 2},
      {.kind = Kind::kUtilization, .node = NodeId(2), .share = {1, 3}},
  };
  expect_exact(testing::gemm_problem({3, 4, 2}), constraints, SpaceKind::kRuby);
}

TEST(Mapspace, OneElementHasChoicesToo) {
  expect_exact(testing::gemm_problem({1, 1, 1}), {}, SpaceKind::kRuby);  // what is kept
  expect_exact(testing::gemm_problem({1, 2, 1}), {}, SpaceKind::kRuby);
  const std::vector<Constraint> busy = {
      {.kind = Constraint::Kind::kUtilization, .node = NodeId(2), .share = {1, 2}}};
  expect_exact(testing::gemm_problem({1, 1, 1}), busy, SpaceKind::kRuby);
  const std::vector<Constraint> split = {
      {.kind = Constraint::Kind::kAtLeast, .node = NodeId(1), .dim = DimId(0), .value = 2}};
  expect_exact(testing::gemm_problem({1, 2, 1}), split, SpaceKind::kRuby);
}

TEST(Mapspace, ForeignMappingsHaveNoRank) {
  const Problem problem = testing::gemm_problem({4, 2, 2});
  const Mapspace space(problem, make_rules(problem, SpaceKind::kPfm, {}));
  const TensorSet all = 7;
  const DimId m(0);
  const auto nest = [&](std::vector<NestNode> nodes) {
    nodes.push_back(temporal(DimId(1), 2));
    nodes.push_back(temporal(DimId(2), 2));
    return Mapping(std::move(nodes));
  };
  EXPECT_TRUE(space.contains(nest({keep(NodeId(0), all), temporal(m, 4)})));
  EXPECT_FALSE(space.contains(nest({keep(NodeId(0), all), temporal(m, 2)})));
  EXPECT_FALSE(space.contains(nest({keep(NodeId(0), all), temporal(m, 3), temporal(m, 2)})));
  EXPECT_FALSE(space.contains(nest({keep(NodeId(0), 3), temporal(m, 4)})));
  // A keep node of its own for B, further in.
  EXPECT_FALSE(space.contains(
      nest({keep(NodeId(0), all), keep(NodeId(1), 1), temporal(m, 4), keep(NodeId(1), 2)})));
  // A loop in time between the array and the memory inside.
  EXPECT_FALSE(
      space.contains(nest({keep(NodeId(0), all), spatial(NodeId(2), 0, m, 2), temporal(m, 2)})));
}

TEST(Mapspace, SizeOfALargeSpace) {
  const Problem problem = testing::gemm_problem({4096, 4096, 4096});
  const Mapspace space(problem, make_rules(problem, SpaceKind::kPfm, {}));
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const Mapping mapping = space.sample(random);
    EXPECT_TRUE(find_violations(problem, mapping).empty());
    const auto rank = space.rank(mapping);
    ASSERT_TRUE(rank);
    EXPECT_EQ(space.unrank(*rank), mapping);
  }
  EXPECT_GT(space.size(), Natural(10'000'000'000));
}

}  // namespace
}  // namespace tilewright
