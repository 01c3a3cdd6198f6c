// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/worth/choices.h"

#include <gtest/gtest.h>

#include "tilewright/flexibility/flexibility_test_support.h"

namespace tilewright {
namespace {

using testing::paper_arch;
using testing::paper_conv;
using testing::paper_flexibility;

std::vector<Configuration> configurations(const Degrees& degrees, const Workload& workload) {
  return find_configurations(paper_flexibility(), degrees, Problem(workload, paper_arch()));
}

Degrees full_except(FlexAxis axis, Degree degree) {
  Degrees degrees = all_degrees(Degree::kFull);
  degrees[axis] = degree;
  return degrees;
}

TEST(FlexLayer, UnknownDimsRunOneAfterTheOther) {
  const Flexibility flexibility = paper_flexibility();
  const FlexLayer image = view_layer(flexibility, conv({.n = 8, .m = 4, .c = 3, .p = 5, .q = 5}));
  EXPECT_EQ(image.repeats, 8);
  EXPECT_EQ(image.workload.computes(), 4 * 3 * 25);
  const FlexLayer heads = view_layer(flexibility, bmm(12, 128, 64, 32));
  EXPECT_EQ(heads.repeats, 12);
  EXPECT_EQ(heads.workload.dim(*heads.workload.find_dim("p")).size, 128);
  EXPECT_EQ(heads.workload.dim(*heads.workload.find_dim("m")).size, 64);
  EXPECT_EQ(heads.workload.dim(*heads.workload.find_dim("c")).size, 32);
}

TEST(Configurations, FullFlexibilityNeedsOneForEachPairOfDims) {
  // c, m, p, q: six pairs, in any shape.
  EXPECT_EQ(configurations(all_degrees(Degree::kFull), paper_conv(64, 64, 28, 1)).size(), 6U);
  // With a fixed shape the axes differ.
  EXPECT_EQ(configurations(full_except(FlexAxis::kShape, Degree::kFixed), paper_conv(64, 64, 28, 1))
                .size(),
            12U);
}

TEST(Configurations, ShapesInsideOthersAreLeftOut) {
  // {48, 16} lies inside {64, 16}.
  EXPECT_EQ(
      configurations(full_except(FlexAxis::kShape, Degree::kPartial), paper_conv(64, 64, 28, 1))
          .size(),
      3U * 12U);
}

TEST(Configurations, OrdersThatDifferOnlyInLoopsOfOneStepAreOne) {
  const Degrees order = full_except(FlexAxis::kOrder, Degree::kPartial);
  EXPECT_EQ(configurations(order, paper_conv(64, 64, 28, 1)).size(), 6U * 3U);
  // c, m only: three orders of the paper become two.
  EXPECT_EQ(configurations(order, paper_conv(64, 64, 1, 1)).size(), 2U);
}

TEST(Configurations, FixedLoopsOutsideTheArrayAreFullOrTheLast) {
  const Degrees fixed = all_degrees(Degree::kFixed);
  // c and m, which are spread, have no loop in the buffer; those of the others are known.
  EXPECT_EQ(configurations(fixed, paper_conv(120, 40, 28, 3)).size(), 1U);
  Flexibility flexibility = paper_flexibility();
  flexibility.loops.push_back({"GLB", "c", 4});
  const Problem problem(paper_conv(120, 40, 28, 3), paper_arch());
  EXPECT_EQ(find_configurations(flexibility, fixed, problem).size(), 2U);
}

TEST(Configurations, PartialTilesHaveAPartitionAndTheFixedTile) {
  const auto all =
      configurations(full_except(FlexAxis::kTile, Degree::kPartial), paper_conv(64, 16, 1, 1));
  ASSERT_EQ(all.size(), 2U);
  const NodeId buffer = *all.front().arch.find("GLB");
  EXPECT_EQ(all.front().arch.memory(buffer).partitions.size(), 3U);
  EXPECT_TRUE(all.back().arch.memory(buffer).partitions.empty());
}

}  // namespace
}  // namespace tilewright
