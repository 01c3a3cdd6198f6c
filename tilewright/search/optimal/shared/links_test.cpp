// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

// Values of m i + n j in a tile.
std::int64_t elements(std::int64_t m, std::int64_t n, std::int64_t u, std::int64_t v) {
  std::set<std::int64_t> values;
  for (std::int64_t i = 0; i < u; ++i) {
    for (std::int64_t j = 0; j < v; ++j) values.insert(m * i + n * j);
  }
  return static_cast<std::int64_t>(values.size());
}

// Of all tiles of u x v together, the last ones being shorter.
std::int64_t in_all_tiles(std::int64_t m, std::int64_t n, std::int64_t size1, std::int64_t size2,
                          std::int64_t u, std::int64_t v) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < size1; i += u) {
    for (std::int64_t j = 0; j < size2; j += v) {
      sum += elements(m, n, std::min(u, size1 - i), std::min(v, size2 - j));
    }
  }
  return sum;
}

struct Slack {
  double most = 0;
  std::int64_t exact = 0;
  std::int64_t all = 0;
};

// Compares `pieces` with every way to cut a rank m a + n b of these sizes.
Slack compare(std::int64_t m, std::int64_t n, std::int64_t size1, std::int64_t size2) {
  ProblemTables::Pair pair{.m = m, .n = n};
  pair.least = static_cast<double>(elements(m, n, size1, size2));
  const double a = static_cast<double>(size1);
  const double b = static_cast<double>(size2);
  Slack slack;
  for (std::int64_t u = 1; u <= size1; ++u) {
    for (std::int64_t v = 1; v <= size2; ++v) {
      const double n1 = static_cast<double>((size1 + u - 1) / u);
      const double n2 = static_cast<double>((size2 + v - 1) / v);
      const double bound = pair.pieces(a, b, n1, n2);
      const double truth = static_cast<double>(in_all_tiles(m, n, size1, size2, u, v));
      EXPECT_LE(bound, truth) << m << ' ' << n << ", " << size1 << '/' << u << ' ' << size2 << '/'
                              << v;
      EXPECT_GE(bound, pair.least);
      EXPECT_GE(bound, pair.pieces(a, b, std::max(1.0, n1 - 1), n2));
      EXPECT_GE(bound, pair.pieces(a, b, n1, std::max(1.0, n2 - 1)));
      slack.most = std::max(slack.most, truth / bound);
      slack.exact += bound == truth ? 1 : 0;
      ++slack.all;
    }
  }
  return slack;
}

TEST(Pieces, AreNeverMoreThanTheElementsOfAllTiles) {
  for (std::int64_t m = 1; m <= 4; ++m) {
    for (std::int64_t n = 1; n <= 3; ++n) {
      if (std::gcd(m, n) != 1) continue;
      for (std::int64_t size1 = 2; size1 <= 11; size1 += 3) {
        for (std::int64_t size2 = 2; size2 <= 7; ++size2) compare(m, n, size1, size2);
      }
    }
  }
}

TEST(Pieces, AreExactForFiltersOfThreeAndStridesOfTwo) {
  const Slack slack = compare(2, 1, 9, 3);
  EXPECT_EQ(slack.exact, slack.all);
  const Slack dense = compare(1, 1, 9, 7);
  EXPECT_EQ(dense.exact, dense.all);
}

// The elements of a dim that compute units have at each step: `units` of them, each with a tile of
// `tile`, as often as needed.
std::vector<std::vector<std::int64_t>> steps_along(std::int64_t size, std::int64_t units,
                                                   std::int64_t tile) {
  std::vector<std::vector<std::int64_t>> steps;
  for (std::int64_t pass = 0; pass < size; pass += units * tile) {
    for (std::int64_t at = 0; at < tile; ++at) {
      std::vector<std::int64_t> step;
      for (std::int64_t i = 0; i < units; ++i) {
        const std::int64_t element = pass + i * tile + at;
        if (element < size) step.push_back(element);
      }
      if (!step.empty()) steps.push_back(step);
    }
  }
  return steps;
}

// How many units need the same element of a rank, on average over all steps.
double shared_by_units(const ProblemTables::Pair& pair,
                       const std::vector<std::vector<std::int64_t>>& first,
                       const std::vector<std::vector<std::int64_t>>& second) {
  double needed = 0;
  double read = 0;
  for (const auto& a : first) {
    for (const auto& b : second) {
      std::set<std::int64_t> values;
      for (const std::int64_t i : a) {
        for (const std::int64_t j : b) values.insert(pair.m * i + pair.n * j);
      }
      needed += static_cast<double>(a.size() * b.size());
      read += static_cast<double>(values.size());
    }
  }
  return needed / read;
}

