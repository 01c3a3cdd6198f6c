// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/arrangement.h"

#include <gtest/gtest.h>

#include "tilewright/mapspace/mapspace.h"
#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

using testing::gemm_problem;
constexpr NodeId kDram(0);
constexpr NodeId kGlb(1);
constexpr NodeId kReg(3);

TEST(Arrangement, SaysWhyAMemoryIsEven) {
  const Problem problem = gemm_problem({4, 6, 8}, {.glb_bits = 64});
  EXPECT_EQ(why_even(problem, {}, kDram), EvenBecause::kUnlimited);
  EXPECT_EQ(why_even(problem, {}, kGlb), EvenBecause::kNone);
  EXPECT_EQ(why_even(problem, {}, kReg), EvenBecause::kUnlimited);
  EXPECT_EQ(most_uneven(problem, {}).uneven, std::vector<NodeId>{kGlb});
  const Constraint bypass{.kind = Constraint::Kind::kBypass, .node = kGlb, .tensors = 0b011};
  EXPECT_EQ(why_even(problem, {{bypass}}, kGlb), EvenBecause::kFewTensors);
  const Constraint order{.kind = Constraint::Kind::kOrder, .node = kDram, .innermost = {DimId(0)}};
  EXPECT_EQ(why_even(problem, {{order}}, kGlb), EvenBecause::kConstrained);
  const Problem homes = gemm_problem({4, 6, 8}, {.dram_keeps = {"A", "B"}, .glb_bits = 64});
  EXPECT_EQ(why_even(homes, {}, kGlb), EvenBecause::kHome);
}

TEST(Arrangement, ListsEveryOrder) {
  const Problem problem = gemm_problem({4, 6, 8}, {.glb_bits = 64});
  const Placement glb{{kGlb}};
  // Even; six orders of two tensors and six of three.
  EXPECT_EQ(list_arrangements(problem, {}, glb).size(), 13U);
  // Even; two points for each of three pairs; of all three tensors 13 weak orders less the even.
  EXPECT_EQ(list_distinct_arrangements(problem, {}, glb).size(), 1U + 6U + 12U);
  const Constraint keep{.kind = Constraint::Kind::kKeep, .node = kGlb, .tensors = 0b101};
  EXPECT_EQ(list_arrangements(problem, {{keep}}, glb).size(), 1U + 2U + 6U);
  EXPECT_EQ(list_arrangements(problem, {}, {}).size(), 1U);
  EXPECT_EQ(count_arrangements(problem, {}, glb), 13U);
  EXPECT_EQ(count_arrangements(problem, {{keep}}, glb), 9U);
  EXPECT_EQ(count_arrangements(problem, {}, {}), 1U);
}

TEST(Arrangement, RulesHaveABlockForEveryPoint) {
  const Problem problem = gemm_problem({4, 6, 8}, {.glb_bits = 64});
  const Arrangement arrangement{{{kGlb, {0b100, 0b011}}}, true};
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {}, arrangement);
  ASSERT_EQ(rules.keeps.size(), 4U);  // DRAM, GLB twice, reg
  EXPECT_EQ(rules.keeps[1].memory, kGlb);
  EXPECT_EQ(rules.keeps[1].required, 0b100U);
  EXPECT_TRUE(rules.keeps[1].must_loop);
  EXPECT_EQ(rules.keeps[2].allowed, 0b011U);
  EXPECT_FALSE(rules.keeps[2].must_loop);
  // What must be kept is kept at its own point, and nowhere else.
  const Constraint output{.kind = Constraint::Kind::kKeep, .node = kGlb, .tensors = 0b100};
  const Rules kept = make_rules(problem, SpaceKind::kPfm, {{output}}, arrangement);
  EXPECT_EQ(kept.keeps[1].required & 0b100U, 0b100U);
  EXPECT_EQ(kept.keeps[2].required & 0b100U, 0U);
  // Without the loop between them the two points would be one.
  const Mapspace space(problem, rules);
  const NodeId pe(2);
  const auto mapping = [&](bool loop) {
    std::vector<NestNode> nest{keep(kDram, 0b111), temporal(DimId(2), 8), keep(kGlb, 0b100)};
    if (loop) nest.push_back(temporal(DimId(1), 2));
    nest.push_back(keep(kGlb, 0b011));
    nest.push_back(temporal(DimId(1), loop ? 3 : 6));
    nest.push_back(temporal(DimId(0), 2));
    nest.push_back(spatial(pe, 0, DimId(0), 2));
    return Mapping(std::move(nest));
  };
  EXPECT_TRUE(space.contains(mapping(true)));
  EXPECT_FALSE(space.contains(mapping(false)));
}

}  // namespace
}  // namespace tilewright
