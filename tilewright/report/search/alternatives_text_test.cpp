// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search/alternatives_text.h"

#include <gtest/gtest.h>

#include "tests/support/reference.h"

namespace tilewright {
namespace {

const NodeId kDram(0), kGlb(1), kPe(2), kIfmap(3), kWeights(4), kPsum(5);
const DimId kM(1), kC(2), kP(3), kQ(4), kR(5), kS(6);

// The reference with another GLB, another order outside it and other loops in space.
Mapping other_mapping() {
  return Mapping({keep(kDram, 0b111), temporal(kQ, 2), temporal(kP, 8), temporal(kM, 4),
                  keep(kGlb, 0b011), temporal(kP, 7), temporal(kQ, 4), spatial(kPe, 0, kP, 2),
                  spatial(kPe, 0, kQ, 14), spatial(kPe, 1, kC, 3), spatial(kPe, 1, kS, 3),
                  keep(kIfmap, 0b001), keep(kWeights, 0b010), temporal(kR, 3), keep(kPsum, 0b100),
                  temporal(kM, 8)});
}

class Alternatives : public ::testing::Test {
 protected:
  Alternatives() { result.ending = Ending::kExhausted; }

  Alternative answer(const Mapping& mapping, double energy_pj, std::int64_t cycles) const {
    Evaluation evaluation;
    evaluation.energy_pj = energy_pj;
    evaluation.cycles = cycles;
    return {{mapping, evaluation, energy_pj * static_cast<double>(cycles)}, 0};
  }
  MapResult mapped(std::vector<Alternative> answers, bool front) const {
    MapResult all;
    all.request.front = front;
    all.space = make_space(problem, "pfm");
    all.search = result;
    all.alternatives = std::move(answers);
    return all;
  }

  Problem problem = testing::Reference().problem;
  Mapping best = testing::reference_mapping();
  SearchResult result;
};

TEST_F(Alternatives, DifferencesAreByNode) {
  const MapResult all = mapped({answer(best, 1, 1), answer(other_mapping(), 1, 2)}, false);
  EXPECT_TRUE(find_differences(all, all.alternatives[0]).empty());
  const std::vector<std::string> expected = {"DRAM order", "shared_glb +Weights -Outputs p 14->7",
                                             "PE p 1->2 on X"};
  EXPECT_EQ(find_differences(all, all.alternatives[1]), expected);
}

TEST_F(Alternatives, TheBestAreATable) {
  MapResult all = mapped({answer(best, 1e6, 1000), answer(other_mapping(), 1.01e6, 1000)}, false);
  EXPECT_EQ(alternatives_text(all, {}),
            "top     the best 2 mappings, one per score: proved\n"
            "                edp    energy  cycles  differs from the best\n"
            "  1  1.000 mJ*cycle  1.000 uJ   1,000\n"
            "  2            +1 %  1.010 uJ   1,000  DRAM order; 2 more\n");
  TextOptions wide;
  wide.width = 120;
  EXPECT_NE(
      alternatives_text(all, wide).find("1,000  DRAM order; shared_glb +Weights -Outputs p 14->7; "
                                        "PE p 1->2 on X\n"),
      std::string::npos);
  all.search.ending = Ending::kBudget;
  EXPECT_NE(alternatives_text(all, wide).find("not proved, others may be as good"),
            std::string::npos);
  EXPECT_EQ(alternatives_text(mapped({}, false), {}), "");
}

TEST_F(Alternatives, AFrontIsPlotted) {
  const MapResult all = mapped({answer(other_mapping(), 3e6, 1000), answer(best, 1.2e6, 1500),
                                answer(other_mapping(), 1e6, 3000)},
                               true);
  const std::string text = alternatives_text(all, {});
  EXPECT_TRUE(
      text.starts_with("front   energy and cycles: 3 mappings; proved: no other is as "
                       "good in both\n"))
      << text;
  EXPECT_NE(text.find("  2  1.800 mJ*cycle  1.200 uJ   1,500\n"), std::string::npos) << text;
  const std::string bottom(59, ' ');
  EXPECT_NE(text.find("  3.000 uJ |*\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  1.000 uJ |" + bottom + "*\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" 3,000 cycles\n"), std::string::npos);
}

TEST_F(Alternatives, ALongFrontIsShownInPart) {
  std::vector<Alternative> many;
  for (int i = 0; i < 100; ++i) many.push_back(answer(best, 200 - i, 1000 + i));
  const std::string text = alternatives_text(mapped(many, true), {});
  EXPECT_NE(text.find("100 mappings, 24 of them below"), std::string::npos);
  EXPECT_NE(text.find("\n    1  "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  100  "), std::string::npos);
  EXPECT_EQ(alternatives_json(mapped(many, true)).size(), 100U);
}

TEST_F(Alternatives, ProgramsGetEveryMapping) {
  const auto json =
      alternatives_json(mapped({answer(best, 2, 3), answer(other_mapping(), 3, 3)}, false));
  EXPECT_EQ(json[0]["score"], 6.0);
  EXPECT_EQ(json[0]["differences"].size(), 0U);
  EXPECT_EQ(json[1]["cycles"], 3);
  EXPECT_EQ(json[1]["differences"].size(), 3U);
  EXPECT_FALSE(json[1].contains("dims"));
  EXPECT_TRUE(json[1]["mapping"].get<std::string>().starts_with("DRAM: keep Inputs"));
}

}  // namespace
}  // namespace tilewright
