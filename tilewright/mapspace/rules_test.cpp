// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/rules.h"

#include <gtest/gtest.h>

#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

using testing::gemm_problem;

TEST(Rules, PlacesStandAsInTheArchitecture) {
  const Problem problem = gemm_problem({4, 6, 8});
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  ASSERT_EQ(rules.places.size(), 5U);  // DRAM, GLB, X, Y, reg
  EXPECT_TRUE(rules.places[0].is_block());
  EXPECT_EQ(rules.places[2].axis, 0);
  EXPECT_EQ(rules.places[3].axis, 1);
  EXPECT_EQ(rules.places[2].rules[0], (FactorRule{1, 2, true}));
  EXPECT_EQ(rules.places[1].rules[0], (FactorRule{1, FactorRule::kNoLimit, false}));
  EXPECT_EQ(rules.keeps[0].required, 7U);
  EXPECT_EQ(rules.keeps[1].required, 0U);
}

TEST(Rules, NothingStandsOutsideAHome) {
  const Problem problem = gemm_problem({4, 6, 8}, {.dram_keeps = {"A", "B"}});
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  EXPECT_EQ(rules.keeps[0].required, 3U);
  EXPECT_EQ(rules.keeps[1].required, 4U);
  EXPECT_EQ(rules.places[0].rules[0].most, 1);
  EXPECT_EQ(rules.places[1].rules[0].most, FactorRule::kNoLimit);
}

TEST(Rules, ConstraintsNarrow) {
  const Problem problem = gemm_problem({4, 6, 8});
  using Kind = Constraint::Kind;
  const std::vector<Constraint> constraints = {
      {.kind = Kind::kEqual, .node = NodeId(1), .dim = DimId(0), .value = 2},
      {.kind = Kind::kAtMost, .node = NodeId(3), .dim = DimId(1), .value = 3},
      {.kind = Kind::kAtLeast, .node = NodeId(2), .dim = DimId(2), .axis = 1, .value = 2},
      {.kind = Kind::kAxisDims, .node = NodeId(2), .axis = 0, .dims = {DimId(1)}},
      {.kind = Kind::kPerfect, .node = NodeId(2)},
      {.kind = Kind::kUtilization, .node = NodeId(2), .share = {4, 9}},
      {.kind = Kind::kKeep, .node = NodeId(1), .tensors = 1},
      {.kind = Kind::kBypass, .node = NodeId(1), .tensors = 2},
      {.kind = Kind::kOrder, .node = NodeId(1), .outermost = {DimId(2)}},
  };
  const Rules rules = make_rules(problem, SpaceKind::kRuby, constraints);
  EXPECT_EQ(rules.places[1].rules[0], (FactorRule{2, 2, true}));
  EXPECT_EQ(rules.places[4].rules[1], (FactorRule{1, 3, true}));
  EXPECT_EQ(rules.places[3].rules[2], (FactorRule{2, 3, false}));
  EXPECT_EQ(rules.places[2].rules[0].most, 1);
  EXPECT_EQ(rules.places[2].rules[1].most, 2);
  EXPECT_EQ(rules.fanouts[0].least_children, 3);  // 4/9 of 6 is 2.67
  EXPECT_EQ(rules.keeps[1].required, 1U);
  EXPECT_EQ(rules.keeps[1].allowed, 5U);
  EXPECT_EQ(rules.places[1].outermost, std::vector<DimId>{DimId(2)});
}

TEST(Rules, NamesReadBack) {
  for (const SpaceKind kind :
       {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT, SpaceKind::kRuby}) {
    EXPECT_EQ(space_by_name(space_name(kind)), kind);
  }
  EXPECT_FALSE(space_by_name("rubin"));
}

}  // namespace
}  // namespace tilewright
