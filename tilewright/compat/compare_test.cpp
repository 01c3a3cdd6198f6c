// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compat/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/hand_case.h"

namespace tilewright::compat {
namespace {

using namespace hand_case;  // NOLINT(google-build-using-namespace)

constexpr int kFanout = 2;

const ComparedFigure& find(const TimeloopComparison& comparison, const FigureName& name) {
  return *std::ranges::find(comparison.figures, name, &ComparedFigure::name);
}

std::vector<std::string> names(const TimeloopComparison& comparison, const FigureName& name) {
  std::vector<std::string> result;
  for (const Contribution& part : find(comparison, name).contributions) {
    result.emplace_back(comparison.conventions[part.convention].name);
  }
  return result;
}

TEST(Compare, NamesWhatMakesTheDifference) {
  const Problem problem = two_levels(gemm(10, 3, 2));
  const Mapping mapping(
      {keep(0, kAll), time(kM, 3), keep(1, kAll), time(kM, 4), time(kN, 3), time(kK, 2)});
  const TimeloopComparison comparison = compare_with_timeloop(problem, mapping);
  ASSERT_TRUE(comparison.obstacles.empty());
  EXPECT_TRUE(comparison.separated);
  const FigureName reads{.kind = FigureKind::kReads, .memory = NodeId(0), .tensor = TensorId(0)};
  EXPECT_EQ(find(comparison, reads).ours, 20);
  EXPECT_EQ(find(comparison, reads).theirs, 24);
  EXPECT_EQ(names(comparison, reads), std::vector<std::string>{"time_extrapolation"});
  const FigureName cycles{.kind = FigureKind::kCycles, .memory = {}, .tensor = {}};
  EXPECT_EQ(names(comparison, cycles), std::vector<std::string>{"steps_by_factors"});
  for (const ComparedFigure& figure : comparison.figures) {
    double change = figure.unexplained;
    for (const Contribution& part : figure.contributions) change += part.change;
    EXPECT_EQ(figure.unexplained, 0) << to_text(problem, figure.name);
    EXPECT_DOUBLE_EQ(figure.ours + change, figure.theirs) << to_text(problem, figure.name);
  }
}

TEST(Compare, DropsWhatTimeloopCannotSay) {
  const Problem problem = make_problem(
      gemm(4, 2, 2),
      {memory("DRAM"), memory("GLB"), fanout("PE", 4, Multicast::kNone), memory("PEB")});
  const Mapping mapping({keep(0, kAll), keep(1, kAll), space(kFanout, kM, 4), keep(3, kAll),
                         time(kN, 2), time(kK, 2)});
  const TimeloopComparison comparison = compare_with_timeloop(problem, mapping);
  const FigureName reads{.kind = FigureKind::kReads, .memory = NodeId(1), .tensor = TensorId(1)};
  EXPECT_EQ(find(comparison, reads).ours, 16);
  EXPECT_EQ(find(comparison, reads).theirs, 4);
  EXPECT_EQ(names(comparison, reads), std::vector<std::string>{"equal multicast"});
}

TEST(Compare, SaysWhatTimeloopCannotMap) {
  const Problem problem = two_levels(gemm(4, 2, 2));
  const Mapping mapping(
      {keep(0, kAll), time(kM, 4), keep(1, kA), time(kN, 2), keep(1, kB | kZ), time(kK, 2)});
  const TimeloopComparison comparison = compare_with_timeloop(problem, mapping);
  ASSERT_EQ(comparison.obstacles.size(), 1U);
  EXPECT_EQ(comparison.obstacles.front(),
            "the tensors that BUF keeps are kept at different places of the nest");
}

TEST(Compare, DoesNotSeparateWhatTakesTooLong) {
  const Problem problem = two_levels(gemm(10, 3, 2));
  const Mapping mapping(
      {keep(0, kAll), time(kM, 3), keep(1, kAll), time(kM, 4), time(kN, 3), time(kK, 2)});
  const TimeloopComparison comparison =
      compare_with_timeloop(problem, mapping, {.rules = {}, .max_steps = 1});
  EXPECT_FALSE(comparison.separated);
  const FigureName reads{.kind = FigureKind::kReads, .memory = NodeId(0), .tensor = TensorId(0)};
  EXPECT_EQ(find(comparison, reads).theirs, 24);
  EXPECT_EQ(names(comparison, reads), std::vector<std::string>{"several, not separated"});
}

}  // namespace
}  // namespace tilewright::compat
