// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "tilewright/base/error.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/evaluate.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::gemm;

Constraint factor_of(NodeId node, DimId dim, Constraint::Kind kind, std::int64_t value) {
  Constraint constraint;
  constraint.kind = kind;
  constraint.node = node;
  constraint.dim = dim;
  constraint.value = value;
  return constraint;
}

TEST(Map, ProvesTheBest) {
  const Problem problem = gemm(6, 4, 7, 300);
  const MapResult mapped = map(problem);
  EXPECT_EQ(mapped.status, Status::kProved);
  ASSERT_TRUE(mapped.search.best.has_value());
  const Found& best = mapped.shown();
  EXPECT_TRUE(find_violations(problem, best.mapping).empty());
  EXPECT_EQ(best.evaluation, evaluate(problem, best.mapping));
  EXPECT_EQ(best.score, score({}, best.evaluation));
  EXPECT_GT(*mapped.size, Natural(1));
  EXPECT_FALSE(mapped.simple || mapped.why || mapped.conflict);
  // The same by going through all of them.
  MapRequest all;
  all.mapper = Mapper::kExhaustive;
  EXPECT_EQ(map(problem, all).shown().score, best.score);
}

TEST(Map, EveryMapperHasOneStatus) {
  const Problem problem = gemm(6, 4, 7, 300);
  MapRequest request;
  for (const auto& [mapper, status] :
       {std::pair(Mapper::kOptimal, Status::kProved), std::pair(Mapper::kLocal, Status::kNotProved),
        std::pair(Mapper::kRandom, Status::kNotProved),
        std::pair(Mapper::kExhaustive, Status::kProved)}) {
    request.mapper = mapper;
    EXPECT_EQ(map(problem, request).status, status) << mapper_name(mapper);
  }
  request.mapper = Mapper::kOptimal;
  request.gap = 0.5;
  const Status wide = map(problem, request).status;
  EXPECT_TRUE(wide == Status::kWithinGap || wide == Status::kProved);
}

// A product on DRAM, a buffer and 16 x 16 units, perfect factors, by energy: figures of
// AccelForge's mappings, as our model evaluates them.
TEST(Map, UnevenPlacementIsBetterWhereABufferIsTight) {
  const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
  const Workload product("product", {{"m", 96}, {"n", 160}, {"k", 224}},
                         {{"A", "input", 16, {rank(0), rank(2)}},
                          {"B", "weight", 16, {rank(2), rank(1)}},
                          {"Z", "output", 16, {rank(0), rank(1)}}});
  const auto tight = [&](std::int64_t kib) {
    Memory dram{.name = "DRAM", .shared_bandwidth = Rational{128, 1}};
    dram.energy = {128, 128, 128, ""};
    Memory glb{.name = "GLB", .capacity_bits = kib * 8192, .shared_bandwidth = Rational{512, 1}};
    glb.energy = {6, 6, 6, ""};
    return Problem(product,
                   Arch("tight", "", std::nullopt,
                        {dram, glb, Fanout{"PE", {{"X", 16}, {"Y", 16}}}}, Compute{"mac", 1.0}),
                   {.drains_are_reads = true});
  };
  MapRequest request;
  request.space = "pfm";
  request.objective = {"energy", *objective_by_name("energy")};
  EXPECT_EQ(map(tight(2), request).shown().score, 54'507'520);
  EXPECT_EQ(map(tight(4), request).shown().score, 44'242'944);
  request.placement = "uneven@GLB";
  const MapResult two = map(tight(2), request);
  EXPECT_EQ(two.status, Status::kProved);
  EXPECT_EQ(two.shown().score, 51'927'040);
  EXPECT_TRUE(find_violations(tight(2), two.shown().mapping).empty());
  EXPECT_EQ(map(tight(4), request).shown().score, 42'321'920);
}

TEST(Map, RefusesAPlacementThatCannotBe) {
  const Problem problem = gemm(6, 4, 7, 300);
  MapRequest request;
  for (const char* placement : {"odd", "uneven@", "uneven@L7", "uneven@DRAM"}) {
    request.placement = placement;
    EXPECT_THROW(map(problem, request), RequestError) << placement;
  }
}

TEST(Map, ProvesUnevenPlacement) {
  const Problem problem = gemm(6, 4, 7, 300);
  MapRequest request;
  request.placement = "uneven";
  request.proof = true;
  const MapResult result = map(problem, request);
  EXPECT_EQ(result.status, Status::kProved);
  EXPECT_FALSE(result.search.opened.empty());
}

TEST(Map, AnswersFurtherQuestions) {
  const Problem problem = gemm(6, 4, 7, 300);
  MapRequest request;
  request.top = 3;
  const MapResult top = map(problem, request);
  ASSERT_EQ(top.alternatives.size(), 3U);
  EXPECT_EQ(top.alternatives[0].found.score, top.search.best->score);
  EXPECT_LE(top.alternatives[1].found.score, top.alternatives[2].found.score);
  request = {};
  request.within = 0.5;
  request.why = true;
  const MapResult further = map(problem, request);
  ASSERT_TRUE(further.simple && further.why);
  EXPECT_LE(further.simple->result.simplicity, further.simple->best);
  EXPECT_EQ(&further.shown(), &further.simple->result.found);
  EXPECT_FALSE(further.why->gains.empty());
}

