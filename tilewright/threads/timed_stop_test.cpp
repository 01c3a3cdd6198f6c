// SPDX-License-Identifier: Apache-2.0
#include "tilewright/threads/timed_stop.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_until_set(const TimedStop& stop, Clock::time_point start) {
  while (!stop.flag()->load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return std::chrono::duration<double>(Clock::now() - start).count();
}

TEST(TimedStop, EndsAfterItsTime) {
  const auto start = Clock::now();
  const TimedStop stop(0.05, nullptr);
  EXPECT_GE(seconds_until_set(stop, start), 0.05);
}

TEST(TimedStop, FollowsAnotherFlag) {
  std::atomic<bool> other = false;
  const auto start = Clock::now();
  const TimedStop stop(1000, &other);
  EXPECT_FALSE(stop.flag()->load());
  other = true;
  EXPECT_LT(seconds_until_set(stop, start), 100);
}

TEST(TimedStop, GoesAwayAtOnce) {
  const auto start = Clock::now();
  { const TimedStop stop(1000, nullptr); }
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 100);
}

}  // namespace
}  // namespace tilewright
