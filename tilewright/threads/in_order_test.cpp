// SPDX-License-Identifier: Apache-2.0
#include "tilewright/threads/in_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tilewright {
namespace {

struct Item {
  int number = 0;
  int square = 0;
};

TEST(InOrder, TakesEveryItemInTheOrderOfMaking) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    int made = 0;
    std::vector<int> taken;
    run_in_order<Item>(
        pool,
        [&]() -> std::optional<Item> {
          if (made == 300) return std::nullopt;
          return Item{.number = made++};
        },
        [](int, Item& item) {
          if (item.number % 7 == 0) std::this_thread::yield();
          item.square = item.number * item.number;
        },
        [&](Item item) {
          EXPECT_EQ(item.square, item.number * item.number);
          taken.push_back(item.number);
        });
    ASSERT_EQ(taken.size(), 300U);
    for (int i = 0; i < 300; ++i) EXPECT_EQ(taken[static_cast<std::size_t>(i)], i);
  }
}

TEST(InOrder, KeepsFewItemsUnderWay) {
  constexpr int kThreads = 3;
  ThreadPool pool(kThreads);
  int made = 0;
  int taken = 0;
  int most = 0;
  run_in_order<Item>(
      pool,
      [&]() -> std::optional<Item> {
        if (made == 500) return std::nullopt;
        most = std::max(most, made + 1 - taken);
        return Item{.number = made++};
      },
      [](int, Item& item) {  // the first of many is slow
        if (item.number % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      },
      [&](const Item&) { ++taken; });
  EXPECT_EQ(taken, 500);
  EXPECT_LE(most, kUnderWayPerThread * kThreads);
}

TEST(InOrder, AnExceptionInAnyPartEndsItAndArrives) {
  for (const int threads : {1, 4}) {
    for (const int part : {0, 1, 2}) {
      ThreadPool pool(threads);
      int made = 0;
      std::atomic<int> worked = 0;
      const auto fail_in = [&](int where, int number) {
        if (where == part && number == 20) throw std::runtime_error("twenty");
      };
      const auto run = [&] {
        run_in_order<Item>(
            pool,
            [&]() -> std::optional<Item> {
              fail_in(0, made);
              return Item{.number = made++};
            },
            [&](int, Item& item) {
              ++worked;
              fail_in(1, item.number);
            },
            [&](const Item& item) { fail_in(2, item.number); });
      };
      EXPECT_THROW(run(), std::runtime_error);
      EXPECT_LE(worked, 20 + kUnderWayPerThread * threads);
    }
  }
}

}  // namespace
}  // namespace tilewright
