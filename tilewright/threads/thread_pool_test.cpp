// SPDX-License-Identifier: Apache-2.0
#include "tilewright/threads/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tilewright/base/error.h"
#include "tilewright/threads/per_worker.h"

namespace tilewright {
namespace {

TEST(ThreadPool, HasAsManyThreadsAsAskedFor) {
  EXPECT_EQ(ThreadPool(3).size(), 3);
  EXPECT_EQ(ThreadPool(0).size(), usable_processors());
  EXPECT_GE(usable_processors(), 1);
  EXPECT_THROW(ThreadPool(-1), InternalError);
}

TEST(ThreadPool, CallsEachIndexOnce) {
  for (const int threads : {1, 2, 4, 7}) {
    ThreadPool pool(threads);
    for (const std::size_t count : {0, 1, 2, 3, 1000}) {
      std::vector<int> calls(count, 0);  // plain: each is written by one call
      pool.for_each(count, [&](int, std::size_t index) { ++calls[index]; });
      EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), static_cast<std::ptrdiff_t>(count));
    }
  }
}

TEST(ThreadPool, OfOneIsALoopInTheThreadOfTheCaller) {
  ThreadPool pool(1);
  std::vector<std::size_t> seen;
  pool.for_each(5, [&](int worker, std::size_t index) {
    EXPECT_EQ(worker, 0);
    seen.push_back(index);
  });
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ThreadPool, NoTwoCallsOfAWorkerRunAtTheSameTime) {
  constexpr int kThreads = 4;
  ThreadPool pool(kThreads);
  std::vector<std::atomic<int>> inside(kThreads);
  for (int round = 0; round < 20; ++round) {
    pool.for_each(100, [&](int worker, std::size_t) {
      ASSERT_GE(worker, 0);
      ASSERT_LT(worker, kThreads);
      std::atomic<int>& here = inside[static_cast<std::size_t>(worker)];
      EXPECT_EQ(++here, 1);
      std::this_thread::yield();
      --here;
    });
  }
}

// With fewer it would wait for ever: more threads than processors are had as well.
TEST(ThreadPool, RunsAsManyBodiesAtOnceAsItHasThreads) {
  constexpr int kThreads = 5;
  ThreadPool pool(kThreads);
  std::mutex mutex;
  std::condition_variable changed;
  int inside = 0;
  pool.for_each(kThreads, [&](int, std::size_t) {
    std::unique_lock lock(mutex);
    ++inside;
    changed.notify_all();
    changed.wait_for(lock, std::chrono::seconds(30), [&] { return inside == kThreads; });
    EXPECT_EQ(inside, kThreads);
  });
}

TEST(ThreadPool, HandsOnAnExceptionAndGoesOn) {
  for (const int threads : {1, 4}) {
    ThreadPool pool(threads);
    const auto fail = [&](int, std::size_t index) {
      if (index == 7) throw std::runtime_error("seven");
    };
    EXPECT_THROW(pool.for_each(100, fail), std::runtime_error);
    std::atomic<int> calls = 0;
    pool.for_each(100, [&](int, std::size_t) { ++calls; });
    EXPECT_EQ(calls, 100);
  }
}

TEST(ThreadPool, BodiesMayHavePoolsOfTheirOwn) {
  ThreadPool outer(3);
  std::vector<std::size_t> sums(6);
  outer.for_each(sums.size(), [&](int, std::size_t i) {
    ThreadPool inner(1 + static_cast<int>(i % 3));
    std::atomic<std::size_t> sum = 0;
    inner.for_each(50, [&](int, std::size_t index) { sum += index; });
    sums[i] = sum;
  });
  for (const std::size_t sum : sums) EXPECT_EQ(sum, 49 * 50 / 2);
}

TEST(PerWorker, MakesOneValueForEachWorkerThatAsks) {
  ThreadPool pool(4);
  std::atomic<int> made = 0;
  PerWorker<int> sums(pool, [&] {
    ++made;
    return std::make_unique<int>(0);
  });
  for (int round = 0; round < 10; ++round) {
    pool.for_each(
        100, [&](int worker, std::size_t index) { sums.of(worker) += static_cast<int>(index); });
  }
  int total = 0;
  int values = 0;
  sums.for_each([&](const int& sum) {
    total += sum;
    ++values;
  });
  EXPECT_EQ(total, 10 * 99 * 100 / 2);
  EXPECT_EQ(values, made);
  EXPECT_LE(values, 4);
}

}  // namespace
}  // namespace tilewright
