// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/problem_tables.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::memory;

// Z[p] += I[stride p + r] * W[r] on DRAM - two children with an L0 each, which retains overlaps.
struct Strided {
  Strided(std::int64_t stride, SpaceKind kind, Selection sliding = {})
      : problem(make_problem(stride, std::move(sliding))),
        rules(make_rules(problem, kind, {})),
        tables(problem, rules) {}

  static Problem make_problem(std::int64_t stride, Selection sliding) {
    Memory inner = memory("L0", 1);
    inner.sliding = std::move(sliding);
    return Problem(
        Workload("conv", {{"p", 6}, {"r", 3}},
                 {{"I", "input", 8, {Rank{{{DimId(0), stride}, {DimId(1), 1}}}}},
                  {"W", "weight", 8, {Rank{{{DimId(1), 1}}}}},
                  {"Z", "output", 8, {Rank{{{DimId(0), 1}}}}}}),
        Arch("two", "", std::nullopt,
             {memory("DRAM", 100), Fanout{.name = "PE", .axes = {{"X", 2}}}, inner}, Compute{}));
  }
  // Whether the link of the tensor into L0 counts in the time of a memory.
  bool knows_time(int of_memory, std::size_t tensor) const {
    const Resource time{.kind = Resource::Kind::kTime, .prices = {}, .memory = of_memory};
    return tables.knows(time, tensor, 1);
  }

  Problem problem;
  Rules rules;
  ProblemTables tables;
};

TEST(Knows, NotTheTimeOfSeveralInstancesWhereASlideLeavesHolesAndLoopsRemainders) {
  for (const SpaceKind kind : {SpaceKind::kRuby, SpaceKind::kRubyS, SpaceKind::kRubyT}) {
    const Strided strided(2, kind);
    EXPECT_FALSE(strided.knows_time(1, 0));
    EXPECT_TRUE(strided.knows_time(1, 1));
    EXPECT_TRUE(strided.knows_time(1, 2));
    EXPECT_TRUE(strided.knows_time(0, 0));  // there is one DRAM
    EXPECT_TRUE(strided.tables.knows({.kind = Resource::Kind::kEnergy}, 0, 1));
  }
}

TEST(Knows, EverythingWithoutHolesOrRemaindersOrSlides) {
  EXPECT_TRUE(Strided(1, SpaceKind::kRuby).knows_time(1, 0));
  EXPECT_TRUE(Strided(2, SpaceKind::kPfm).knows_time(1, 0));
  EXPECT_TRUE(Strided(2, SpaceKind::kRuby, {false, {}}).knows_time(1, 0));
}

}  // namespace
}  // namespace tilewright