TEST(Sharing, IsNeverMoreThanItsBoundForAnyFactors) {
  for (const auto& [m, n] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1, 1}, {2, 1}, {3, 1}, {4, 1}, {1, 2}, {3, 2}, {4, 3}}) {
    for (const auto& [size1, size2] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {7, 2}, {9, 3}, {8, 4}, {11, 5}, {6, 7}}) {
      const ProblemTables::Pair pair{.m = m, .n = n};
      const double bound = pair.most_shared(size1, size2) * (1 + 1e-12);
      for (std::int64_t a = 1; a <= size1; ++a) {
        for (std::int64_t u = 1; u <= 3 && (a - 1) * u < size1; ++u) {
          const auto first = steps_along(size1, a, u);
          for (std::int64_t b = 1; b <= size2; ++b) {
            for (std::int64_t v = 1; v <= 4 && (b - 1) * v < size2; ++v) {
              EXPECT_LE(shared_by_units(pair, first, steps_along(size2, b, v)), bound)
                  << m << ' ' << n << ", " << size1 << '/' << a << '*' << u << ' ' << size2 << '/'
                  << b << '*' << v;
            }
          }
        }
      }
    }
  }
}

TEST(Sharing, OfAFilterOfThreeWithStrideTwoIsBelowThreeHalves) {
  const ProblemTables::Pair pair{.m = 2, .n = 1};
  EXPECT_LT(pair.most_shared(56, 3), 1.5);
  const ProblemTables::Pair dense{.m = 1, .n = 1};
  EXPECT_NEAR(dense.most_shared(56, 3), 56.0 * 3 / 58, 1e-12);
}

// Z[p] += I[p+r] * W[r] on DRAM - four children - L1 - RF, which slides; L1 keeps no input. The
// children are spread along p, outside of a loop in the block of L1 and inside of one in that of
// DRAM.
class Runs : public ::testing::Test {
 protected:
  static Problem make_problem() {
    const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
    return Problem(Workload("conv", {{"p", 16}, {"r", 3}},
                            {{"I", "input", 8, {Rank{{{DimId(0), 1}, {DimId(1), 1}}}}},
                             {"W", "weight", 8, {rank(1)}},
                             {"Z", "output", 8, {rank(0)}}}),
                   Arch("array", "", std::nullopt,
                        {search_test::memory("DRAM", 100), Fanout{.name = "PE", .axes = {{"X", 4}}},
                         search_test::memory("L1", 10), search_test::memory("RF", 1)},
                        Compute{}));
  }

  Links links() const {
    Tiling spatial;
    spatial.dims = tables_.dims;
    spatial.factors.assign(tables_.rules.places.size() * 2, 1);
    spatial.at(1, 0) = 4;  // p over X
    return {tables_, {7, 2, 7}, spatial};
  }
  // Of I, cut into 8 along p, if the loop that decides is over p and stands in the block of `at`.
  Links::Traffic elements(int at, bool just_there) const {
    Counts counts;
    counts.fill(1);
    counts[0] = 8;
    return links().elements(0, 2, at, just_there, counts, counts, 1);
  }

  const Problem problem_ = make_problem();
  const Rules rules_ = make_rules(problem_, SpaceKind::kPfm, {});
  const ProblemTables tables_{problem_, rules_};
};

// 18 elements and a halo of 2 for each child but one, or with the children inside the loop none.
TEST_F(Runs, AreApartForChildrenOutsideTheLoopThatDecides) {
  EXPECT_EQ(elements(1, true).received, 18 + 3 * 2);
  EXPECT_EQ(elements(1, true).delivered, 18 + 3 * 2);
}

// In steps of four tiles, which the filter of three does not reach, there are even more.
TEST_F(Runs, AreTheFewestWhereTheLoopMayStandFurtherOut) {
  EXPECT_EQ(elements(1, false).received, 18 + 3 * 2);
  EXPECT_EQ(elements(1, false).delivered, 18 + 3 * 2);
}

// Steps of four tiles are longer than the filter of three.
TEST_F(Runs, AreSingleTilesWhereTheNextOneIsFarAway) {
  EXPECT_EQ(elements(0, true).received, 18 + 7 * 2);
}

}  // namespace
}  // namespace tilewright
