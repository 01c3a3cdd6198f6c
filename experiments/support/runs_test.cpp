// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/runs.h"

#include <gtest/gtest.h>

#include <vector>

#include "experiments/support/gemms.h"
#include "experiments/support/program.h"
#include "tilewright/files/files.h"
#include "tilewright/mapspace/mapspace.h"

namespace tilewright {
namespace {

TEST(Runs, OptimalIsTheBestOfAll) {
  const Problem problem(gemm_workload("small", {.m = 6, .n = 4, .k = 4}),
                        library_arch("toy-linear-16"));
  const auto run = run_search(problem, {.instance = "small"}, 60);
  SearchOptions options;
  options.threads = 1;
  const SearchResult all =
      search_exhaustive(Mapspace(problem, make_rules(problem, SpaceKind::kPfm, {})), options);
  ASSERT_TRUE(run.proved && run.found);
  EXPECT_DOUBLE_EQ(run.score(), all.best->score);
  EXPECT_DOUBLE_EQ(run.bound, run.score());
  EXPECT_EQ(run.gap(), 0);
  EXPECT_GT(run.seconds, 0);
  EXPECT_GT(run.utilization.total, 0);
}

TEST(Runs, GapIsAShareOfTheScore) {
  tilewright::Run run;
  EXPECT_EQ(run.gap(), 1);  // nothing is known
  run.found = Found{Mapping({}), {}, 8};
  EXPECT_EQ(run.gap(), 1);
  run.bound = 6;
  EXPECT_DOUBLE_EQ(run.gap(), 0.25);
}

TEST(Runs, Means) {
  EXPECT_DOUBLE_EQ(geomean(std::vector<double>{2, 8}), 4);
  EXPECT_EQ(geomean({}), 0);
  EXPECT_EQ(median({9, 1, 2}), 2);
  EXPECT_EQ(median({9, 1, 2, 4}), 3);
}

TEST(Runs, TargetsDecideTheExitCode) {
  RunOptions options;
  const auto code = [&](auto add) {
    Targets targets;
    add(targets);
    return targets.print();
  };
  EXPECT_EQ(code([](Targets& t) { t.at_most("s", 2, 2); }), 0);
  EXPECT_EQ(code([](Targets& t) { t.at_most("s", 2.1, 2); }), 1);
  EXPECT_EQ(code([](Targets& t) { t.at_least("s", 1.9, 2); }), 1);
  EXPECT_EQ(code([&](Targets& t) { t.count("proved", 57, 60, 57, options); }), 0);
  EXPECT_EQ(code([&](Targets& t) { t.count("proved", 56, 60, 57, options); }), 1);
  EXPECT_EQ(code([&](Targets& t) { t.count("proved", 0, 0, 0, options); }), 1);
  options.only = "XI";  // of some, all are wanted
  EXPECT_EQ(code([&](Targets& t) { t.count("proved", 2, 2, 57, options); }), 0);
  EXPECT_EQ(code([&](Targets& t) { t.count("proved", 1, 2, 57, options); }), 1);
}

}  // namespace
}  // namespace tilewright
