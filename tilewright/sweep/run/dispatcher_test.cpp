// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/run/dispatcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tilewright/sweep/run/solve.h"
#include "tilewright/sweep/sweep_test_support.h"

namespace tilewright {
namespace {

using Numbers = std::vector<std::uint64_t>;

class DispatcherTest : public ::testing::Test {
 protected:
  Row row(std::uint64_t number) const {
    const SweepProblem problem = plan_.problem(number);
    Row row;
    row.key = plan_.key(plan_.design(problem.design), problem.workload, problem.request);
    row.status = "proved";
    row.score = 1;
    row.body = "mapping";
    row.seconds = 0.01;
    return row;
  }

  void answer(Dispatcher& dispatcher, const Numbers& numbers) const {
    for (const std::uint64_t number : numbers) dispatcher.answer(number, row(number));
  }

  TestFolder folder_;
  const SweepPlan plan_ = small_plan();
};

TEST_F(DispatcherTest, HandsOutEveryProblemOnce) {
  Store store(folder_.file("a.db"), Store::Mode::kWrite);
  Dispatcher dispatcher(plan_, store, {.chunk_seconds = 0.05});
  std::set<std::uint64_t> seen;
  while (!dispatcher.finished()) {
    const Numbers chunk = dispatcher.next();
    ASSERT_FALSE(chunk.empty());
    EXPECT_LE(chunk.size(), 6U);
    for (const std::uint64_t number : chunk) EXPECT_TRUE(seen.insert(number).second);
    answer(dispatcher, chunk);
  }
  EXPECT_EQ(seen.size(), plan_.problems());
  EXPECT_EQ(store.size(), 0U);
  dispatcher.flush();
  EXPECT_EQ(store.size(), plan_.problems());
  Dispatcher again(plan_, store, {});
  EXPECT_TRUE(again.next().empty());
  EXPECT_TRUE(again.finished());
  EXPECT_EQ(again.progress().known, plan_.problems());
}

TEST_F(DispatcherTest, ShardsShareTheProblems) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 3; ++i) {
    Store store(folder_.file(std::to_string(i) + ".db"), Store::Mode::kWrite);
    Dispatcher dispatcher(plan_, store, {.shard = {i, 3}});
    while (!dispatcher.finished()) {
      const Numbers chunk = dispatcher.next();
      for (const std::uint64_t number : chunk) EXPECT_TRUE(seen.insert(number).second);
      answer(dispatcher, chunk);
    }
    EXPECT_GT(dispatcher.progress().solved, 10U);
  }
  EXPECT_EQ(seen.size(), plan_.problems());
}

TEST_F(DispatcherTest, AProblemThatCrashesAgainAndAgainIsStoredAsFailed) {
  Store store(folder_.file("a.db"), Store::Mode::kWrite);
  Dispatcher dispatcher(plan_, store, {});
  int crashes = 0;
  while (!dispatcher.finished()) {
    for (const std::uint64_t number : dispatcher.next()) {
      if (number == 5) {
        ++crashes;
        dispatcher.crashed(number, "signal 11");
      } else {
        answer(dispatcher, {number});
      }
    }
  }
  dispatcher.flush();
  EXPECT_EQ(crashes, kMostTries);
  EXPECT_EQ(store.size(), plan_.problems());
  EXPECT_EQ(dispatcher.progress().failed, 1U);
  const auto failed = RowFinder(store, true).find(row(5).key);
  EXPECT_EQ(failed->status, kFailedStatus);
  EXPECT_EQ(failed->body, "3 tries: signal 11");
}

// As with an executor that breaks as a whole: several chunks are out, all of them are lost, and one
// problem among them is to blame.
TEST_F(DispatcherTest, FindsTheCulpritAmongLostChunks) {
  Store store(folder_.file("a.db"), Store::Mode::kWrite);
  Dispatcher dispatcher(plan_, store, {.workers = 2, .chunk_seconds = 0.2});
  answer(dispatcher, dispatcher.next());
  int losses = 0;
  while (!dispatcher.finished()) {
    std::vector<Numbers> out;
    while (out.size() < 3) {
      Numbers chunk = dispatcher.next();
      if (chunk.empty()) break;
      out.push_back(std::move(chunk));
    }
    ASSERT_FALSE(out.empty());
    const bool breaks = std::ranges::any_of(
        out, [](const Numbers& chunk) { return std::ranges::find(chunk, 40U) != chunk.end(); });
    if (breaks) {
      ++losses;
      dispatcher.lost(std::move(out), "the pool is broken");
    } else {
      for (const Numbers& chunk : out) answer(dispatcher, chunk);
    }
  }
  dispatcher.flush();
  EXPECT_GT(losses, kMostTries);
  EXPECT_EQ(store.size(), plan_.problems());
  EXPECT_EQ(dispatcher.progress().failed, 1U);
  EXPECT_EQ(RowFinder(store, true).find(row(40).key)->status, kFailedStatus);
}

}  // namespace
}  // namespace tilewright
