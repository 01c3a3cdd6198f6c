// SPDX-License-Identifier: Apache-2.0
#include "tilewright/model/derive.h"

#include <gtest/gtest.h>

#include "tests/support/random_case.h"
#include "tilewright/base/error.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/model/model_test_support.h"

namespace tilewright::hand_case {
namespace {

using Kind = LoopRole::Kind;

std::vector<Kind> kinds(const Derivation& why) {
  std::vector<Kind> result;
  for (const LoopRole& role : why.loops) result.push_back(role.kind);
  return result;
}

// dim and count, one after the other
std::vector<std::int64_t> numbers(const std::vector<DimCount>& counts) {
  std::vector<std::int64_t> result;
  for (const DimCount& count : counts) {
    result.push_back(count.dim.value);
    result.push_back(count.count);
  }
  return result;
}
using Numbers = std::vector<std::int64_t>;

constexpr TensorId kInA(0), kInB(1), kOutZ(2);

const Mapping kGemm({keep(0, kAll), time(kK, 2), keep(1, kAll), time(kM, 2), time(kN, 3),
                     space(2, kM, 2), space(2, kK, 2), keep(3, kAll), time(kN, 2), time(kK, 2)});

TEST(Derive, SaysWhatEachLoopDoes) {
  using enum Kind;
  const Problem problem = three_levels(gemm(4, 6, 8));
  // B from the GLB: 48 elements, twice (m in time), shared by the PEs of one column.
  Derivation why = derive(problem, kGemm, NodeId(1), kInB, Action::kReads);
  EXPECT_EQ(why.parent, NodeId(1));
  EXPECT_EQ(why.child, NodeId(3));
  EXPECT_EQ(why.child_tile, 4);
  EXPECT_EQ(kinds(why), (std::vector{kMoves, kRepeats, kMoves, kShares, kSplits}));
  EXPECT_EQ(why.loops.front().position, 1);
  EXPECT_EQ(why.loops.back().position, 6);
  EXPECT_EQ(numbers(why.elements), (Numbers{kN, 6, kK, 8}));
  EXPECT_EQ(numbers(why.passes), (Numbers{kM, 2}));
  EXPECT_FALSE(why.has_affine);
  EXPECT_EQ(why.whole, 96);
  EXPECT_EQ(why.value, 96);
  // The PEs' side: nothing is shared there.
  why = derive(problem, kGemm, NodeId(3), kInB, Action::kFills);
  EXPECT_EQ(why.parent, NodeId(1));
  EXPECT_EQ(why.child, NodeId(3));
  EXPECT_EQ(kinds(why), (std::vector{kMoves, kRepeats, kMoves, kCopies, kSplits}));
  EXPECT_EQ(numbers(why.passes), (Numbers{kM, 4}));
  EXPECT_EQ(why.value, 192);
  // A stays in the PE while n runs.
  why = derive(problem, kGemm, NodeId(1), kInA, Action::kReads);
  EXPECT_EQ(kinds(why), (std::vector{kMoves, kMoves, kStays, kSplits, kSplits}));
  EXPECT_EQ(numbers(why.passes), Numbers());
  EXPECT_EQ(why.value, 32);
  // The units get an element at every step, n or not.
  why = derive(problem, kGemm, NodeId(3), kInA, Action::kReads);
  EXPECT_FALSE(why.child.valid());
  EXPECT_EQ(why.child_tile, 1);
  EXPECT_EQ(kinds(why),
            (std::vector{kMoves, kMoves, kRepeats, kSplits, kSplits, kRepeats, kMoves}));
  EXPECT_EQ(numbers(why.passes), (Numbers{kN, 6}));
  EXPECT_EQ(why.value, 192);
}

TEST(Derive, LeavesOutFirstTouches) {
  const Problem problem = three_levels(gemm(4, 6, 8));
  Derivation why = derive(problem, kGemm, NodeId(1), kOutZ, Action::kUpdates);
  EXPECT_EQ(why.whole, 48);
  EXPECT_EQ(why.first_touches, 0);
  EXPECT_EQ(why.value, 48);
  why = derive(problem, kGemm, NodeId(1), kOutZ, Action::kReads);
  EXPECT_EQ(why.whole, 48);
  EXPECT_EQ(why.first_touches, 24);
  EXPECT_EQ(why.value, 24);
  // The PEs get 96, hold 48 for the first time.
  why = derive(problem, kGemm, NodeId(3), kOutZ, Action::kFills);
  EXPECT_EQ(why.whole, 96);
  EXPECT_EQ(why.first_touches, 48);
  EXPECT_EQ(why.value, 48);
  // They hand out 96 and read 192 - 48.
  const Problem drains = problem.with(Conventions{.drains_are_reads = true});
  why = derive(drains, kGemm, NodeId(3), kOutZ, Action::kReads);
  EXPECT_EQ(why.drained, 96);
  EXPECT_EQ(why.value, 192 - 48 + 96);
  why = derive(drains, kGemm, NodeId(0), kOutZ, Action::kReads);
  EXPECT_EQ(why.drained, 0);
  EXPECT_EQ(why.value, 0);
}

TEST(Derive, HasNothingToSayWhereNothingHappens) {
  const Problem problem = three_levels(gemm(4, 6, 8));
  Derivation why = derive(problem, kGemm, NodeId(0), kInA, Action::kFills);
  EXPECT_EQ(why.value, 0);
  EXPECT_TRUE(why.loops.empty());
  EXPECT_FALSE(why.parent.valid());
  why = derive(problem, kGemm, NodeId(1), kInA, Action::kUpdates);
  EXPECT_EQ(why.value, 0);
  EXPECT_TRUE(why.loops.empty());
  const Mapping bypass(
      {keep(0, kAll), time(kK, 2), keep(1, kB | kZ), time(kM, 4), time(kN, 6), time(kK, 4)});
  EXPECT_THROW(derive(problem, bypass, NodeId(1), kInA, Action::kReads), InternalError);
}

TEST(Derive, SaysWhatSlidingHoldsBack) {
  // Four tiles of 4 elements, of which the last three bring 2: c runs outside, twice.
  const Mapping mapping(
      {keep(0, kAll), time(kC, 2), time(kP, 4), keep(1, kAll), time(kR, 3), time(kP, 2)});
  const Problem problem = two_levels(conv(2, 8, 3));
  const Derivation why = derive(problem, mapping, NodeId(1), kInA, Action::kFills);
  EXPECT_TRUE(why.has_affine);
  EXPECT_EQ(why.child_tile, 4);
  EXPECT_EQ(numbers(why.elements), Numbers());
  EXPECT_EQ(why.affine, 16);
  EXPECT_EQ(numbers(why.passes), (Numbers{kC, 2}));
  EXPECT_EQ(why.whole, 32);
  EXPECT_EQ(why.held_back, 12);
  EXPECT_EQ(why.value, 20);
  EXPECT_EQ(derive(problem, mapping, NodeId(0), kInA, Action::kReads).held_back, 12);
}

TEST(Derive, CountsRaggedPasses) {
  // Ten rows on four PEs in three passes: B's three columns of two come to each PE as long as it
  // has rows: 10 times, but once for all PEs of a pass.
  const Problem problem =
      make_problem(gemm(10, 3, 2), {memory("DRAM"), fanout("PE", 4), memory("PEB")});
  const Mapping mapping(
      {keep(0, kAll), time(kM, 3), time(kK, 2), space(1, kM, 4), keep(2, kAll), time(kN, 3)});
  Derivation why = derive(problem, mapping, NodeId(0), kInB, Action::kReads);
  EXPECT_EQ(numbers(why.passes), (Numbers{kM, 3}));
  EXPECT_EQ(why.value, 6 * 3);
  why = derive(problem, mapping, NodeId(2), kInB, Action::kFills);
  EXPECT_EQ(numbers(why.passes), (Numbers{kM, 10}));
  EXPECT_EQ(why.value, 6 * 10);
}

TEST(DeriveEnergy, AddsUpToTheEnergyOfTheTensor) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const testing::RandomCase c = testing::make_case(17, i);
    const Evaluation evaluation = evaluate(c.problem, c.mapping);
    for (const MemoryEvaluation& memory : evaluation.memories) {
      for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
        if (!memory.tensors[t].kept) continue;
        double sum = 0;
        for (const ActionCost& cost : derive_energy(c.problem, memory, TensorId(t))) {
          sum += cost.energy_pj();
        }
        EXPECT_NEAR(sum, memory.tensors[t].energy_pj, 1e-9 * memory.tensors[t].energy_pj) << i;
      }
    }
  }
}

}  // namespace
}  // namespace tilewright::hand_case
