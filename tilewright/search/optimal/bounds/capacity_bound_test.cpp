// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/bounds/capacity_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "tilewright/search/optimal/shared/optimal_context.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::memory;

using Three = std::array<std::int64_t, 3>;  // of m, n, k

// Z[m,n] += A[m,k] * B[k,n], a byte per element, on DRAM - buffer. No place leaves a remainder.
class Gemm {
 public:
  Gemm(const Three& sizes, std::int64_t room) : sizes_(sizes), room_(room) {}
  Gemm(const Gemm&) = delete;

  std::vector<Three> smallest() { return listed(bound_.smallest(1, 7)); }
  // Elements to and from DRAM, at least.
  double traffic() { return bound_.common(1, {7, 7}); }

  // The same, by trying all.
  std::vector<Three> plain_smallest() const {
    const std::vector<Three> fitting = all_that_fit();
    std::vector<Three> result;
    for (const Three& counts : fitting) {
      const auto is_smaller = [&](const Three& other) {
        return other != counts && other[0] <= counts[0] && other[1] <= counts[1] &&
               other[2] <= counts[2];
      };
      if (std::ranges::none_of(fitting, is_smaller)) result.push_back(counts);
    }
    return result;
  }
  double plain_traffic() const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Three& counts : all_that_fit()) least = std::min(least, traffic_with(counts));
    return static_cast<double>(least);
  }
  // With tiles of this tuple: one of the tensors stays where it is, the others come again for every
  // tile along the dim that they do not depend on. First partial sums are not read.
  std::int64_t traffic_with(const Three& counts) const {
    const auto [m, n, k] = sizes_;
    const Three once = {m * k, k * n, m * n};
    const Three moving = {m * k * counts[1], k * n * counts[0], m * n * (2 * counts[2] - 1)};
    std::int64_t saved = 0;
    for (std::size_t t = 0; t < 3; ++t) saved = std::max(saved, moving[t] - once[t]);
    return moving[0] + moving[1] + moving[2] - saved;
  }

 private:
  static Problem make_problem(const Three& sizes, std::int64_t room) {
    const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
    return Problem(Workload("gemm", {{"m", sizes[0]}, {"n", sizes[1]}, {"k", sizes[2]}},
                            {{"A", "input", 8, {rank(0), rank(2)}},
                             {"B", "weight", 8, {rank(2), rank(1)}},
                             {"Z", "output", 8, {rank(0), rank(1)}}}),
                   Arch("two", "", std::nullopt,
                        {memory("DRAM", 100), memory("buffer", 1, 8 * room)}, Compute{}));
  }
  static SearchOptions make_options() {
    SearchOptions options;
    options.objective = {0, 0, 1};
    return options;
  }
  static std::vector<Three> listed(const std::vector<Counts>& tuples) {
    std::vector<Three> result;
    for (const Counts& counts : tuples) result.push_back({counts[0], counts[1], counts[2]});
    std::ranges::sort(result);
    return result;
  }
  std::vector<Three> all_that_fit() const {
    std::vector<Three> result;
    Three c;
    for (c[0] = 1; c[0] <= sizes_[0]; ++c[0]) {
      for (c[1] = 1; c[1] <= sizes_[1]; ++c[1]) {
        for (c[2] = 1; c[2] <= sizes_[2]; ++c[2]) {
          if (sizes_[0] % c[0] != 0 || sizes_[1] % c[1] != 0 || sizes_[2] % c[2] != 0) continue;
          const auto [m, n, k] = Three{sizes_[0] / c[0], sizes_[1] / c[1], sizes_[2] / c[2]};
          if (m * k + k * n + m * n <= room_) result.push_back(c);
        }
      }
    }
    return result;
  }

  Three sizes_;
  std::int64_t room_;
  Problem problem_ = make_problem(sizes_, room_);
  Rules rules_ = make_rules(problem_, SpaceKind::kPfm, {});
  SearchOptions options_ = make_options();
  OptimalContext context_{problem_, rules_, options_};
  CapacityBound bound_{context_.tables, context_.steps, context_.tiles, context_.resources, true};
};

// 2 x 2 x 2 in 8 elements: all of it needs 12, and with any one dim cut in two it needs 8.
TEST(CapacityBound, AnyOneCutIsEnoughForTwoThirdsOfTheRoom) {
  Gemm gemm({2, 2, 2}, 8);
  EXPECT_EQ(gemm.smallest(), (std::vector<Three>{{1, 1, 2}, {1, 2, 1}, {2, 1, 1}}));
}

TEST(CapacityBound, ListsTheSmallestTuplesThatFitAndNoOthers) {
  for (const Three& sizes : {Three{4, 6, 8}, Three{12, 2, 6}, Three{1, 9, 16}, Three{8, 8, 8}}) {
    for (std::int64_t room = 2; room < 160; room += 3) {
      Gemm gemm(sizes, room);
      EXPECT_EQ(gemm.smallest(), gemm.plain_smallest())
          << sizes[0] << ' ' << sizes[1] << ' ' << sizes[2] << " in " << room;
    }
  }
}

// 2 x 4 x 2 in 12 elements: with n cut in two, A stays and everything moves once, 20 elements. The
// other way is to cut m and k: then B moves twice, or Z is read and written again.
TEST(CapacityBound, CuttingOneDimMovesLessThanCuttingTheOtherTwo) {
  Gemm gemm({2, 4, 2}, 12);
  ASSERT_EQ(gemm.smallest(), (std::vector<Three>{{1, 2, 1}, {2, 1, 2}}));
  EXPECT_EQ(gemm.traffic_with({2, 1, 2}), 28);
  EXPECT_EQ(gemm.traffic(), 20);
}

TEST(CapacityBound, TakesTheBestOfTheTilesThatFit) {
  int not_the_last = 0;
  for (const Three& sizes : {Three{4, 6, 8}, Three{12, 2, 6}, Three{1, 9, 16}, Three{2, 4, 8}}) {
    for (std::int64_t room = 3; room < 160; room += 3) {
      Gemm gemm(sizes, room);
      ASSERT_FALSE(gemm.smallest().empty());
      EXPECT_EQ(gemm.traffic(), gemm.plain_traffic())
          << sizes[0] << ' ' << sizes[1] << ' ' << sizes[2] << " in " << room;
      const auto last = static_cast<double>(gemm.traffic_with(gemm.smallest().back()));
      not_the_last += gemm.traffic() < last ? 1 : 0;
    }
  }
  EXPECT_GT(not_the_last, 10);
}

}  // namespace
}  // namespace tilewright
