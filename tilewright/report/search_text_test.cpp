// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search_text.h"

#include <gtest/gtest.h>

#include "tilewright/report/not_found_text.h"
#include "tilewright/report/reference_test.h"

namespace tilewright {
namespace {

const Natural kMillion = 1'000'000;

class SearchText : public ::testing::Test {
 protected:
  SearchText() {
    result.ending = Ending::kPatience;
    result.seen = 12'345;
    result.valid = 1'234;
    result.too_large = 11'111;
  }

  Searched searched() const {
    return {.given = problem,
            .result = result,
            .space = "ruby-s",
            .size = kMillion * Natural(1234),
            .seed = 7,
            .patience = 3000,
            .objective = "edp",
            .caps = caps};
  }

  Problem problem = testing::Reference().problem;
  SearchResult result;
  std::vector<std::string> caps;
};

TEST_F(SearchText, SaysWhatWasSearchedAndHowItEnded) {
  EXPECT_EQ(search_text(searched(), {}),
            "space   ruby-s: 1.23 x 10^9 mappings (1,234,000,000)\n"
            "search  random, seed 7: 12,345 drawn, 1,234 fit (10.0 %)\n"
            "ended   3,000 that fit in a row were no better (--patience)\n"
            "result  best edp of 12,345 draws; not proved\n");
}

TEST_F(SearchText, ProvesOnlyWhatWasAllSeen) {
  result.ending = Ending::kExhausted;
  Searched all = searched();
  all.mapper = Mapper::kExhaustive;
  EXPECT_TRUE(is_proved(all));
  EXPECT_NE(search_text(all, {}).find("result  proved best edp of all 1.23 x 10^9 mappings\n"),
            std::string::npos);
  for (const Ending ending : {Ending::kPatience, Ending::kBudget, Ending::kStopped}) {
    result.ending = ending;
    EXPECT_FALSE(is_proved(all));
    EXPECT_NE(search_text(all, {}).find("not proved"), std::string::npos);
  }
}

TEST_F(SearchText, TellsPaddingApart) {
  EXPECT_EQ(padding_text(problem, problem, {}), "");
  Searched all = searched();
  all.sizes = 5;
  EXPECT_NE(search_text(all, {}).find(" over 5 sizes\n"), std::string::npos);
  all.counted = false;
  EXPECT_NE(search_text(all, {}).find(" at the given of 5 sizes\n"), std::string::npos);
}

TEST(ProgressText, IsOneLine) {
  EXPECT_EQ(
      progress_text({.seen = 1'234'567, .valid = 26'000, .best = 1.234e9, .seconds = 12.34}, "edp"),
      "12.3 s  1,234,567 seen  2.1 % fit  best edp 1.234e+09");
  EXPECT_EQ(progress_text({}, "edp"), "0.0 s  0 seen  0 % fit");
}

TEST_F(SearchText, NothingFoundIsAFinding) {
  Diagnostics diagnostics;
  result.valid = 0;
  report_not_found(searched(), "DRAM: keep A\nmac\n", diagnostics);
  const Diagnostic found = diagnostics.all().front();
  EXPECT_EQ(found.code, "M0303");
  EXPECT_EQ(found.message, "no mapping was found in time, though there is one");
  EXPECT_EQ(found.notes[0], "12,345 mappings drawn: 11,111 too large for the memories");
  EXPECT_TRUE(found.notes.back().ends_with("\nDRAM: keep A\nmac"));
}

TEST_F(SearchText, CapsAreNamedWithTheLeastValue) {
  Diagnostics diagnostics;
  const std::vector<CapBound> bounds = {{{Cap::Figure::kCycles, 100}, {}, 150},
                                        {{Cap::Figure::kEnergy, 1e6}, {}, 5e5},
                                        {{Cap::Figure::kTraffic, 10}, {}, 1}};
  report_caps(searched(), bounds, diagnostics);
  const Diagnostic some = diagnostics.all().front();
  EXPECT_EQ(some.code, "M0304");
  EXPECT_EQ(some.labels[0].text, "the least latency of any mapping is 150 cycles");
  EXPECT_EQ(some.labels[1].text, "the least energy of any mapping is 500.0 nJ");
  EXPECT_EQ(some.labels[2].text, "the least traffic of any mapping is 1 element");
  EXPECT_EQ(some.notes.size(), 1U);
  Diagnostics again;
  report_caps(searched(), std::span(bounds).subspan(1), again);
  EXPECT_EQ(again.all().front().notes.back(), "each cap can be met alone, but not all together");
}

}  // namespace
}  // namespace tilewright
