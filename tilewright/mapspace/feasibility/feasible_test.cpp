// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/feasibility/feasible.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/small_case.h"
#include "tilewright/base/stop.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

using testing::find_broken_rule;
using testing::gemm_problem;
using testing::make_small_case;
using testing::SmallCase;
using testing::try_all;

// The witness is what it claims to be.
void expect_witness(const Problem& problem, const Rules& rules) {
  const std::optional<Mapping> found = find_feasible(problem, rules);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(find_violations(problem, *found).empty());
  EXPECT_EQ(find_broken_rule(problem, rules, *found), "");
}

TEST(Feasible, AgreesWithTryingEverythingOnSmallProblems) {
  int checked = 0;
  int feasible = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const SmallCase made = make_small_case(1, i);
    const Rules rules = make_rules(made.problem, made.kind, made.constraints);
    const Problem problem = made.problem.with(Conventions{.holes_are_data = i % 4 == 0});
    const std::optional<bool> expected = try_all(problem, rules);
    if (!expected) continue;
    ++checked;
    feasible += *expected ? 1 : 0;
    const std::optional<Mapping> found = find_feasible(problem, rules);
    ASSERT_EQ(found.has_value(), *expected) << "case " << i;
    if (!found) continue;
    ASSERT_TRUE(find_violations(problem, *found).empty()) << "case " << i;
    ASSERT_EQ(find_broken_rule(made.problem, rules, *found), "") << "case " << i;
    ASSERT_TRUE(Mapspace(made.problem, rules).contains(*found)) << "case " << i;
  }
  RecordProperty("checked", checked);
  RecordProperty("feasible", feasible);
  EXPECT_GT(checked, 1000);
  EXPECT_GT(feasible, checked / 5);
  EXPECT_LT(feasible, checked * 4 / 5);
}

TEST(Feasible, EverythingGoesToTheOutermostMemory) {
  const Problem problem = gemm_problem({50257, 768, 3072}, {.glb_bits = 48, .reg_bits = 48});
  expect_witness(problem, make_rules(problem, SpaceKind::kRuby, {}));
  expect_witness(problem, make_rules(problem, SpaceKind::kPfm, {}));
}

TEST(Feasible, EndsWhenNobodyWaits) {
  const Problem problem = gemm_problem({3, 2, 2});
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  std::atomic<bool> stop = false;
  EXPECT_TRUE(find_feasible(problem, rules, &stop));
  stop = true;
  EXPECT_THROW(find_feasible(problem, rules, &stop), StoppedError);
}

TEST(Feasible, RequiredTilesMustFit) {
  // reg keeps all three: 3 elements of 16 bits at least.
  const Constraint all{.kind = Constraint::Kind::kKeep, .node = NodeId(3), .tensors = 7};
  const Problem enough = gemm_problem({4, 4, 4}, {.reg_bits = 48});
  expect_witness(enough, make_rules(enough, SpaceKind::kPfm, {{all}}));
  const Problem less = gemm_problem({4, 4, 4}, {.reg_bits = 47});
  EXPECT_FALSE(find_feasible(less, make_rules(less, SpaceKind::kPfm, {{all}})));
}

TEST(Feasible, AMemoryWithLoopsKeepsTheTensorThatFits) {
  // reg splits k by 4: a tile of Z has one element, those of A and B have four.
  const Constraint split{
      .kind = Constraint::Kind::kEqual, .node = NodeId(3), .dim = DimId(2), .value = 4};
  const Problem enough = gemm_problem({4, 4, 4}, {.reg_bits = 16});
  const Rules rules = make_rules(enough, SpaceKind::kPfm, {{split}});
  expect_witness(enough, rules);
  const std::optional<Mapping> found = find_feasible(enough, rules);
  EXPECT_EQ(std::ranges::count(found->nodes(), keep(NodeId(3), only(TensorId(2)))), 1);
  const Problem less = gemm_problem({4, 4, 4}, {.reg_bits = 15});
  EXPECT_FALSE(find_feasible(less, make_rules(less, SpaceKind::kPfm, {{split}})));
}

// Of two dims of 2 one has to go over the axis, which has room for one, and the other into the
// inner memory, where only tiles of two rows fit.
void expect_rows_inside(const std::vector<Dim>& dims, DimId row, DimId column) {
  const auto rank = [](DimId dim) { return Rank{{{dim, 1}}}; };
  const Workload workload("gemv", dims,
                          {{.name = "A", .bits = 1, .ranks = {rank(row), rank(column)}},
                           {.name = "B", .bits = 8, .ranks = {rank(column)}},
                           {.name = "Z", .bits = 1, .ranks = {rank(row)}}});
  std::vector<ArchNode> nodes = {Memory{.name = "outer"},
                                 Fanout{.name = "array", .axes = {{"X", 2}}},
                                 Memory{.name = "inner", .capacity_bits = 15}};
  const Problem problem(workload, Arch("two", "", std::nullopt, std::move(nodes), Compute{}));
  using Kind = Constraint::Kind;
  const std::vector<Constraint> constraints = {
      {.kind = Kind::kAtMost, .node = NodeId(0), .dim = row, .value = 1},
      {.kind = Kind::kAtMost, .node = NodeId(0), .dim = column, .value = 1},
      {.kind = Kind::kKeep, .node = NodeId(2), .tensors = 7}};
  expect_witness(problem, make_rules(problem, SpaceKind::kPfm, constraints));
}

