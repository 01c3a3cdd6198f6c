// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/search_trace.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

TEST(SearchTrace, KeepsOnlyWhatIsNew) {
  SearchTrace trace;
  trace.add(TracePoint{0.1, 10.0, std::nullopt});
  trace.add(TracePoint{0.2, 10.0, std::nullopt});
  trace.add(TracePoint{0.3, 10.0, 4.0});
  Progress progress;
  progress.seconds = 0.4;
  progress.best = 8;
  progress.bound = 4;
  trace.add(progress);
  ASSERT_EQ(trace.points.size(), 3U);
  EXPECT_EQ(trace.points[1].seconds, 0.3);
  EXPECT_EQ(trace.points[2].best, 8.0);
}

TEST(SearchTrace, StaysSmallAndKeepsItsEnd) {
  SearchTrace trace;
  for (int i = 0; i < 100'000; ++i) trace.add(TracePoint{i * 1e-3, 1e6 - i, std::nullopt});
  EXPECT_LT(trace.points.size(), 1000U);
  EXPECT_EQ(trace.points.front().seconds, 0);
  EXPECT_GT(trace.points.back().seconds, 99.0);
}

}  // namespace
}  // namespace tilewright
