// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/json/evaluation_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/reference.h"

namespace tilewright {
namespace {

using Json = nlohmann::json;

TEST(EvaluationJson, CarriesVersionAndSchema) {
  const testing::Reference reference;
  const Json root = Json::parse(evaluation_json(reference.evaluated(), "1.2.3"));
  EXPECT_EQ(root["tilewright"]["version"], "1.2.3");
  EXPECT_EQ(root["tilewright"]["schema"], kResultSchema);
}

TEST(EvaluationJson, HasExactCounts) {
  testing::Reference reference;
  const std::int64_t large = (std::int64_t{1} << 62) + 1;  // no double holds it
  reference.evaluation.memories[0].tensors[1].reads = large;
  const Json root = Json::parse(evaluation_json(reference.evaluated(), ""));
  const Json& dram = root["memories"][0];
  EXPECT_EQ(dram["name"], "DRAM");
  EXPECT_EQ(dram["tensors"][1]["name"], "Weights");
  EXPECT_EQ(dram["tensors"][1]["reads"].get<std::int64_t>(), large);
  EXPECT_TRUE(dram["tensors"][1]["reads"].is_number_integer());
  EXPECT_EQ(root["cycles"], 86'016);
  EXPECT_EQ(root["computes"], 10'838'016);
  EXPECT_EQ(root["bottleneck"], "mac");
}

TEST(EvaluationJson, ListsOnlyKeptTensors) {
  const testing::Reference reference;
  const Json root = Json::parse(evaluation_json(reference.evaluated(), ""));
  EXPECT_EQ(root["memories"][1]["tensors"].size(), 2U);
  EXPECT_EQ(root["memories"][1]["tensors"][1]["name"], "Outputs");
  EXPECT_EQ(root["memories"][1]["tensors"][0]["room_bits"], 128 * 1024 * 8);
  EXPECT_FALSE(root["memories"][0]["tensors"][0].contains("room_bits"));
}

TEST(EvaluationJson, HasTheObjectiveOnlyIfAsked) {
  const testing::Reference reference;
  Evaluated evaluated = reference.evaluated();
  EXPECT_FALSE(Json::parse(evaluation_json(evaluated, "")).contains("objective"));
  evaluated.objective = NamedObjective{"energy", {1, 0, 0}};
  const Json root = Json::parse(evaluation_json(evaluated, ""));
  EXPECT_EQ(root["objective"]["name"], "energy");
  EXPECT_DOUBLE_EQ(root["objective"]["score"].get<double>(), reference.evaluation.energy_pj);
}

TEST(EvaluationJson, KeepsTheOrderOfItsKeys) {
  const testing::Reference reference;
  const std::string text = evaluation_json(reference.evaluated(), "1");
  EXPECT_TRUE(text.starts_with("{\n  \"tilewright\": {\n    \"version\": \"1\","));
  EXPECT_LT(text.find("\"workload\""), text.find("\"arch\""));
  EXPECT_LT(text.find("\"arch\""), text.find("\"mapping\""));
  EXPECT_TRUE(text.ends_with("}\n"));
}

}  // namespace
}  // namespace tilewright
