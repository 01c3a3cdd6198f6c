// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/run/local_run.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <sstream>

#include "tilewright/sweep/sweep_test_support.h"

namespace tilewright {
namespace {

std::vector<Row> rows_of(const Store& store) {
  std::vector<Row> rows;
  store.for_each([&](const Row& row) { rows.push_back(row); });
  return rows;
}

void expect_equal(const std::vector<Row>& a, const std::vector<Row>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].same_answer(b[i])) << i;
}

std::vector<pid_t> children() {
  std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
  std::vector<pid_t> processes;
  for (pid_t process = 0; file >> process;) processes.push_back(process);
  return processes;
}

TEST(LocalRun, SolvesEverythingOnceForAnyNumberOfJobs) {
  const TestFolder folder;
  const SweepPlan plan = small_plan();
  Store one(folder.file("one.db"), Store::Mode::kWrite);
  const SweepProgress progress = run_local(plan, one, {.jobs = 1});
  EXPECT_EQ(progress.solved, 72U);
  EXPECT_EQ(progress.settled, 72U);
  EXPECT_EQ(run_local(plan, one, {.jobs = 1}).solved, 0U);
  Store three(folder.file("three.db"), Store::Mode::kWrite);
  run_local(plan, three, {.jobs = 3});
  expect_equal(rows_of(one), rows_of(three));
  EXPECT_TRUE(children().empty());
}

TEST(LocalRun, ShardsMergeToTheWhole) {
  const TestFolder folder;
  const SweepPlan plan = small_plan();
  Store whole(folder.file("whole.db"), Store::Mode::kWrite);
  run_local(plan, whole, {.jobs = 1});
  Store merged(folder.file("merged.db"), Store::Mode::kWrite);
  for (std::uint64_t i = 0; i < 3; ++i) {
    Store part(folder.file("part.db" + std::to_string(i)), Store::Mode::kWrite);
    run_local(plan, part, {.shard = {i, 3}, .jobs = 1});
    EXPECT_TRUE(merge(merged, part).differ.empty());
  }
  expect_equal(rows_of(whole), rows_of(merged));
}

TEST(LocalRun, KilledWorkersCostNothingButTime) {
  const TestFolder folder;
  const SweepPlan plan = plan_of(R"(sweep:
  arch: eyeriss
  parameters: {x: 2..9, y: 2..9}
  set: {PE.axes.X: x, PE.axes.Y: y}
  workloads: [gemm 12 20 8]
)");
  Store calm(folder.file("calm.db"), Store::Mode::kWrite);
  run_local(plan, calm, {.jobs = 2});
  Store wild(folder.file("wild.db"), Store::Mode::kWrite);
  int kills = 0;
  const SweepProgress progress = run_local(plan, wild, {.jobs = 2, .progress = [&](const auto&) {
                                                          if (kills >= 5 || children().empty())
                                                            return;
                                                          ++kills;
                                                          kill(children().front(), SIGKILL);
                                                        }});
  EXPECT_GT(kills, 0);
  EXPECT_EQ(progress.solved, plan.problems());
  EXPECT_EQ(progress.failed, 0U);
  expect_equal(rows_of(calm), rows_of(wild));
}

TEST(LocalRun, AProblemThatHangsCostsItselfOnly) {
  const TestFolder folder;
  const SweepPlan plan = plan_of(R"(sweep:
  arch: eyeriss
  workloads: [gemm 2 2 2, resnet50/conv1, gemm 2 3 2]
  spaces: [ruby]
)");
  Store store(folder.file("a.db"), Store::Mode::kWrite);
  const SweepProgress progress = run_local(plan, store, {.jobs = 1, .most_seconds = 2});
  EXPECT_EQ(progress.solved, 3U);
  EXPECT_EQ(progress.settled, 2U);
  EXPECT_EQ(progress.failed, 1U);
}

TEST(LocalRun, StopsWhenAsked) {
  const TestFolder folder;
  const SweepPlan plan = small_plan();
  Store store(folder.file("a.db"), Store::Mode::kWrite);
  const std::atomic<bool> stop = true;
  EXPECT_EQ(run_local(plan, store, {.jobs = 2, .stop = &stop}).solved, 0U);
  EXPECT_TRUE(children().empty());
}

}  // namespace
}  // namespace tilewright
