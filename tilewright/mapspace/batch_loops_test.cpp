// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/batch_loops.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {
namespace {

constexpr DimId kBatch{0};
constexpr DimId kOther{1};

Memory memory(std::string name, std::optional<std::int64_t> capacity_bits = {}) {
  Memory result;
  result.name = std::move(name);
  result.capacity_bits = capacity_bits;
  return result;
}

Rank rank(DimId dim, std::int64_t coefficient = 1) { return Rank{{{dim, coefficient}}}; }

// Z[b,m] += A[b,m] * B[b] on DRAM - GLB - 3 PEs - RF; `of_b`: B's rank.
Problem make_problem(const Rank& of_b = rank(kBatch), const Selection& in_dram = {}) {
  Memory dram = memory("DRAM");
  dram.keep = in_dram;
  return Problem(
      Workload("scale", {{"b", 10}, {"m", 4}},
               {{"A", "input", 8, {rank(kBatch), rank(kOther)}},
                {"B", "weight", 8, {of_b}},
                {"Z", "output", 8, {rank(kBatch), rank(kOther)}}}),
      Arch("test", "", std::nullopt,
           {dram, memory("GLB", 160), Fanout{.name = "PE", .axes = {{"X", 3}}}, memory("RF", 48)},
           Compute{}));
}

// The most that loops over the dim may be in the blocks of DRAM, GLB and RF.
std::vector<std::int64_t> most(const Rules& rules, DimId dim) {
  std::vector<std::int64_t> result;
  for (const Place& place : rules.places) {
    if (place.is_block()) result.push_back(place.rules[dim.pos()].most);
  }
  return result;
}

constexpr std::int64_t kAny = FactorRule::kNoLimit;

std::vector<std::int64_t> left(SpaceKind kind, const std::vector<Constraint>& constraints = {},
                               const Problem& problem = make_problem(), DimId dim = kBatch) {
  return most(leave_batches_outside(problem, make_rules(problem, kind, constraints)), dim);
}

TEST(BatchLoops, AreLeftToTheOutermostMemory) {
  for (const SpaceKind kind : {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRuby}) {
    EXPECT_EQ(left(kind), (std::vector<std::int64_t>{kAny, 1, 1})) << space_name(kind);
    EXPECT_EQ(left(kind, {}, make_problem(), kOther),
              (std::vector<std::int64_t>{kAny, kAny, kAny}));
  }
}

// 10 in steps of 3 inside the array leave 4 for 4 PEs, but 10 leave none.
TEST(BatchLoops, StayWhereTheyMakeFactorsInSpacePossible) {
  EXPECT_EQ(left(SpaceKind::kRubyT), (std::vector<std::int64_t>{kAny, 1, kAny}));
}

TEST(BatchLoops, StayWhereATensorDependsOnMore) {
  const Problem strided = make_problem(rank(kBatch, 2));
  EXPECT_EQ(left(SpaceKind::kPfm, {}, strided), (std::vector<std::int64_t>{kAny, kAny, kAny}));
  const Problem sum = make_problem(Rank{{{kBatch, 1}, {kOther, 1}}});
  EXPECT_EQ(left(SpaceKind::kPfm, {}, sum), (std::vector<std::int64_t>{kAny, kAny, kAny}));
}

TEST(BatchLoops, StayWhereAConstraintAsksForThem) {
  const Constraint two = {
      .kind = Constraint::Kind::kEqual, .node = NodeId(1), .dim = kBatch, .value = 2};
  EXPECT_EQ(left(SpaceKind::kPfm, {two}), (std::vector<std::int64_t>{kAny, 2, 1}));
  // 10 over 3 PEs are 4, 2 times 2; with a loop of 5 inside they are 1, and 10 is not a multiple.
  EXPECT_EQ(left(SpaceKind::kRubyS, {two}), (std::vector<std::int64_t>{kAny, 2, kAny}));
}

TEST(BatchLoops, StayWhereTheOutermostMemoryIsNotFree) {
  const std::vector<std::int64_t> all = {kAny, kAny, kAny};
  const Constraint order = {
      .kind = Constraint::Kind::kOrder, .node = NodeId(0), .innermost = {kOther}};
  EXPECT_EQ(left(SpaceKind::kPfm, {order}), all);
  const Problem elsewhere = make_problem(rank(kBatch), {.all = false, .names = {"A", "Z"}});
  EXPECT_EQ(left(SpaceKind::kPfm, {}, elsewhere)[1], kAny);
  const Constraint few = {
      .kind = Constraint::Kind::kAtMost, .node = NodeId(0), .dim = kBatch, .value = 2};
  EXPECT_EQ(left(SpaceKind::kPfm, {few}), (std::vector<std::int64_t>{2, kAny, kAny}));
}

}  // namespace
}  // namespace tilewright