TEST(Map, SaysWhatCannotHoldTogether) {
  const Problem problem = gemm(6, 4, 7, 300);
  const NodeId dram(0);
  MapRequest request;
  request.constraints = {factor_of(dram, DimId(0), Constraint::Kind::kAtLeast, 5),
                         factor_of(dram, DimId(0), Constraint::Kind::kAtMost, 4)};
  const MapResult mapped = map(problem, request);
  EXPECT_EQ(mapped.status, Status::kContradictory);
  ASSERT_TRUE(mapped.conflict.has_value());
  EXPECT_EQ(mapped.conflict->demands.size(), 2U);
  EXPECT_FALSE(mapped.search.best || mapped.witness);
}

TEST(Map, SaysHowLowACappedFigureGets) {
  const Problem problem = gemm(6, 4, 7, 300);
  MapRequest request;
  request.caps = {{Cap::Figure::kCycles, 1, "latency <= 1 cycles"}};
  const MapResult mapped = map(problem, request);
  EXPECT_EQ(mapped.status, Status::kInfeasible);
  ASSERT_EQ(mapped.cap_bounds.size(), 1U);
  request.caps.clear();
  request.objective = {"latency", *objective_by_name("latency")};
  EXPECT_EQ(mapped.cap_bounds[0].least, map(problem, request).shown().score);
}

TEST(Map, StopsWhenTold) {
  const Problem problem = gemm(6, 4, 7, 300);
  const std::atomic<bool> stop = true;
  MapRequest request;
  request.stop = &stop;
  const MapResult mapped = map(problem, request);
  EXPECT_EQ(mapped.status, Status::kNotFound);
  EXPECT_FALSE(mapped.search.best || mapped.size || mapped.witness);
}

// Whatever is stopped once a mapping is known has a bound, from counts alone at the least.
TEST(Map, HasABoundWheneverItIsStopped) {
  for (const char* space : {"ruby", "pad"}) {
    for (const char* placement : {"even", "uneven"}) {
      std::atomic<bool> stop = false;
      MapRequest request;
      request.space = space;
      request.placement = placement;
      const double best = map(gemm(6, 4, 7, 300), request).shown().score;
      request.stop = &stop;
      request.counted = [&](const SpaceCount&) { stop = true; };
      const MapResult mapped = map(gemm(6, 4, 7, 300), request);
      EXPECT_EQ(mapped.status, Status::kNotProved);
      ASSERT_TRUE(mapped.search.best && mapped.search.bound) << space << placement;
      EXPECT_GT(*mapped.search.bound, 0);
      EXPECT_LE(*mapped.search.bound, best);
    }
  }
}

TEST(Map, TellsHowItGoes) {
  const Problem problem = gemm(6, 4, 7, 300);
  const Constraint small = factor_of(NodeId(0), DimId(0), Constraint::Kind::kAtMost, 4);
  MapRequest request;
  request.constraints = {small};
  request.trace = true;
  int counted = 0;
  request.counted = [&](const SpaceCount& count) {
    ++counted;
    EXPECT_FALSE(count.size.is_zero());
    EXPECT_EQ(count.effects.size(), 1U);
    EXPECT_LE(count.effects[0].with, count.effects[0].without);
  };
  const MapResult mapped = map(problem, request);
  EXPECT_EQ(counted, 1);
  EXPECT_FALSE(mapped.request.counted) << "a result holds no callbacks";
  ASSERT_FALSE(mapped.trace.points.empty());
  EXPECT_EQ(mapped.trace.points.back().best, mapped.search.best->score);
}

TEST(Map, RefusesWhatCannotBe) {
  const Problem problem = gemm(6, 4, 7, 300);
  MapRequest request;
  request.mapper = Mapper::kRandom;
  request.gap = 0.1;
  EXPECT_THROW(map(problem, request), RequestError);
  request = {};
  request.mapper = Mapper::kExhaustive;
  request.max_seen = 10;
  EXPECT_THROW(map(problem, request), RequestError);
  request.max_seen = 0;
  request.space = "ruby";
  request.max_seconds = 1;  // it is refused before it begins, or this test fails in a second
  const std::int64_t large = 720720;
  EXPECT_THROW(map(gemm(large, large, large, 60'000), request), RequestError);
}

TEST(Map, PaddingSearchesSeveralSizes) {
  MapRequest request;
  request.space = "pad";
  const MapResult mapped = map(gemm(7, 5, 6, 600), request);
  EXPECT_GT(mapped.space.problems.size(), 1U);
  EXPECT_EQ(mapped.status, Status::kProved);
  EXPECT_EQ(mapped.shown().evaluation, evaluate(mapped.best_problem(), mapped.shown().mapping));
}

// Most sizes are left out by their bounds; the best of all of them, searched one by one, is the
// same.
TEST(Map, PaddingLeavesOutNoBetterSize) {
  for (const std::int64_t m : {5, 7, 11, 13, 16}) {
    MapRequest request;
    request.space = "pad";
    const MapResult mapped = map(gemm(m, 5, 7, 600), request);
    double least = std::numeric_limits<double>::infinity();
    MapRequest one;
    one.space = "pfm";
    for (const Problem& problem : mapped.space.problems) {
      least = std::min(least, map(problem, one).shown().score);
    }
    EXPECT_EQ(mapped.status, Status::kProved);
    EXPECT_DOUBLE_EQ(mapped.shown().score, least) << m;
    EXPECT_DOUBLE_EQ(*mapped.search.bound, least) << m;
  }
}

}  // namespace
}  // namespace tilewright
