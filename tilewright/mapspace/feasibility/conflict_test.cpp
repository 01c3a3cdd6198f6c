// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/feasibility/conflict.h"

#include <gtest/gtest.h>

#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

using testing::gemm_problem;
using testing::SmallArch;
using CKind = Constraint::Kind;
using DKind = Demand::Kind;

// Nodes of small_arch and dims of gemm.
constexpr NodeId kDram(0);
constexpr NodeId kGlb(1);
constexpr NodeId kPe(2);
constexpr NodeId kReg(3);
constexpr DimId kM(0);
constexpr DimId kN(1);
constexpr DimId kK(2);

Constraint factor(CKind kind, NodeId node, DimId dim, std::int64_t value, int axis = -1) {
  return {.kind = kind, .node = node, .dim = dim, .axis = axis, .value = value};
}
Constraint utilization(std::int64_t num, std::int64_t den) {
  return {.kind = CKind::kUtilization, .node = kPe, .share = {num, den}};
}
Demand constraint(int number) { return {.kind = DKind::kConstraint, .constraint = number}; }
Demand capacity(NodeId node) { return {.kind = DKind::kCapacity, .node = node}; }
Demand axis(int number) { return {.kind = DKind::kAxis, .node = kPe, .axis = number}; }
constexpr Demand kSpace{.kind = DKind::kSpace};

std::optional<Conflict> conflict(const Problem& problem, const std::vector<Constraint>& constraints,
                                 SpaceKind kind = SpaceKind::kRuby) {
  return find_conflict(problem, kind, constraints);
}

using Demands = std::vector<Demand>;
using Number = std::optional<std::int64_t>;

TEST(Conflict, NoneIfAMappingExists) {
  EXPECT_FALSE(conflict(gemm_problem({8, 8, 8}), {}));
  EXPECT_FALSE(conflict(gemm_problem({8, 8, 8}), {factor(CKind::kEqual, kGlb, kM, 8)}));
}

TEST(Conflict, TwoFactorsThatAreTooMuchTogether) {
  const auto found =
      conflict(gemm_problem({8, 8, 8}, {.glb_bits = 4096}),
               {factor(CKind::kEqual, kReg, kN, 2), factor(CKind::kEqual, kGlb, kM, 8),
                factor(CKind::kAtLeast, kReg, kM, 3)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->demands, (Demands{constraint(1), constraint(2)}));
  EXPECT_TRUE(found->among_constraints);
  EXPECT_EQ(found->reliefs[0].now, Number(8));
  EXPECT_EQ(found->reliefs[0].wanted, Number(3));  // reg takes 3 at least, ceil(8/3) are left
  EXPECT_EQ(found->reliefs[1].wanted, Number(1));
}

TEST(Conflict, ATileAndACapacity) {
  const Constraint whole = factor(CKind::kAtLeast, kReg, kK, 8);
  const Constraint keep{.kind = CKind::kKeep, .node = kReg, .tensors = 1};
  const auto found = conflict(gemm_problem({2, 2, 8}, {.reg_bits = 100}), {whole, keep});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->demands, (Demands{constraint(0), constraint(1), capacity(kReg)}));
  EXPECT_FALSE(found->among_constraints);
  EXPECT_EQ(found->reliefs[0].wanted, Number(6));  // 6 * 16 = 96 bits
  EXPECT_EQ(found->reliefs[1].now, Number());
  EXPECT_EQ(found->reliefs[1].wanted, Number());
  EXPECT_EQ(found->reliefs[2].now, Number(100));
  EXPECT_EQ(found->reliefs[2].wanted, Number(128));
  EXPECT_TRUE(found->reliefs[2].enough);
}

TEST(Conflict, AFactorAndTheSpace) {
  const Problem problem = gemm_problem({8, 1, 1});
  const auto found = conflict(problem, {factor(CKind::kEqual, kGlb, kM, 5)}, SpaceKind::kPfm);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->demands, (Demands{constraint(0), kSpace}));
  EXPECT_TRUE(found->among_constraints);
  EXPECT_EQ(found->reliefs[0].wanted, Number(4));
  EXPECT_FALSE(conflict(problem, {factor(CKind::kAtLeast, kGlb, kM, 5)}, SpaceKind::kPfm));
}

