// SPDX-License-Identifier: Apache-2.0
// The worked examples of docs/timeloop-counting.md.
#include "tilewright/compat/counts.h"

#include <gtest/gtest.h>

#include "tests/support/hand_case.h"

namespace tilewright::compat {
namespace {

using namespace hand_case;  // NOLINT(google-build-using-namespace)

TimeloopAnswer answer(const Problem& problem, const std::vector<NestNode>& nodes,
                      const TimeloopRules& rules = {}) {
  const NestReading reading = read_levels(problem, Mapping(nodes));
  EXPECT_TRUE(reading.obstacles.empty());
  return count_timeloop(problem, reading.nest, rules);
}

TimeloopFigures count(const Problem& problem, const std::vector<NestNode>& nodes,
                      const TimeloopRules& rules = {}) {
  return answer(problem, nodes, rules).figures;
}

// tile, reads, fills, updates of an instance
Row row(const TimeloopFigures& figures, std::size_t memory, std::size_t tensor) {
  const TensorFigures& of = figures.memories[memory].tensors[tensor];
  return {of.tile, of.reads, of.fills, of.updates};
}

TimeloopRules without(bool TimeloopRules::*rule) {
  TimeloopRules rules;
  rules.*rule = false;
  return rules;
}

// One buffer, or DRAM, a global buffer and PEs, with rows of A alone of interest.
constexpr int kFanout = 2;

TEST(TimeloopCounting, CountsAProductOnFourUnits) {
  const Problem problem = three_levels(gemm(4, 6, 8));
  const std::vector<NestNode> nest = {
      keep(0, kAll),         time(kK, 2),           keep(1, kAll), time(kM, 2), time(kN, 3),
      space(kFanout, kM, 2), space(kFanout, kK, 2), keep(3, kAll), time(kN, 2), time(kK, 2)};
  const TimeloopFigures figures = count(problem, nest);
  EXPECT_EQ(row(figures, 0, 0), (Row{32, 32, 0, 0}));
  EXPECT_EQ(row(figures, 1, 0), (Row{16, 32, 32, 0}));
  EXPECT_EQ(row(figures, 2, 0), (Row{2, 48, 8, 0}));
  EXPECT_EQ(row(figures, 1, 1), (Row{24, 96, 48, 0}));
  EXPECT_EQ(row(figures, 2, 1), (Row{4, 48, 48, 0}));
  EXPECT_EQ(row(figures, 0, 2), (Row{24, 0, 0, 24}));
  EXPECT_EQ(row(figures, 1, 2), (Row{24, 24, 0, 48}));
  EXPECT_EQ(row(figures, 2, 2), (Row{2, 36, 12, 48}));
  EXPECT_EQ(figures.cycles, 48);
  EXPECT_EQ(figures.memories[1].tensors[1].accesses,
            (std::map<Fanning, double>{{{.multicast = 2, .scatter = 2}, 96}}));
  const TimeloopFigures always = count(problem, nest, without(&TimeloopRules::first_read_elision));
  EXPECT_EQ(row(always, 2, 2), (Row{2, 48, 24, 48}));
}

TEST(TimeloopCounting, PutsTheTrafficOfABypassedMemoryOnTheOneOutside) {
  const TimeloopFigures figures =
      count(three_levels(gemm(4, 6, 8)), {keep(0, kAll), time(kK, 2), keep(1, kA | kZ), time(kM, 2),
                                          time(kN, 3), space(kFanout, kM, 2), space(kFanout, kK, 2),
                                          keep(3, kB | kZ), time(kN, 2), time(kK, 2)});
  EXPECT_EQ(row(figures, 1, 0), (Row{16, 192, 32, 0}));
  EXPECT_EQ(row(figures, 0, 1), (Row{48, 96, 0, 0}));
  EXPECT_EQ(row(figures, 2, 1), (Row{4, 48, 48, 0}));
}

TEST(TimeloopCounting, KeepsTheOverlapOfASlide) {
  const auto reads = [](const Problem& problem, const std::vector<NestNode>& outside) {
    std::vector<NestNode> nest = {keep(0, kAll)};
    nest.insert(nest.end(), outside.begin(), outside.end());
    nest.insert(nest.end(), {keep(1, kAll), time(kP, 2), time(kR, 3)});
    return count(problem, nest).memories[0].tensors[0].reads;
  };
  EXPECT_EQ(reads(two_levels(conv(1, 8, 3)), {time(kP, 4)}), 10);
  EXPECT_EQ(reads(two_levels(conv(1, 8, 3, 2, 2)), {time(kP, 4)}), 19);
  const Problem channels = two_levels(conv(2, 8, 3));
  EXPECT_EQ(reads(channels, {time(kP, 4), time(kC, 2)}), 10);
  EXPECT_EQ(reads(channels, {time(kC, 2), time(kP, 4)}), 20);
}

TEST(TimeloopCounting, OldTimeloopsForgotASlideWhileTheTileStoodStill) {
  const auto reads = [](const std::vector<NestNode>& outside) {
    std::vector<NestNode> nest = {keep(0, kAll)};
    nest.insert(nest.end(), outside.begin(), outside.end());
    nest.insert(nest.end(), {keep(1, kAll), time(kP, 2), time(kR, 3)});
    return count(two_levels(conv(2, 8, 3)), nest, without(&TimeloopRules::slides_after_rest))
        .memories[0]
        .tensors[0]
        .reads;
  };
  EXPECT_EQ(reads({time(kP, 4), time(kC, 2)}), 16);  // four whole tiles, not 4 + 2 + 2 + 2
  EXPECT_EQ(reads({time(kC, 2), time(kP, 4)}), 20);  // the tile moves at every step
}

TEST(TimeloopCounting, OldTimeloopsSharedByDimsOnly) {
  const Problem problem = three_levels(conv(1, 2, 2));
  const std::vector<NestNode> nest = {keep(0, kAll), keep(1, kAll), space(kFanout, kP, 2),
                                      space(kFanout, kR, 2), keep(3, kAll)};
  EXPECT_EQ(count(problem, nest).memories[1].tensors[0].reads, 3);  // p + r is 0, 1, 1, 2
  EXPECT_EQ(
      count(problem, nest, without(&TimeloopRules::shares_by_content)).memories[1].tensors[0].reads,
      4);
  EXPECT_EQ(
      count(problem, nest, without(&TimeloopRules::shares_by_content)).memories[1].tensors[1].reads,
      2);  // weights depend on r alone
}

TEST(TimeloopCounting, CountsTheHolesOfAStride) {
  const Problem problem = two_levels(conv(1, 4, 1, 2));
  const std::vector<NestNode> nest = {keep(0, kAll), keep(1, kAll), time(kP, 4)};
  EXPECT_EQ(row(count(problem, nest), 1, 0), (Row{7, 4, 7, 0}));
  EXPECT_EQ(row(count(problem, nest, without(&TimeloopRules::bounding_boxes)), 1, 0),
            (Row{4, 4, 4, 0}));
}

TEST(TimeloopCounting, LosesASlideAfterALoopOfThree) {
  const Problem problem =
      make_problem(conv(1, 12, 3), {memory("DRAM"), memory("GLB"), memory("BUF")});
  const auto fills = [&](std::int64_t outer, std::int64_t inner, const TimeloopRules& rules) {
    return count(problem,
                 {keep(0, kAll), time(kP, outer), keep(1, kAll), time(kP, inner), keep(2, kAll),
                  time(kP, 2), time(kR, 3)},
                 rules)
        .memories[2]
        .tensors[0]
        .fills;
  };
  EXPECT_EQ(fills(3, 2, {}), 14);
  EXPECT_EQ(fills(2, 3, {}), 16);
  EXPECT_EQ(fills(2, 3, without(&TimeloopRules::time_extrapolation)), 14);
}

TEST(TimeloopCounting, SharesEqualTilesOnly) {
  const auto problem = [](std::int64_t p, std::int64_t r, std::int64_t units) {
    return make_problem(conv(1, p, r), {memory("GLB"), fanout("PE", units), memory("BUF")});
  };
  const TimeloopFigures rows =
      count(problem(4, 3, 4), {keep(0, kAll), space(1, kP, 4), keep(2, kAll), time(kR, 3)});
  EXPECT_EQ(rows.memories[0].tensors[0].reads, 12);
  const TimeloopFigures diagonals =
      count(problem(2, 2, 4), {keep(0, kAll), space(1, kP, 2), space(1, kR, 2), keep(2, kAll)});
  EXPECT_EQ(diagonals.memories[0].tensors[0].accesses,
            (std::map<Fanning, double>{{{.multicast = 1, .scatter = 2}, 2},
                                       {{.multicast = 2, .scatter = 1}, 1}}));
}

TEST(TimeloopCounting, OvercountsARemainderInTime) {
  const auto nest = [](std::int64_t outer, std::int64_t inner) {
    return std::vector<NestNode>{keep(0, kAll),   time(kM, outer), keep(1, kAll),
                                 time(kM, inner), time(kN, 3),     time(kK, 2)};
  };
  const Problem ten = two_levels(gemm(10, 3, 2));
  const TimeloopFigures figures = count(ten, nest(3, 4));
  EXPECT_EQ(figures.memories[0].tensors[0].reads, 24);
  EXPECT_EQ(figures.computes, 60);
  EXPECT_EQ(figures.cycles, 72);
  EXPECT_EQ(count(ten, nest(3, 4), without(&TimeloopRules::steps_by_factors)).cycles, 60);
  EXPECT_EQ(count(ten, nest(3, 4), without(&TimeloopRules::time_extrapolation))
                .memories[0]
                .tensors[0]
                .reads,
            20);
  EXPECT_EQ(count(two_levels(gemm(7, 3, 2)), nest(2, 4)).memories[0].tensors[0].reads, 14);
}

TEST(TimeloopCounting, CutsTheAverageOfInstances) {
  const Problem problem = three_levels(gemm(10, 3, 2));
  const std::vector<NestNode> nest = {
      keep(0, kAll), keep(1, kAll), time(kM, 3), space(kFanout, kM, 4),
      keep(3, kAll), time(kN, 3),   time(kK, 2)};
  const TimeloopFigures figures = count(problem, nest);
  EXPECT_EQ(figures.memories[2].instances, 3);
  EXPECT_EQ(figures.computes, 54);
  EXPECT_EQ(figures.memories[2].tensors[2].share, 7);
  EXPECT_EQ(figures.memories[2].tensors[2].fills, 1);
  const TimeloopFigures exact = count(problem, nest, iterating_rules());
  EXPECT_EQ(exact.memories[2].instances, 4);
  EXPECT_EQ(exact.computes, 60);
}

TEST(TimeloopCounting, TakesTheFirstInstanceForAllOthers) {
  const Problem problem = three_levels(gemm(15, 2, 2));
  const std::vector<NestNode> nest = {keep(0, kAll), keep(1, kAll), space(kFanout, kM, 4),
                                      keep(3, kAll), time(kM, 4),   time(kN, 2),
                                      time(kK, 2)};
  const TimeloopFigures figures = count(problem, nest);
  EXPECT_EQ(figures.computes, 64);
  EXPECT_EQ(figures.memories[1].tensors[0].reads, 32);
  const TimeloopFigures exact = count(problem, nest, iterating_rules());
  EXPECT_EQ(exact.computes, 60);
  EXPECT_EQ(exact.memories[1].tensors[0].reads, 30);
}

TEST(TimeloopCounting, PassesOnToNeighbours) {
  // B moves by one unit a step: what unit i needs, unit i + 1 had the step before.
  const Problem problem =
      make_problem(conv(1, 4, 4), {memory("GLB"), fanout("PE", 4), memory("BUF")});
  const std::vector<NestNode> nest = {keep(0, kAll), time(kR, 4), space(1, kP, 4), keep(2, kAll)};
  const TimeloopFigures figures = count(problem, nest);
  EXPECT_EQ(figures.memories[0].tensors[0].reads, 7);
  EXPECT_EQ(figures.memories[0].tensors[0].link_transfers, 9);
  const TimeloopFigures plain = count(problem, nest, without(&TimeloopRules::link_transfers));
  EXPECT_EQ(plain.memories[0].tensors[0].reads, 16);
}

TEST(TimeloopCounting, RefusesWhatDoesNotFit) {
  Memory small = memory("BUF");
  small.capacity_bits = 16 * 10;
  const Problem problem = make_problem(gemm(4, 2, 2), {memory("DRAM"), small});
  const std::vector<NestNode> nest = {keep(0, kAll), keep(1, kAll), time(kM, 4), time(kN, 2),
                                      time(kK, 2)};
  const std::vector<Refusal> refusals = answer(problem, nest).refusals;
  ASSERT_EQ(refusals.size(), 1U);
  EXPECT_EQ(to_text(problem, refusals.front()), "the tiles in BUF need 20 words; 10 fit");
}

}  // namespace
}  // namespace tilewright::compat
