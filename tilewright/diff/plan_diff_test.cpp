// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/plan_diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tilewright/diff/diff_text.h"

namespace tilewright {
namespace {

SavedPlan plan(double first) {
  return {"net",
          2 * first + 50,
          300,
          0.5,
          800,
          true,
          {{"one", 2, first, 100, "mac"}, {"two", 1, 50, 100, "mac"}}};
}

ResultFile file(const char* space) {
  ResultFile result;
  result.version = "1";
  result.run.command = "net";
  result.run.options["space"] = std::string(space);
  result.run.inputs = {
      std::make_shared<const SourceFile>(SourceFile{"library:eyeriss", "arch: a"})};
  return result;
}

TEST(PlanDiff, ShowsTheLayersThatDiffer) {
  const ResultFile a = file("pfm");
  const ResultFile b = file("ruby-s");
  const SavedPlan before = plan(100);
  const SavedPlan after = plan(75);
  EXPECT_EQ(plan_diff_text({"a.json", a, before}, {"b.json", b, after}, {}),
            "differ  --space: pfm -> ruby-s\n"
            "same    command net, arch eyeriss\n"
            "\n"
            "                       a.json          b.json   ratio\n"
            "  energy             250.0 pJ        200.0 pJ  0.800x\n"
            "  cycles                  300             300    same\n"
            "  EDP          75.00 nJ*cycle  60.00 nJ*cycle  0.800x\n"
            "  DRAM                100.0 B         100.0 B    same\n"
            "  utilization          50.0 %          50.0 %    same\n"
            "  best                 proved          proved    same\n"
            "\n"
            "layers one run of each, the largest change of the energy first\n"
            "  layer  runs    energy  ->         ratio   cycles  ->   ratio\n"
            "  one       2  100.0 pJ  75.00 pJ  0.750x      100  100   same\n"
            "  1 layer with the same figures left out\n");
}

TEST(PlanDiff, SaysThatNothingDiffers) {
  const ResultFile a = file("pfm");
  const SavedPlan before = plan(100);
  const std::string text = plan_diff_text({"a.json", a, before}, {"b.json", a, before}, {});
  EXPECT_TRUE(text.ends_with("  every layer costs the same\n")) << text;
}

TEST(PlanDiff, KnowsLayersThatOnlyOneHas) {
  const ResultFile a = file("pfm");
  const SavedPlan before = plan(100);
  SavedPlan after = plan(100);
  after.layers[1].name = "three";
  const auto root =
      nlohmann::json::parse(plan_diff_json({"a.json", a, before}, {"b.json", a, after}, "1"));
  ASSERT_EQ(root["layers"].size(), 2U);
  EXPECT_EQ(root["layers"][0]["name"], "two");
  EXPECT_EQ(root["layers"][0]["count"]["after"], 0);
  EXPECT_EQ(root["layers"][1]["name"], "three");
  EXPECT_EQ(root["layers"][1]["count"]["before"], 0);
}

TEST(PlanDiff, ReadsOnlyPlans) {
  EXPECT_FALSE(read_saved_plan("{}"));
  EXPECT_FALSE(read_saved_plan("not json"));
  EXPECT_FALSE(read_saved_plan(R"({"network": 3})"));
}

}  // namespace
}  // namespace tilewright
