// SPDX-License-Identifier: Apache-2.0
// Every number here was derived by hand from docs/model.md, not taken from a run.
#include <gtest/gtest.h>

#include "tests/cost/engines.h"
#include "tests/support/hand_case.h"

namespace tilewright::hand_case {
namespace {

class Counts : public EngineTest {
 protected:
  // What the buffer gets of input A; DRAM reads the same, there being one child.
  static std::int64_t input_fills(const Problem& problem, std::vector<NestNode> nodes,
                                  Conventions conventions = {}) {
    const Evaluation e = run(problem, std::move(nodes), conventions);
    EXPECT_EQ(e.memories[0].tensors[0].reads, e.memories[1].tensors[0].fills);
    return e.memories[1].tensors[0].fills;
  }

  static Evaluation run_row(const Workload& workload, Multicast multicast, bool reduction,
                            std::vector<NestNode> nodes) {
    return run(make_problem(workload,
                            {memory("DRAM"), fanout("PE", 8, multicast, reduction), memory("PEB")}),
               std::move(nodes));
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, Counts, both_engines(), engine_name);

TEST_P(Counts, GemmOnThreeLevels) {
  const Evaluation e =
      run(three_levels(gemm(4, 6, 8)),
          {keep(0, kAll), time(kK, 2), keep(1, kAll), time(kM, 2), time(kN, 3), space(2, kM, 2),
           space(2, kK, 2), keep(3, kAll), time(kN, 2), time(kK, 2)});
  EXPECT_EQ(e.computes, 192);
  EXPECT_EQ(e.compute_steps, 48);
  EXPECT_EQ(e.cycles, 48);
  EXPECT_EQ(e.compute_instances, 4);
  EXPECT_FALSE(e.bottleneck.valid());
  EXPECT_EQ(e.memories[1].instances, 1);
  EXPECT_EQ(e.memories[2].instances, 4);
  EXPECT_EQ(row(e, 0, 0), (Row{32, 32, 0, 0}));
  EXPECT_EQ(row(e, 0, 1), (Row{48, 48, 0, 0}));
  EXPECT_EQ(row(e, 0, 2), (Row{24, 0, 0, 24}));
  EXPECT_EQ(row(e, 1, 0), (Row{16, 32, 32, 0}));
  EXPECT_EQ(row(e, 1, 1), (Row{24, 96, 48, 0}));
  EXPECT_EQ(row(e, 1, 2), (Row{24, 24, 0, 48}));
  EXPECT_EQ(row(e, 2, 0), (Row{2, 192, 32, 0}));
  EXPECT_EQ(row(e, 2, 1), (Row{4, 192, 192, 0}));
  EXPECT_EQ(row(e, 2, 2), (Row{2, 144, 48, 192}));
  EXPECT_EQ(e.memories[1].tensors[kOutput].accesses, 48);
  EXPECT_EQ(e.memories[2].tensors[kOutput].peak_reads, 36);
  EXPECT_EQ(e.memories[2].tensors[kOutput].peak_writes, 12 + 48);
}

TEST_P(Counts, GemmWithBypasses) {
  const Evaluation e =
      run(three_levels(gemm(4, 6, 8)),
          {keep(0, kAll), time(kK, 2), keep(1, kA | kZ), time(kM, 2), time(kN, 3), space(2, kM, 2),
           space(2, kK, 2), keep(3, kB | kZ), time(kN, 2), time(kK, 2)});
  EXPECT_EQ(row(e, 0, 0), (Row{32, 32, 0, 0}));
  EXPECT_EQ(row(e, 1, 0), (Row{16, 192, 32, 0}));
  EXPECT_FALSE(e.memories[2].tensors[0].kept);
  EXPECT_EQ(row(e, 0, 1), (Row{48, 96, 0, 0}));
  EXPECT_FALSE(e.memories[1].tensors[1].kept);
  EXPECT_EQ(e.memories[1].tensors[1], TensorCounts());
  EXPECT_EQ(row(e, 2, 1), (Row{4, 192, 192, 0}));
}

TEST_P(Counts, MemoryThatKeepsNothingIsListed) {
  const Evaluation e =
      run(three_levels(gemm(4, 6, 8)), {keep(0, kAll), time(kN, 6), time(kK, 8), space(2, kM, 4)});
  ASSERT_EQ(e.memories.size(), 3U);
  EXPECT_EQ(e.memories[1].instances, 1);
  EXPECT_EQ(e.memories[2].instances, 4);
  EXPECT_EQ(e.memories[2].node, NodeId(3));
  EXPECT_EQ(e.memories[2].tensors, std::vector<TensorCounts>(3));
  // The compute units get their elements from DRAM at every step; B's is the same for all four.
  EXPECT_EQ(row(e, 0, 0), (Row{32, 192, 0, 0}));
  EXPECT_EQ(row(e, 0, 1), (Row{48, 48, 0, 0}));
  EXPECT_EQ(row(e, 0, 2), (Row{24, 192 - 24, 0, 192}));
}

// --- sliding ---------------------------------------------------------------------------------

TEST_P(Counts, SlidingWindowGetsOnlyWhatIsNew) {
  const std::vector<NestNode> nest = {keep(0, kAll), time(kP, 4), keep(1, kAll), time(kR, 3),
                                      time(kP, 2)};
  EXPECT_EQ(input_fills(two_levels(conv(1, 8, 3)), nest), 4 + 2 + 2 + 2);
  EXPECT_EQ(input_fills(two_levels(conv(1, 8, 3), false), nest), 4 * 4);
  const Evaluation e = run(two_levels(conv(1, 8, 3)), nest);
  EXPECT_EQ(row(e, 0, 0), (Row{10, 10, 0, 0}));
  EXPECT_EQ(row(e, 1, 0), (Row{4, 24, 10, 0}));
}

TEST_P(Counts, SlidingBackwardsIsTheSame) {
  const std::vector<NestNode> nest = {keep(0, kAll), time(kP, 4), keep(1, kAll), time(kR, 3),
                                      time(kP, 2)};
  EXPECT_EQ(input_fills(two_levels(conv(1, 8, 3, 1, -1)), nest), 4 + 2 + 2 + 2);
  EXPECT_EQ(input_fills(two_levels(conv(1, 8, 3, -1, 1)), nest), 4 + 2 + 2 + 2);
}

TEST_P(Counts, HolesAreDataOnlyByConvention) {
  const std::vector<NestNode> nest = {keep(0, kAll), time(kP, 4), keep(1, kAll), time(kR, 3),
                                      time(kP, 2)};
  const Problem problem = two_levels(conv(1, 8, 3, 2, 2));
  EXPECT_EQ(input_fills(problem, nest), 4 + 2 + 2 + 2);
  Conventions boxes;
  boxes.holes_are_data = true;
  EXPECT_EQ(input_fills(problem, nest, boxes), 7 + 4 + 4 + 4);
  const Evaluation e = run(problem, nest, boxes);
  EXPECT_EQ(row(e, 0, 0), (Row{19, 19, 0, 0}));
  EXPECT_EQ(row(e, 1, 0), (Row{7, 24, 19, 0}));
}

TEST_P(Counts, HolesOfTheOutputAreNeverData) {
  // Z[2p + 2r] += A[p] * B[r]: a transposed convolution, 4 outputs in a span of 7.
  const Workload workload =
      make_workload({{"p", 2}, {"r", 3}}, {{plain(0)}, {plain(1)}, {affine(2, 0, 2, 1)}});
  Conventions boxes;
  boxes.holes_are_data = true;
  const Evaluation e =
      run(two_levels(workload), {keep(0, kAll), keep(1, kAll), time(0, 2), time(1, 3)}, boxes);
  EXPECT_EQ(row(e, 0, 2), (Row{4, 0, 0, 4}));
  EXPECT_EQ(row(e, 1, 2), (Row{4, 2, 0, 6}));
}

TEST_P(Counts, OutputMaySlideToo) {
  // Z[p + r] += A[p] * B[r], p = 4 steps, r = 3 in the buffer: 3 elements, then 1 new one each.
  const Workload workload =
      make_workload({{"p", 4}, {"r", 3}}, {{plain(0)}, {plain(1)}, {affine(1, 0, 1, 1)}});
  const std::vector<NestNode> nest = {keep(0, kAll), time(0, 4), keep(1, kAll), time(1, 3)};
  Evaluation e = run(two_levels(workload), nest);
  EXPECT_EQ(row(e, 0, 2), (Row{6, 0, 0, 6}));
  EXPECT_EQ(row(e, 1, 2), (Row{3, 6, 0, 12}));
  e = run(two_levels(workload, false), nest);
  EXPECT_EQ(row(e, 0, 2), (Row{6, 6, 0, 12}));
  EXPECT_EQ(row(e, 1, 2), (Row{3, 6, 6, 12}));
}

TEST_P(Counts, LoopInsideTheSlideDoesNotBreakIt) {
  EXPECT_EQ(input_fills(two_levels(conv(2, 8, 3)), {keep(0, kAll), time(kP, 4), time(kC, 2),
                                                    keep(1, kAll), time(kR, 3), time(kP, 2)}),
            10);
}

TEST_P(Counts, LoopOutsideTheSlideRestartsIt) {
  EXPECT_EQ(input_fills(two_levels(conv(2, 8, 3)), {keep(0, kAll), time(kC, 2), time(kP, 4),
                                                    keep(1, kAll), time(kR, 3), time(kP, 2)}),
            10 + 10);
}

TEST_P(Counts, SlideGoesOnOverOuterLoopOfTheSameDim) {
  EXPECT_EQ(input_fills(two_levels(conv(1, 12, 3)), {keep(0, kAll), time(kP, 2), time(kP, 3),
                                                     keep(1, kAll), time(kR, 3), time(kP, 2)}),
            4 + 5 * 2);
  // With c between, the two sweeps at c = 0 and c = 1 start over, but p's own advance slides:
  // c = 0: 4 + 2 + 2, c = 1: 4 + 2 + 2, next p: 2 + 2 + 2, c = 1 there: 4 + 2 + 2.
  EXPECT_EQ(
      input_fills(two_levels(conv(2, 12, 3)), {keep(0, kAll), time(kP, 2), time(kC, 2), time(kP, 3),
                                               keep(1, kAll), time(kR, 3), time(kP, 2)}),
      8 + 8 + 6 + 8);
}

TEST_P(Counts, OtherDimOfTheRankBreaksTheSlide) {
  // r outside p: tiles of p 2 x r 1, two elements, moving by 2: nothing overlaps. p outside r:
  // r moves by 1, one new element each; p's advance wraps r back, so all of the tile is new.
  EXPECT_EQ(input_fills(two_levels(conv(1, 8, 3)),
                        {keep(0, kAll), time(kR, 3), time(kP, 4), keep(1, kAll), time(kP, 2)}),
            3 * 8);
  EXPECT_EQ(input_fills(two_levels(conv(1, 8, 3)),
                        {keep(0, kAll), time(kP, 4), time(kR, 3), keep(1, kAll), time(kP, 2)}),
            4 * (2 + 1 + 1));
}

TEST_P(Counts, SpatialLoopOfTheDimBetweenBreaksTheSlide) {
  const Problem problem =
      make_problem(conv(1, 8, 3), {memory("DRAM"), fanout("PE", 2), memory("PEB")});
  // Each PE: 3 + 1 elements, then a jump of 3, and 3 + 1 again.
  Evaluation e = run(problem, {keep(0, kAll), time(kP, 2), space(1, kP, 2), time(kP, 2),
                               keep(2, kAll), time(kR, 3)});
  EXPECT_EQ(e.memories[1].tensors[0].fills, 2 * 8);
  // The spatial loop outside: one sweep of 4 in each.
  e = run(problem,
          {keep(0, kAll), space(1, kP, 2), time(kP, 2), time(kP, 2), keep(2, kAll), time(kR, 3)});
  EXPECT_EQ(e.memories[1].tensors[0].fills, 2 * 6);
}

// --- multicast and reduction -----------------------------------------------------------------

TEST_P(Counts, PartlyOverlappingTiles) {
  const std::vector<NestNode> nest = {keep(0, kAll), space(1, kP, 4), keep(2, kAll), time(kR, 3)};
  const auto reads = [&](Multicast multicast, std::size_t tensor) {
    const Evaluation e = run_row(conv(1, 4, 3), multicast, true, nest);
    EXPECT_EQ(e.memories[1].tensors[tensor].fills, 12);
    EXPECT_EQ(e.memories[0].tensors[tensor].accesses, e.memories[0].tensors[tensor].reads);
    return e.memories[0].tensors[tensor].reads;
  };
  EXPECT_EQ(reads(Multicast::kNone, 0), 12);
  EXPECT_EQ(reads(Multicast::kEqual, 0), 12);
  EXPECT_EQ(reads(Multicast::kOverlap, 0), 6);
  EXPECT_EQ(reads(Multicast::kNone, 1), 12);
  EXPECT_EQ(reads(Multicast::kEqual, 1), 3);
  EXPECT_EQ(reads(Multicast::kOverlap, 1), 3);
}

TEST_P(Counts, EqualDiagonalsShareARead) {
  const std::vector<NestNode> nest = {keep(0, kAll), space(1, kP, 2), space(1, kR, 2),
                                      keep(2, kAll)};
  const auto reads = [&](Multicast multicast, std::size_t tensor) {
    return run_row(conv(1, 2, 2), multicast, true, nest).memories[0].tensors[tensor].reads;
  };
  EXPECT_EQ(reads(Multicast::kNone, 0), 4);
  EXPECT_EQ(reads(Multicast::kEqual, 0), 3);
  EXPECT_EQ(reads(Multicast::kOverlap, 0), 3);
  EXPECT_EQ(reads(Multicast::kNone, 1), 4);
  EXPECT_EQ(reads(Multicast::kEqual, 1), 2);
}

TEST_P(Counts, WithoutReductionEveryPartialSumArrives) {
  const std::vector<NestNode> nest = {keep(0, kAll), space(1, kP, 2), space(1, kR, 2),
                                      keep(2, kAll)};
  Evaluation e = run_row(conv(1, 2, 2), Multicast::kEqual, true, nest);
  EXPECT_EQ(row(e, 0, 2), (Row{2, 0, 0, 2}));
  EXPECT_EQ(row(e, 1, 2), (Row{1, 0, 0, 4}));
  e = run_row(conv(1, 2, 2), Multicast::kEqual, false, nest);
  EXPECT_EQ(row(e, 0, 2), (Row{2, 2, 0, 4}));
  EXPECT_EQ(e.memories[0].tensors[2].accesses, 4);
}

TEST_P(Counts, OverlapReadsTheUnionOfWhatIsNew) {
  // p = 2 in time x 4 in space, r = 3 in the PE: windows 0..5 then 4..9; tiles of one PE do not
  // meet.
  Evaluation e = run_row(conv(1, 8, 3), Multicast::kOverlap, true,
                         {keep(0, kAll), time(kP, 2), space(1, kP, 4), keep(2, kAll), time(kR, 3)});
  EXPECT_EQ(e.memories[0].tensors[0].reads, 6 + 6);
  EXPECT_EQ(e.memories[1].tensors[0].fills, 24);
  // Space outside time: PE i slides over 2i, 2i + 1. First 0-2, 2-4, 4-6, 6-8, then one element
  // each.
  e = run_row(conv(1, 8, 3), Multicast::kOverlap, true,
              {keep(0, kAll), space(1, kP, 4), time(kP, 2), keep(2, kAll), time(kR, 3)});
  EXPECT_EQ(e.memories[0].tensors[0].reads, 9 + 4);
  EXPECT_EQ(e.memories[1].tensors[0].fills, 12 + 4);
}

TEST_P(Counts, EqualTilesThatSlidInFromDifferentOnes) {
  // p = 10 as 2 in space x 2 in time x 3, r = 7 as 3 in space x 3. At the second step PE (p 0, r 2)
  // holds 3..5 + 6 and PE (p 1, r 0) holds 9 + 0..2: the same 9..11. The first held 6..8 before and
  // needs all three, the other held 6..10 and needs one: what either needs is read once.
  const Evaluation e = run_row(conv(1, 10, 7), Multicast::kEqual, true,
                               {keep(0, kAll), space(1, kP, 2), space(1, kR, 3), time(kP, 2),
                                keep(2, kAll), time(kP, 3), time(kR, 3)});
  EXPECT_EQ(e.memories[1].tensors[0].fills, (5 + 5 + 3 + 5 + 5 + 3) + (3 + 3 + 3 + 1 + 1 + 1));
  EXPECT_EQ(e.memories[0].tensors[0].reads, (5 + 5 + 3 + 5 + 5 + 3) + (3 + 3 + 3 + 1 + 1));
}

TEST_P(Counts, FanoutsOfDifferentKinds) {
  const auto reads = [](Multicast outer, Multicast inner, std::vector<NestNode> nodes) {
    const Problem problem = make_problem(conv(2, 4, 3), {memory("DRAM"), fanout("F", 4, outer),
                                                         fanout("G", 4, inner), memory("PEB")});
    return run(problem, std::move(nodes)).memories[0].tensors[0].reads;
  };
  using enum Multicast;
  const std::vector<NestNode> both = {keep(0, kAll), space(1, kC, 2), space(2, kP, 4),
                                      keep(3, kAll), time(kR, 3)};
  EXPECT_EQ(reads(kNone, kNone, both), 24);
  EXPECT_EQ(reads(kNone, kEqual, both), 24);
  EXPECT_EQ(reads(kNone, kOverlap, both), 12);
  EXPECT_EQ(reads(kEqual, kNone, both), 12);
  EXPECT_EQ(reads(kEqual, kEqual, both), 12);
  EXPECT_EQ(reads(kEqual, kOverlap, both), 12);
  EXPECT_EQ(reads(kOverlap, kOverlap, both), 6);
  // A fan-out that carries no loop has no say.
  const std::vector<NestNode> inner = {keep(0, kAll), time(kC, 2), space(2, kP, 4), keep(3, kAll),
                                       time(kR, 3)};
  EXPECT_EQ(reads(kEqual, kOverlap, inner), 6);
  EXPECT_EQ(reads(kNone, kOverlap, inner), 6);
}

// --- remainders ------------------------------------------------------------------------------

TEST_P(Counts, RemainderInTime) {
  const Evaluation e = run(two_levels(gemm(10, 3, 2)), {keep(0, kAll), time(kM, 3), keep(1, kAll),
                                                        time(kM, 4), time(kN, 3), time(kK, 2)});
  EXPECT_EQ(e.computes, 60);
  EXPECT_EQ(e.compute_steps, 60);
  EXPECT_EQ(row(e, 0, 0), (Row{20, 20, 0, 0}));
  EXPECT_EQ(row(e, 1, 0), (Row{8, 60, 20, 0}));
  EXPECT_EQ(row(e, 1, 1), (Row{6, 60, 6, 0}));
  EXPECT_EQ(row(e, 0, 2), (Row{30, 0, 0, 30}));
  EXPECT_EQ(row(e, 1, 2), (Row{12, 30, 0, 60}));
}

Problem pe_row(Workload workload) {
  Memory peb = memory("PEB");
  peb.width_bits = 32;  // two elements
  peb.energy.fill_pj = 1;
  return make_problem(std::move(workload), {memory("DRAM"), fanout("PE", 4), peb});
}

TEST_P(Counts, RemainderInSpaceInside) {
  // Rows 0-3, 4-7, then 8 and 9 on the first two PEs only.
  const Evaluation e = run(pe_row(gemm(10, 3, 2)), {keep(0, kAll), time(kM, 3), space(1, kM, 4),
                                                    keep(2, kAll), time(kN, 3), time(kK, 2)});
  EXPECT_EQ(e.computes, 60);
  EXPECT_EQ(e.compute_steps, 18);
  EXPECT_EQ(e.compute_instances, 4);
  EXPECT_EQ(row(e, 1, 0), (Row{2, 60, 20, 0}));
  EXPECT_EQ(e.memories[1].tensors[0].peak_writes, 6);
  EXPECT_EQ(e.memories[1].tensors[0].peak_reads, 18);
  EXPECT_EQ(row(e, 0, 1), (Row{6, 6, 0, 0}));
  EXPECT_EQ(row(e, 1, 1), (Row{6, 60, 24, 0}));
  // Energy spreads the 20 fills evenly: 5 each, 3 accesses of two elements.
  EXPECT_EQ(e.memories[1].tensors[0].energy_pj, 12);
}

TEST_P(Counts, RemainderInSpaceOutside) {
  // Three rows on each PE but the last, which has one.
  const Evaluation e = run(pe_row(gemm(10, 3, 2)), {keep(0, kAll), space(1, kM, 4), time(kM, 3),
                                                    keep(2, kAll), time(kN, 3), time(kK, 2)});
  EXPECT_EQ(e.computes, 60);
  EXPECT_EQ(e.compute_steps, 18);
  EXPECT_EQ(e.compute_instances, 4);
  EXPECT_EQ(row(e, 1, 0), (Row{2, 60, 20, 0}));
  EXPECT_EQ(e.memories[1].tensors[0].peak_writes, 6);
  EXPECT_EQ(row(e, 0, 1), (Row{6, 6, 0, 0}));
}

TEST_P(Counts, RemaindersNest) {
  // m = 5 as 3 x 2: in the last pass the inner m runs once, and n still makes the tile arrive
  // again (the static rule): 2 passes x 2 x 2 + 1 x 2 x 1.
  const Evaluation e = run(two_levels(gemm(5, 2, 1)),
                           {keep(0, kAll), time(kM, 3), time(kN, 2), time(kM, 2), keep(1, kAll)});
  EXPECT_EQ(e.compute_steps, 10);
  EXPECT_EQ(row(e, 1, 0), (Row{1, 10, 10, 0}));
  EXPECT_EQ(row(e, 1, 1), (Row{1, 10, 6, 0}));
}

TEST_P(Counts, RemainderOfASlidingWindow) {
  // p = 7 as 4 x 2, windows of 4 elements, the last of 3: 4 + 2 + 2 + 1.
  EXPECT_EQ(input_fills(two_levels(conv(1, 7, 3)),
                        {keep(0, kAll), time(kP, 4), keep(1, kAll), time(kR, 3), time(kP, 2)}),
            9);
}

// --- first touches ----------------------------------------------------------

TEST_P(Counts, FirstTouchesAndDrains) {
  const Problem problem = two_levels(gemm(2, 1, 4));
  const std::vector<NestNode> nest = {keep(0, kAll), time(kK, 2), time(kM, 2), keep(1, kAll),
                                      time(kK, 2)};
  Evaluation e = run(problem, nest);
  EXPECT_EQ(row(e, 0, 2), (Row{2, 2, 0, 4}));
  EXPECT_EQ(row(e, 1, 2), (Row{1, 6, 2, 8}));
  Conventions drains;
  drains.drains_are_reads = true;
  e = run(problem, nest, drains);
  EXPECT_EQ(row(e, 0, 2), (Row{2, 2, 0, 4}));
  EXPECT_EQ(row(e, 1, 2), (Row{1, 6 + 4, 2, 8}));
  EXPECT_EQ(e.memories[1].tensors[2].peak_reads, 10);
  EXPECT_EQ(e.memories[1].tensors[2].accesses, 8);
}

TEST_P(Counts, FirstTouchesArePerInstance) {
  // k in space over two PEs without reduction: both hold both rows, neither fetches old sums.
  const Problem problem = make_problem(
      gemm(2, 1, 4), {memory("DRAM"), fanout("PE", 2, Multicast::kEqual, false), memory("PEB")});
  const Evaluation e =
      run(problem, {keep(0, kAll), time(kM, 2), space(1, kK, 2), keep(2, kAll), time(kK, 2)});
  EXPECT_EQ(row(e, 0, 2), (Row{2, 2, 0, 4}));
  EXPECT_EQ(row(e, 1, 2), (Row{1, 4, 0, 8}));
}

}  // namespace
}  // namespace tilewright::hand_case
