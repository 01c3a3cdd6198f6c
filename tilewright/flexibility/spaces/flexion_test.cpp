// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/spaces/flexion.h"

#include <gtest/gtest.h>

#include "tilewright/base/input_error.h"
#include "tilewright/flexibility/flexibility_test_support.h"
#include "tilewright/flexibility/spaces/tile_count.h"

namespace tilewright {
namespace {

using testing::paper_arch;
using testing::paper_conv;
using testing::paper_flexibility;

Flexion flexion_of(FlexAxis axis, Degree degree, const Workload& workload,
                   const Flexibility& flexibility = paper_flexibility(),
                   const Arch& arch = paper_arch()) {
  Degrees degrees;
  degrees[axis] = degree;
  return find_flexion(flexibility, degrees, Problem(workload, arch));
}

std::string ratio(const ChoiceCount& part, const ChoiceCount& whole) {
  return part.exact.to_string() + "/" + whole.exact.to_string();
}
std::string hardware(const MapSpaces& spaces) { return ratio(spaces.accelerator, spaces.hardware); }
std::string workload(const MapSpaces& spaces) {
  return ratio(spaces.accelerator_workload, spaces.workload);
}

// Layers 15, 16 and 29 of the paper's MnasNet.
Workload layer15() { return paper_conv(40, 72, 28, 1); }
Workload layer16() { return paper_conv(120, 40, 28, 1); }
Workload layer29() { return paper_conv(1, 480, 14, 5); }

TEST(Flexion, OrdersOfThePaper) {
  const auto order = [](Degree degree, const Workload& layer) {
    return flexion_of(FlexAxis::kOrder, degree, layer)[FlexAxis::kOrder];
  };
  EXPECT_EQ(hardware(order(Degree::kFixed, layer16())), "1/720");
  EXPECT_EQ(hardware(order(Degree::kPartial, layer16())), "3/720");
  EXPECT_EQ(hardware(order(Degree::kFull, layer16())), "720/720");
  EXPECT_EQ(workload(order(Degree::kFixed, layer16())), "1/24");
  EXPECT_EQ(workload(order(Degree::kPartial, layer16())), "3/24");
  EXPECT_EQ(workload(order(Degree::kFixed, layer29())), "1/120");
  EXPECT_EQ(workload(order(Degree::kPartial, layer29())), "3/120");
  EXPECT_EQ(workload(order(Degree::kFull, layer29())), "120/120");
}

TEST(Flexion, ParallelismsOfThePaper) {
  const auto parallelism = [](Degree degree) {
    return flexion_of(FlexAxis::kParallelism, degree, layer16())[FlexAxis::kParallelism];
  };
  EXPECT_EQ(hardware(parallelism(Degree::kFixed)), "1/30");
  EXPECT_EQ(hardware(parallelism(Degree::kPartial)), "2/30");
  EXPECT_EQ(hardware(parallelism(Degree::kFull)), "30/30");
  // Of c, m, p, q: 12 pairs, 8 with one axis idle, and both idle (r and s).
  EXPECT_EQ(workload(parallelism(Degree::kFull)), "21/21");
}

TEST(Flexion, ShapesOfThePaper) {
  const auto shape = [](Degree degree, const Workload& layer, std::int64_t block = 16) {
    Flexibility flexibility = paper_flexibility();
    flexibility.block = {block, block};
    return flexion_of(FlexAxis::kShape, degree, layer, flexibility,
                      paper_arch(32, 32))[FlexAxis::kShape];
  };
  EXPECT_EQ(hardware(shape(Degree::kFixed, layer15())), "1/1024");
  EXPECT_EQ(hardware(shape(Degree::kPartial, layer15(), 16)), "4/1024");
  EXPECT_EQ(hardware(shape(Degree::kPartial, layer15(), 4)), "64/1024");
  EXPECT_EQ(workload(shape(Degree::kFixed, layer15())), "1/72");
  EXPECT_EQ(workload(shape(Degree::kPartial, layer15(), 16)), "4/72");
  EXPECT_EQ(workload(shape(Degree::kPartial, layer15(), 4)), "18/72");
  EXPECT_EQ(workload(shape(Degree::kFull, layer15())), "72/72");
  EXPECT_EQ(workload(shape(Degree::kPartial, layer16(), 16)), "3/40");
  EXPECT_EQ(workload(shape(Degree::kPartial, layer16(), 4)), "10/40");
}

TEST(Flexion, TilesOfThePaper) {
  const Flexion partial = flexion_of(FlexAxis::kTile, Degree::kPartial, layer16());
  EXPECT_NEAR(*partial.partition_volume, 6.0 / 27, 1e-3);
  EXPECT_NEAR(partial[FlexAxis::kTile].hardware_flexion(), 6.0 / 27, 1e-3);
  // 51,200 words: (51203 * 51202 * 51201) / 6 divisions; parts of 17,066 words each.
  EXPECT_EQ(partial[FlexAxis::kTile].hardware.exact.to_string(), "22372242867201");
  EXPECT_EQ(partial[FlexAxis::kTile].accelerator.exact.to_string(),
            (Natural(17067) * Natural(17067) * Natural(17067)).to_string());
  EXPECT_EQ(partial[FlexAxis::kTile].workload.exact, Natural(120 * 40 * 28 * 28));
  EXPECT_EQ(workload(flexion_of(FlexAxis::kTile, Degree::kFixed, layer16())[FlexAxis::kTile]),
            "1/3763200");
}

TEST(Flexion, ATensorWithoutAPartIsAnError) {
  Flexibility flexibility = paper_flexibility();
  flexibility.partition.pop_back();
  EXPECT_THROW(flexion_of(FlexAxis::kTile, Degree::kPartial, layer16(), flexibility), InputError);
}

TEST(Flexion, AnEstimateIsNearTheCount) {
  const Problem problem(paper_conv(64, 64, 28, 3), paper_arch());
  FlexionOptions quick;
  quick.most_tests = 10;
  quick.draws = 20'000;
  const Degrees full = all_degrees(Degree::kFull);
  const MapSpaces exact = find_flexion(paper_flexibility(), full, problem)[FlexAxis::kTile];
  const MapSpaces drawn = find_flexion(paper_flexibility(), full, problem, quick)[FlexAxis::kTile];
  EXPECT_TRUE(exact.hardware_workload.is_exact);
  ASSERT_FALSE(drawn.hardware_workload.is_exact);
  EXPECT_GT(drawn.hardware_workload.half_width, 0);
  EXPECT_NEAR(drawn.hardware_workload.estimate, exact.hardware_workload.estimate,
              3 * drawn.hardware_workload.half_width);
}

TEST(TileCounter, CountsByHand) {
  const Workload small = gemm(2, 2, 2);  // m, n, k: tiles mk + kn + mn
  // 1: 3 words; one dim of 2: 5; two dims of 2: 8; all: 12.
  const auto fitting = [&](std::int64_t words) {
    return TileCounter(small, {{1, 1, 1}, words, {{}, {}, {}}}).count(1000)->to_uint64();
  };
  EXPECT_EQ(fitting(2), 0U);
  EXPECT_EQ(fitting(3), 1U);
  EXPECT_EQ(fitting(5), 4U);
  EXPECT_EQ(fitting(8), 7U);
  EXPECT_EQ(fitting(12), 8U);
  EXPECT_FALSE(TileCounter(small, {{1, 1, 1}, 12, {{}, {}, {}}}).count(3));
}

}  // namespace
}  // namespace tilewright