TEST(Feasible, AFailureSaysNothingAboutOtherTiles) {
  expect_rows_inside({{"row", 2}, {"column", 2}}, DimId(0), DimId(1));
  expect_rows_inside({{"column", 2}, {"row", 2}}, DimId(1), DimId(0));
}

// Of three dims of 5 one goes over the axis, which has room for one, and two into the inner memory:
// only without `a` inside do they fit, by 24 + 5 * 16 + 5 * 8 bits and one for Z. With all of `a`
// inside, each of the others fits while the third is not decided.
TEST(Feasible, AFailureSaysNothingAboutWhatAsksLessOfAnotherPart) {
  const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
  const Workload workload("sum", {{"a", 5}, {"b", 5}, {"c", 5}},
                          {{.name = "P", .bits = 24, .ranks = {rank(0)}},
                           {.name = "Q", .bits = 16, .ranks = {rank(1)}},
                           {.name = "R", .bits = 8, .ranks = {rank(2)}},
                           {.name = "Z", .bits = 1, .ranks = {}}});
  std::vector<ArchNode> nodes = {Memory{.name = "outer"},
                                 Fanout{.name = "array", .axes = {{"X", 5}}},
                                 Memory{.name = "inner", .capacity_bits = 150}};
  const Problem problem(workload, Arch("three", "", std::nullopt, std::move(nodes), Compute{}));
  std::vector<Constraint> constraints = {
      {.kind = Constraint::Kind::kKeep, .node = NodeId(2), .tensors = 15}};
  for (int dim = 0; dim < 3; ++dim) {
    constraints.push_back(
        {.kind = Constraint::Kind::kAtMost, .node = NodeId(0), .dim = DimId(dim)});
  }
  expect_witness(problem, make_rules(problem, SpaceKind::kPfm, constraints));
}

TEST(Feasible, ChildrenAreCountedInTheSteadyPass) {
  // Seven of m on 2 x 3 children: remainders fill the array, divisors cannot.
  const Problem problem = gemm_problem({7, 1, 1});
  const Constraint full{.kind = Constraint::Kind::kUtilization, .node = NodeId(2), .share = {1, 1}};
  expect_witness(problem, make_rules(problem, SpaceKind::kRubyS, {{full}}));
  EXPECT_FALSE(find_feasible(problem, make_rules(problem, SpaceKind::kPfm, {{full}})));
}

// Splits of m over DRAM (at most 2), GLB, which keeps a tile of Z, 3 x 2 children and reg.
std::vector<Constraint> split_of_m(std::int64_t least_in_reg, std::int64_t most_in_reg) {
  const DimId m(0);
  return {{.kind = Constraint::Kind::kAtMost, .node = NodeId(0), .dim = m, .value = 2},
          {.kind = Constraint::Kind::kKeep, .node = NodeId(1), .tensors = 4},
          {.kind = Constraint::Kind::kAtLeast, .node = NodeId(3), .dim = m, .value = least_in_reg},
          {.kind = Constraint::Kind::kAtMost, .node = NodeId(3), .dim = m, .value = most_in_reg}};
}

TEST(Feasible, ASmallerExtentIsNotAlwaysBetter) {
  // reg takes 2 or 3 of 6. Only 3 leaves no more than 2 without a tile of more than 3.
  const Problem problem = gemm_problem({6, 1, 1}, {.axes = {}, .glb_bits = 48});
  std::vector<Constraint> split = split_of_m(2, 3);
  for (Constraint& constraint : split) {
    if (constraint.node == NodeId(3)) constraint.node = NodeId(2);  // no fan-out
  }
  expect_witness(problem, make_rules(problem, SpaceKind::kRuby, split));
}

TEST(Feasible, ARemainderCannotBeTakenBack) {
  // Only 3 x 2 children leave two of nine for DRAM; GLB cannot make them up in whole tiles.
  const Problem problem =
      gemm_problem({9, 1, 1}, {.axes = {3, 2}, .glb_bits = std::int64_t{6} * 16});
  expect_witness(problem, make_rules(problem, SpaceKind::kRubyS, split_of_m(1, 1)));
}

TEST(Feasible, ATensorWithoutAHomeHasNoMapping) {
  const Workload workload = testing::gemm({2, 2, 2});
  const Problem problem(workload, Arch("one", "", std::nullopt,
                                       {Memory{.name = "M", .keep = {false, {"A", "Z"}}}}, {}));
  EXPECT_FALSE(find_feasible(problem, make_rules(problem, SpaceKind::kRuby, {})));
}

}  // namespace
}  // namespace tilewright
