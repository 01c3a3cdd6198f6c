// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/bounds/outline_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tilewright/search/optimal/roots/root_lister.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::memory;

// Z[m,p] += I[p+r] * W[m,r] on four children: p x r x m of them. Each of p, r and m is a dim that
// one of the tensors does not depend on. Nothing is chosen yet.
class OpenFactors : public ::testing::Test {
 protected:
  static Problem make_problem() {
    const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
    return Problem(
        Workload("conv", {{"p", 4}, {"r", 2}, {"m", 3}},
                 {{"I", "input", 8, {Rank{{{DimId(0), 1}, {DimId(1), 1}}}}},
                  {"W", "weight", 8, {rank(2), rank(1)}},
                  {"Z", "output", 8, {rank(2), rank(0)}}}),
        Arch("array", "", std::nullopt,
             {memory("DRAM", 100), Fanout{.name = "PE", .axes = {{"X", 4}}}, memory("L0", 1)},
             Compute{}));
  }

  OpenFactors() {
    for (std::size_t t = 0; t < 3; ++t) limits_.need(t, 0, false);
    limits_.set({.factors = factors_, .room = room_, .all_room = 4});
  }

  static OpenSharing sharing(double i, double w, double z) {
    OpenSharing result{};
    result[0] = i;
    result[1] = w;
    result[2] = z;
    return result;
  }

  const Problem problem_ = make_problem();
  const Rules rules_ = make_rules(problem_, SpaceKind::kRubyS, {});
  const ProblemTables tables_{problem_, rules_};
  const std::vector<std::int64_t> factors_ = {1, 1, 1};
  const std::vector<double> room_ = {4};
  SharingLimits limits_{tables_, true};
};

// The tiles of I of p x r children have p r / (p + r - 1) in common: 8/5 if all of them are in
// space. That comes on top of the four children.
TEST_F(OpenFactors, OverlapsAreSharedOnTopOfTheRoom) {
  EXPECT_DOUBLE_EQ(limits_.left_by(sharing(1, 1, 1))[0], 4 * 8.0 / 5);
  EXPECT_DOUBLE_EQ(limits_.left_by(sharing(1, 2, 2))[0], 8.0 / 5);
  EXPECT_DOUBLE_EQ(limits_.left_by(sharing(1, 2, 1))[2], 4.0 / 2);
}

TEST_F(OpenFactors, WhatTensorsShareIsLeftForThem) {
  for (int p = 1; p <= 4; ++p) {
    for (int r = 1; r <= 2; ++r) {
      for (int m = 1; m <= 3 && p * r * m <= 4; ++m) {
        const OpenSharing used = sharing(static_cast<double>(m * p * r) / (p + r - 1), p, r);
        const OpenSharing left = limits_.left_by(used);
        for (std::size_t t = 0; t < 3; ++t) {
          EXPECT_GE(left[t] * (1 + 1e-12), used[t])
              << p << ' ' << r << ' ' << m << ", tensor " << t;
        }
      }
    }
  }
}

// Whatever the factors: what is shared costs no more than if nothing is.
TEST(Outlines, NothingBoundsThemAboveWhatIsUnshared) {
  const Problem problem = search_test::gemm(24, 36, 30, 4096, {{"X", 4}, {"Y", 3}});
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  const SearchOptions options;
  const OptimalContext context(problem, rules, options);
  const Answers answers(options);
  const RootContext roots(context, answers);
  SharingLimits limits(context.tables, true);
  for (const Outlines& outlines : roots.outlines) outlines.prepare(limits);
  int shared = 0;
  roots.choices.for_each(
      [&](const SpatialChoices::Part& part) {
        limits.set(part);
        for (const Outlines& outlines : roots.outlines) {
          for (std::uint32_t k = 0; k < roots.keeps.size(); ++k) {
            double least = std::numeric_limits<double>::infinity();
            for (const Outline& outline : outlines.with(k)) {
              least = std::min(least, least_of(outline, limits));
            }
            EXPECT_LE(least, outlines.unshared(k));
            if (least < outlines.unshared(k)) ++shared;
          }
        }
        return part.level < 6;
      },
      [](const Tiling&) {});
  EXPECT_GT(shared, 0);
}

}  // namespace
}  // namespace tilewright
