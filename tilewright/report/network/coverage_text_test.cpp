// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/network/coverage_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tilewright {
namespace {

Network small_network() {
  const auto plain = [](int dim) { return Rank{{Term{DimId(dim)}}}; };
  const Workload product("fc", {{"m", 4}, {"n", 8}, {"k", 16}},
                         {{"A", "input", 16, {plain(0), plain(2)}},
                          {"B", "weight", 16, {plain(2), plain(1)}},
                          {"Z", "output", 16, {plain(0), plain(1)}}});
  Network network{.name = "small"};
  network.layers = {{.name = "a/very/long/path/of/names/fc1", .op = "Gemm", .workload = product},
                    {.name = "fc2", .op = "Gemm", .workload = product}};
  return network;
}

TEST(CoverageText, SaysWhatIsMappedAndWhatIsNot) {
  Coverage coverage;
  coverage.add({"Gemm", Treatment::kMapped, 2, 1024, 8000});
  coverage.add({"Relu", Treatment::kTraffic, 1, 32, 1000});
  coverage.add({"Magic", Treatment::kIgnored, 1, 32, 1000});
  const std::string text = coverage_text(small_network(), coverage, {});
  for (const char* part :
       {"small: 4 nodes", "94.1 % of the arithmetic and 80.0 % of the bytes", "1 node ignored",
        ">= 32", "2 to map, 1 of them distinct", "m=4 n=8 k=16", "of/names/fc1"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(CoverageText, IgnoresNothingAloud) {
  Coverage coverage;
  coverage.add({"Gemm", Treatment::kMapped, 2, 1024, 8000});
  const std::string text = coverage_text(small_network(), coverage, {});
  EXPECT_NE(text.find("nothing is ignored"), std::string::npos) << text;
}

TEST(CoverageText, ListsWhatIsFusedIntoWhat) {
  Coverage coverage;
  coverage.add({"Gemm", Treatment::kMapped, 2, 1024, 8000});
  coverage.add({"Relu", Treatment::kFused, 2, 64, 0});
  coverage.add({"Add", Treatment::kFused, 1, 32, 512});
  coverage.fusions = {
      {"fc1", "Gemm", {{"r1", "Relu", FusedHow::kOut, 0}}},
      {"fc2",
       "Gemm",
       {{"q", "DequantizeLinear", FusedHow::kIn, 0}, {"a", "Add", FusedHow::kOut, 512}}},
      {"fc3", "Gemm", {{"r2", "Relu", FusedHow::kOut, 0}}}};
  const std::string text = coverage_text(small_network(), coverage, {});
  for (const char* part : {"are mapped or fused", "fused: 3 nodes into 3 layers",
                           "fc1                    2  Gemm + Relu\n",
                           "fc2                    1  DequantizeLinear + Gemm + Add (reads)\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const auto json = nlohmann::json::parse(coverage_json(small_network(), coverage, "1.2"));
  EXPECT_EQ(json["fusions"][1]["layer"], "fc2");
  EXPECT_EQ(json["fusions"][1]["nodes"][0]["into"], "input");
  EXPECT_EQ(json["fusions"][1]["nodes"][1]["bits"], 512);
}

TEST(CoverageText, JsonHasTheSameFigures) {
  Coverage coverage;
  coverage.add({"Gemm", Treatment::kMapped, 2, 1024, 8000});
  coverage.add({"Magic", Treatment::kIgnored, 1, 32, 1000});
  const auto json = nlohmann::json::parse(coverage_json(small_network(), coverage, "1.2"));
  EXPECT_EQ(json["coverage"]["mapped"]["operations"], 1024);
  EXPECT_EQ(json["coverage"]["ignored"]["operators"][0]["op"], "Magic");
  EXPECT_EQ(json["layers"][1]["dims"]["k"], 16);
  EXPECT_EQ(json["network"]["macs"], 1024);
}

}  // namespace
}  // namespace tilewright
