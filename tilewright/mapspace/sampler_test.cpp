// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

TEST(Sampler, DrawsMakeSense) {
  const Problem problem = testing::gemm_problem({7, 12, 5});
  for (const SpaceKind kind :
       {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT, SpaceKind::kRuby}) {
    Sampler sampler(problem, make_rules(problem, kind, {}));
    ASSERT_FALSE(sampler.empty());
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
      const std::span<const NestNode> nest = sampler.draw(random);
      const Mapping mapping(std::vector<NestNode>(nest.begin(), nest.end()));
      EXPECT_TRUE(std::ranges::equal(mapping.nodes(), nest));
      ASSERT_TRUE(find_violations(problem, mapping).empty());
    }
  }
}

TEST(Sampler, WhatIsKeptIsDrawnUniformly) {
  // Nothing to split: GLB keeps one of 8 sets of three tensors, one of which is empty.
  const Problem problem = testing::gemm_problem({1, 1, 1});
  Sampler sampler(problem, make_rules(problem, SpaceKind::kPfm, {}));
  Random random(1);
  constexpr int kDraws = 20'000;
  int without = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::span<const NestNode> nest = sampler.draw(random);
    without += std::ranges::none_of(nest, [](const NestNode& node) {
      return node.kind == NestNode::Kind::kKeep && node.node == NodeId(1);
    });
  }
  EXPECT_NEAR(without / double{kDraws}, 1.0 / 8, 0.006);  // 2.5 standard deviations
}

TEST(Sampler, EqualSeedsDrawEqually) {
  const Problem problem = testing::gemm_problem({7, 12, 5});
  Sampler one(problem, make_rules(problem, SpaceKind::kRuby, {}));
  Sampler two(one);
  Random random_one(3);
  Random random_two(3);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(std::ranges::equal(one.draw(random_one), two.draw(random_two)));
  }
}

TEST(Sampler, ContradictionsLeaveNothing) {
  const Problem problem = testing::gemm_problem({7, 12, 5});
  using Kind = Constraint::Kind;
  const std::vector<Constraint> both = {{.kind = Kind::kKeep, .node = NodeId(1), .tensors = 1},
                                        {.kind = Kind::kBypass, .node = NodeId(1), .tensors = 1}};
  EXPECT_TRUE(Sampler(problem, make_rules(problem, SpaceKind::kRuby, both)).empty());
  // 7 is prime: no factor of 2 in space without a remainder.
  const std::vector<Constraint> prime = {
      {.kind = Kind::kEqual, .node = NodeId(2), .dim = DimId(0), .axis = 0, .value = 2}};
  EXPECT_TRUE(Sampler(problem, make_rules(problem, SpaceKind::kPfm, prime)).empty());
  EXPECT_FALSE(Sampler(problem, make_rules(problem, SpaceKind::kRubyS, prime)).empty());
}

TEST(Sampler, FixedLoopsStandWhereTheyShould) {
  const Problem problem = testing::gemm_problem({8, 8, 8});
  const std::vector<Constraint> order = {{.kind = Constraint::Kind::kOrder,
                                          .node = NodeId(1),
                                          .outermost = {DimId(2)},
                                          .innermost = {DimId(0)}}};
  Sampler sampler(problem, make_rules(problem, SpaceKind::kRuby, order));
  Random random(2);
  int seen = 0;
  for (int i = 0; i < 500; ++i) {
    const std::span<const NestNode> nest = sampler.draw(random);
    std::vector<int> block;
    bool inside = false;
    for (const NestNode& node : nest) {
      if (node.kind == NestNode::Kind::kTemporal && inside) block.push_back(node.dim.value);
      if (node.kind != NestNode::Kind::kTemporal) inside = node.node == NodeId(1);
    }
    if (block.size() < 3) continue;
    ++seen;
    EXPECT_EQ(block, (std::vector<int>{2, 1, 0}));
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace tilewright
