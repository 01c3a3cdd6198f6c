// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/flexibility.h"

#include <gtest/gtest.h>

#include "tilewright/flexibility/flexibility_test_support.h"

namespace tilewright {
namespace {

using testing::paper_arch;
using testing::paper_flexibility;

TEST(Flexibility, ClassHasADigitForEachAxis) {
  const Flexibility flexibility = paper_flexibility();
  EXPECT_EQ(flex_class(flexibility, all_degrees(Degree::kFixed)), "0000");
  EXPECT_EQ(flex_class(flexibility, all_degrees(Degree::kPartial)), "1111");
  EXPECT_EQ(
      flex_class(flexibility, {{Degree::kFull, Degree::kFixed, Degree::kFixed, Degree::kPartial}}),
      "1001");
}

TEST(Flexibility, APartialAxisWithOneChoiceIsNotFlexible) {
  Flexibility flexibility = paper_flexibility();
  flexibility.orders.resize(1);
  EXPECT_EQ(flex_class(flexibility, all_degrees(Degree::kPartial)), "1011");
}

TEST(Flexibility, ShapesFollowFromUnitsAndBlocks) {
  const Flexibility flexibility = paper_flexibility();
  using Shapes = std::vector<std::vector<std::int64_t>>;
  EXPECT_EQ(shapes_of(flexibility, paper_arch(), Degree::kFixed), (Shapes{{16, 64}}));
  EXPECT_EQ(shapes_of(flexibility, paper_arch(), Degree::kPartial),
            (Shapes{{16, 64}, {32, 32}, {48, 16}, {64, 16}}));
  const Shapes all = shapes_of(flexibility, paper_arch(), Degree::kFull);
  EXPECT_EQ(all.size(), 1024U);
  EXPECT_EQ(all[2], (std::vector<std::int64_t>{3, 341}));
}

TEST(Flexibility, TheFixedShapeIsAlwaysAmongThePartialOnes) {
  Flexibility flexibility = paper_flexibility();
  flexibility.block = {32, 32};
  const auto shapes = shapes_of(flexibility, paper_arch(), Degree::kPartial);
  EXPECT_EQ(shapes.front(), (std::vector<std::int64_t>{32, 32}));
  EXPECT_EQ(shapes.back(), (std::vector<std::int64_t>{16, 64}));
}

TEST(Flexibility, ThePaperHasNoFaults) {
  EXPECT_TRUE(find_flexibility_faults(paper_flexibility(), paper_arch()).empty());
}

struct FaultCase {
  const char* name;
  std::function<void(Flexibility&)> change;
  const char* fault;
};

class Faults : public ::testing::TestWithParam<FaultCase> {};

TEST_P(Faults, IsReported) {
  Flexibility flexibility = paper_flexibility();
  GetParam().change(flexibility);
  const auto faults = find_flexibility_faults(flexibility, paper_arch());
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults.front(), GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    All, Faults,
    ::testing::Values(
        FaultCase{"buffer", [](Flexibility& f) { f.buffer = "PE"; },
                  "the buffer `PE` is not a memory of the architecture"},
        FaultCase{"outermost", [](Flexibility& f) { f.buffer = "DRAM"; },
                  "the buffer `DRAM` must have a capacity and a memory outside it"},
        FaultCase{"array", [](Flexibility& f) { f.array = "GLB"; },
                  "the array `GLB` is not a fan-out of the architecture"},
        FaultCase{"loop", [](Flexibility& f) { f.loops.front().dim = "k"; },
                  "the loop over `k` in `GLB`: this is not one of the dims"},
        FaultCase{"order", [](Flexibility& f) { f.orders.front().pop_back(); },
                  "an order must have each of the dims once"},
        FaultCase{"parallelism", [](Flexibility& f) { f.parallelisms.front().pop_back(); },
                  "parallelism needs one dim for each axis of `PE`: 2, not 1"},
        FaultCase{"block",
                  [](Flexibility& f) {
                    f.block = {64, 32};
                  },
                  "a block has more units than the array"},
        FaultCase{"area", [](Flexibility& f) { f.costs = FlexCosts{}; },
                  "the area of the accelerator, `base`, must be more than 0"},
        FaultCase{"gemm",
                  [](Flexibility& f) {
                    f.gemm = {{"m", "b"}};
                  },
                  "`b`, which stands for `m` of a matrix product, is not one of the dims"}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tilewright