TEST(Conflict, AFactorAndAnAxis) {
  const auto found =
      conflict(gemm_problem({8, 8, 8}), {factor(CKind::kAtLeast, kPe, kM, 4, /*axis=*/0)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->demands, (Demands{constraint(0), axis(0)}));
  EXPECT_EQ(found->reliefs[0].wanted, Number(2));
  EXPECT_EQ(found->reliefs[1].now, Number(2));
  EXPECT_EQ(found->reliefs[1].wanted, Number(4));
}

TEST(Conflict, AUtilizationThatTheDimsCannotReach) {
  // 2 x 3 children, but without remainders only 2 x 1 of them work.
  const Problem problem = gemm_problem({2, 1, 5});
  const auto found = conflict(problem, {utilization(1, 2)}, SpaceKind::kPfm);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->demands, (Demands{constraint(0), axis(0), axis(1), kSpace}));
  EXPECT_EQ(found->reliefs[0].now, Number(3));
  EXPECT_EQ(found->reliefs[0].wanted, Number(2));
  EXPECT_EQ(found->reliefs[1].wanted, Number(1));  // 1 x 2 work of 1 x 3
  EXPECT_EQ(found->reliefs[2].wanted, Number(2));  // 2 x 1 work of 2 x 2
}

TEST(Conflict, KeepAndBypass) {
  const auto found = conflict(gemm_problem({2, 2, 2}, {.reg_bits = 16}),
                              {{.kind = CKind::kKeep, .node = kReg, .tensors = 1},
                               {.kind = CKind::kBypass, .node = kReg, .tensors = 3}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->demands, (Demands{constraint(0), constraint(1)}));
}

TEST(Conflict, BypassOfTheHomeStandsAlone) {
  const auto found =
      conflict(gemm_problem({2, 2, 2}), {{.kind = CKind::kBypass, .node = kDram, .tensors = 1}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->demands, (Demands{constraint(0)}));
}

TEST(Conflict, TensorsThatNoMemoryMayKeep) {
  SmallArch arch;
  arch.dram_keeps = {"A", "B"};
  Arch nothing = testing::small_arch(arch);
  std::vector<ArchNode> nodes = {nothing.nodes()[0]};
  const Problem problem(testing::gemm({2, 2, 2}), Arch("", "", std::nullopt, nodes, {}));
  const auto found = conflict(problem, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->demands, (Demands{{.kind = DKind::kMayKeep, .node = kDram}}));
}

TEST(Conflict, TheSmallerOfTwo) {
  // Two conflicts: three demands about m, two about n.
  const auto found =
      conflict(gemm_problem({8, 8, 8}),
               {factor(CKind::kEqual, kGlb, kM, 2), factor(CKind::kEqual, kReg, kM, 2),
                factor(CKind::kAtLeast, kDram, kM, 3), factor(CKind::kEqual, kGlb, kN, 8),
                factor(CKind::kEqual, kReg, kN, 3)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->demands, (Demands{constraint(3), constraint(4)}));
  EXPECT_FALSE(found->reliefs[0].enough);
  EXPECT_EQ(found->reliefs[0].wanted, Number(3));
}

TEST(Conflict, APartition) {
  Memory outer{.name = "outer"};
  Memory inner{.name = "inner", .partitions = {{"A", 40}}};
  const Problem problem(testing::gemm({4, 4, 4}),
                        Arch("two", "", std::nullopt, {outer, inner}, Compute{}));
  const auto found = conflict(problem, {{.kind = CKind::kKeep, .node = kGlb, .tensors = 1},
                                        factor(CKind::kEqual, kGlb, kM, 4)});
  ASSERT_TRUE(found);
  const Demand part{.kind = DKind::kPartition, .node = kGlb, .tensor = TensorId(0)};
  EXPECT_EQ(found->demands, (Demands{constraint(0), constraint(1), part}));
  EXPECT_EQ(found->reliefs[1].wanted, Number(2));
  EXPECT_EQ(found->reliefs[2].now, Number(40));
  EXPECT_EQ(found->reliefs[2].wanted, Number(64));
}

}  // namespace
}  // namespace tilewright
