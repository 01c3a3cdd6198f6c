// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search/mapspace_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/reference.h"

namespace tilewright {
namespace {

const Natural kMillion = 1'000'000;

NamedEffect effect(Natural with, Natural without) {
  return {"arch.yaml:7", "m = 1 at GLB", {std::move(with), std::move(without)}};
}

TEST(EffectText, SaysHowMuchIsLeft) {
  EXPECT_EQ(effect_text(effect(7, 100)), "removes 93.0 % of the space");
  EXPECT_EQ(effect_text(effect(100, 100)), "not binding: no effect on this layer");
  EXPECT_EQ(effect_text(effect(2, 1999)), "removes 99.9 % of the space");
  EXPECT_EQ(effect_text(effect(2, 2000)), "leaves 1 in 1,000");
  EXPECT_EQ(effect_text(effect(1, kMillion * kMillion)), "leaves 1 in 1.00 x 10^12");
  EXPECT_EQ(effect_text(effect(0, 5)), "leaves nothing of the space");
}

TEST(ConstraintsText, LinesUpAndStaysInItsColumns) {
  std::vector<NamedEffect> effects = {effect(7, 100), effect(100, 100)};
  EXPECT_EQ(constraints_text("pfm", effects, {}),
            "constraints, and how much of pfm each removes with the others in place\n"
            "  arch.yaml:7  m = 1 at GLB  removes 93.0 % of the space\n"
            "  arch.yaml:7  m = 1 at GLB  not binding: no effect on this layer\n");
  EXPECT_EQ(constraints_text("pfm", {}, {}), "");
  effects[1].place = "a/rather/long/folder/of/some/project/constraints.yaml:12";
  effects[1].text = "order m, ..., q, c, r, s at a_memory_with_quite_a_long_name_of_its_own";
  const std::string text = constraints_text("pfm", effects, {});
  EXPECT_NE(text.find("  constraints.yaml:12  order m"), std::string::npos) << text;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 80U) << text.substr(at, end - at);
    at = end + 1;
  }
}

MapspaceSizes sizes() {
  MapspaceSizes result;
  result.spaces = {{"pfm", 1, true, 1234, 5, 64, kMillion * kMillion},
                   {"pad", 3, true, 5000, 7, 64, kMillion},
                   {"pad", 972, false}};
  result.blocks = {{"DRAM", 720, 19}};
  result.constrained = "ruby-s";
  result.effects = {effect(7, 100)};
  return result;
}

TEST(SizesText, IsATable) {
  EXPECT_EQ(sizes_text(testing::Reference().problem, sizes(), false, {}),
            "conv on eyeriss_like: number of mappings\n"
            "space  tilings  on the array  bypass      mappings\n"
            "pfm      1,234             5      64  1.00 x 10^12\n"
            "pad      5,000             7      64   1.00 x 10^6  over 3 sizes\n"
            "pad     has 972 choices of sizes: `--space pad` counts them all\n"
            "\n"
            "loop orders if every dim is split; orders of one class cost the same\n"
            "block of  orders  classes\n"
            "DRAM         720       19\n"
            "\n"
            "constraints, and how much of ruby-s each removes with the others in place\n"
            "  arch.yaml:7  m = 1 at GLB  removes 93.0 % of the space\n");
}

TEST(SizesText, ShowsAllDigitsIfAsked) {
  const std::string text = sizes_text(testing::Reference().problem, sizes(), true, {});
  EXPECT_NE(text.find("\n  mappings      1,000,000,000,000\n"), std::string::npos) << text;
}

TEST(SizesJson, HasSizesAsText) {
  const auto root =
      nlohmann::json::parse(sizes_json(testing::Reference().problem, sizes(), "0.1.0"));
  EXPECT_EQ(root["spaces"][0]["mappings"], "1000000000000");
  EXPECT_FALSE(root["spaces"][2].contains("mappings"));
  EXPECT_EQ(root["orders"][0]["classes"], "19");
  EXPECT_EQ(root["constrained"]["constraints"][0]["size_without"], "100");
}

}  // namespace
}  // namespace tilewright
