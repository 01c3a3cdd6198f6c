// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/worth/worth.h"

#include <gtest/gtest.h>

#include "tilewright/flexibility/answer/answer.h"
#include "tilewright/flexibility/flexibility_test_support.h"

namespace tilewright {
namespace {

using testing::paper_arch;
using testing::paper_conv;
using testing::paper_flexibility;

Network network_of(const Workload& workload, std::int64_t count) {
  Network network;
  network.name = "one";
  network.layers.push_back({.name = "layer", .workload = workload, .count = count});
  return network;
}

TEST(FlexWorth, AFullArrayIsReachedOnceTheShapeIsFree) {
  // c = 8, m = 128: on 16 x 64, 8 of 16 rows work and the columns take two passes: 2 x 49 cycles.
  // On 8 x 128 all of it runs at once.
  const Network network = network_of(paper_conv(128, 8, 7, 1), 3);
  Degrees fixed = all_degrees(Degree::kFull);
  fixed[FlexAxis::kShape] = Degree::kFixed;
  fixed[FlexAxis::kParallelism] = Degree::kFixed;
  Degrees free = fixed;
  free[FlexAxis::kShape] = Degree::kFull;
  const Arch limited = paper_arch();
  std::vector<ArchNode> nodes(limited.nodes().begin(), limited.nodes().end());
  std::get<Memory>(nodes[0]).shared_bandwidth.reset();
  const Arch arch("unlimited", "", std::nullopt, nodes, Compute{});
  const FlexWorth worth =
      find_worth(paper_flexibility(), arch, network, std::vector{fixed, free}, {});
  EXPECT_EQ(worth.rows[0].status, Status::kProved);
  EXPECT_EQ(worth.rows[0].cycles, 3 * 2 * 49);
  EXPECT_EQ(worth.rows[1].cycles, 3 * 49);
  EXPECT_EQ(worth.rows[1].score, worth.rows[1].bound);
}

TEST(FlexWorth, RowsForIsolationAreEachAskedOnce) {
  Flexibility flexibility = paper_flexibility();
  // As it is; each axis partial and full; all full.
  EXPECT_EQ(isolation_rows(flexibility).size(), 1U + 8U + 1U);
  flexibility.supports = all_degrees(Degree::kFull);
  EXPECT_EQ(isolation_rows(flexibility).size(), 1U + 8U + 1U);
  flexibility.block.clear();
  EXPECT_EQ(isolation_rows(flexibility).size(), 1U + 7U + 1U);
}

TEST(FlexWorth, RowsOfTheClassesBeginWithTheFewestFlexibleAxes) {
  const std::vector<Degrees> rows = class_rows(paper_flexibility());
  ASSERT_EQ(rows.size(), 17U);
  EXPECT_EQ(rows[0], all_degrees(Degree::kFixed));
  EXPECT_EQ(flex_class(paper_flexibility(), rows[1]), "0001");
  EXPECT_EQ(rows[15], all_degrees(Degree::kFull));
  EXPECT_EQ(rows[16], all_degrees(Degree::kPartial));
}

TEST(FlexWorth, AFixedTileThatDoesNotFitHasNoMapping) {
  Flexibility flexibility = paper_flexibility();
  flexibility.loops = {{"GLB", "m", 512}, {"GLB", "c", 512}};
  const Network network = network_of(paper_conv(512, 512, 7, 1), 1);
  const FlexWorth worth =
      find_worth(flexibility, paper_arch(), network, std::vector{all_degrees(Degree::kFixed)}, {});
  EXPECT_EQ(worth.rows[0].status, Status::kInfeasible);
}

TEST(FlexAnswer, SaysWhatFreeingAnAxisIsWorth) {
  const FlexAnswer answer = find_flex_answer(paper_flexibility(), paper_arch(),
                                             network_of(paper_conv(128, 8, 7, 1), 1), true, {});
  const std::string text = flex_text(answer, true, {});
  EXPECT_NE(text.find("one on paper: class 0000"), std::string::npos);
  EXPECT_NE(text.find("Freeing the "), std::string::npos);
  EXPECT_NE(text.find("\n0011 "), std::string::npos);  // of the table of classes
  EXPECT_NE(flex_json(answer).find("\"class\": \"0000\""), std::string::npos);
}

}  // namespace
}  // namespace tilewright
