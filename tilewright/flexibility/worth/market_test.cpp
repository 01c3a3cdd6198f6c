// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/worth/market.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tilewright/flexibility/answer/market_answer.h"
#include "tilewright/flexibility/flexibility_test_support.h"

namespace tilewright {
namespace {

using testing::paper_arch;
using testing::paper_conv;
using testing::paper_flexibility;

// 32 PEs, for which the paper's prices are 1/32 of what they are for 1,024.
Arch small_arch() { return paper_arch(4, 8); }
constexpr double kBudget = 500.0 / 32;

Flexibility small_flexibility() {
  Flexibility result = paper_flexibility();
  result.block = {2, 2};
  return result;
}

std::vector<Network> some_networks() {
  Network one;
  one.name = "one";
  one.layers.push_back({.name = "layer", .workload = paper_conv(16, 3, 4, 1)});
  Network two;
  two.name = "two";
  two.layers.push_back({.name = "layer", .workload = paper_conv(5, 9, 3, 1)});
  return {one, two};
}

TEST(FlexMarket, CostsAreThePapersUnlessTheFileSaysOtherwise) {
  const FlexCosts costs = costs_of(paper_flexibility(), paper_arch());
  EXPECT_EQ(costs.base_um2, 736843);
  EXPECT_EQ(added_area_um2(costs, all_degrees(Degree::kFixed)), 0);
  // Its Table 3 has 2,733 for all axes, which is not quite the sum of the four, and half for
  // partial.
  EXPECT_NEAR(added_area_um2(costs, all_degrees(Degree::kFull)), 739576 - 736843, 3);
  EXPECT_NEAR(added_area_um2(costs, all_degrees(Degree::kPartial)), 738209 - 736843, 2);
  EXPECT_EQ(costs_of(paper_flexibility(), paper_arch(8, 64)).base_um2, 736843 / 2.0);
  Flexibility own = paper_flexibility();
  own.costs = FlexCosts{.base_um2 = 7};
  EXPECT_EQ(costs_of(own, paper_arch()).base_um2, 7);
}

TEST(FlexMarket, PruningChangesNeitherTheFrontNorTheChoice) {
  MarketOptions options;
  options.most_added_um2 = kBudget;
  const auto pruned = find_flex_market(small_flexibility(), small_arch(), some_networks(), options);
  options.prune = false;
  const auto full = find_flex_market(small_flexibility(), small_arch(), some_networks(), options);
  EXPECT_TRUE(pruned.is_proved);
  EXPECT_TRUE(std::ranges::all_of(full.offers, &FlexOffer::is_solved));
  EXPECT_LT(std::ranges::count(pruned.offers, true, &FlexOffer::is_solved),
            std::ssize(full.offers));
  ASSERT_EQ(pruned.front.size(), full.front.size());
  for (std::size_t i = 0; i < full.front.size(); ++i) {
    const FlexOffer& a = pruned.offers[pruned.front[i]];
    const FlexOffer& b = full.offers[full.front[i]];
    EXPECT_EQ(a.added_um2, b.added_um2);
    EXPECT_EQ(a.scores, b.scores);
  }
  ASSERT_NE(best_offer(full), nullptr);
  EXPECT_LE(best_offer(full)->added_um2, kBudget);
}

TEST(FlexMarket, ABudgetIsAShareOrAnArea) {
  const FlexCosts costs{.base_um2 = 2000};
  Diagnostics diagnostics;
  EXPECT_EQ(parse_area_budget("area=5%", costs, diagnostics), 100);
  EXPECT_EQ(parse_area_budget("area=0.05", costs, diagnostics), 100);
  EXPECT_EQ(parse_area_budget("area=70 um2", costs, diagnostics), 70);
  EXPECT_FALSE(diagnostics.has_errors());
  for (const char* wrong : {"", "area", "area=", "area=x", "area=-1%", "energy=5%", "5%"}) {
    Diagnostics found;
    EXPECT_FALSE(parse_area_budget(wrong, costs, found)) << wrong;
    EXPECT_EQ(found.errors(), 1) << wrong;
  }
}

TEST(FlexMarket, WhatIsBoughtIsSaidInASentence) {
  MarketOptions options;
  options.most_added_um2 = kBudget;
  MarketAnswer answer{
      small_flexibility(),
      small_arch(),
      some_networks(),
      options.worth.objective,
      SpaceKind::kRuby,
      "area=15.6um2",
      find_flex_market(small_flexibility(), small_arch(), some_networks(), options)};
  const std::string text = market_text(answer, {});
  EXPECT_NE(text.find("Buy "), std::string::npos) << text;
  EXPECT_NE(text.find("proved best within"), std::string::npos) << text;
  EXPECT_NE(market_page(answer, "0").find("<svg"), std::string::npos);
  EXPECT_NE(market_json(answer).find("\"proved\": true"), std::string::npos);
}

}  // namespace
}  // namespace tilewright
