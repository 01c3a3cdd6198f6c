// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search/search_text.h"

#include <gtest/gtest.h>

#include "tests/support/reference.h"
#include "tilewright/advice/not_found_text.h"

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

  MapResult mapped() const {
    MapResult all;
    all.request.mapper = Mapper::kRandom;
    all.request.seed = 7;
    all.request.caps = caps;
    all.space = make_space(problem, "ruby-s");
    all.search = result;
    all.status = status_of(result);
    all.size = kMillion * Natural(1234);
    return all;
  }

  // The same request with the result as it is now.
  MapResult again(const MapResult& before) const {
    MapResult all = before;
    all.search = result;
    all.status = status_of(result);
    return all;
  }

  Problem problem = testing::Reference().problem;
  SearchResult result;
  std::vector<Cap> caps;
};

TEST_F(SearchText, SaysWhatWasSearchedAndHowItEnded) {
  EXPECT_EQ(search_text(mapped(), {}),
            "assuming unlimited DRAM bandwidth\n"
            "space   ruby-s: 1.23 x 10^9 mappings (1,234,000,000)\n"
            "search  random, seed 7: 12,345 drawn, 1,234 fit (10.0 %)\n"
            "ended   3,000 mappings in a row fit but were no better (--patience)\n"
            "result  best edp of 12,345 draws; not proved\n");
}

TEST_F(SearchText, ProvesOnlyWhatWasAllSeen) {
  result.best = Found{testing::reference_mapping(), {}, 100};
  result.ending = Ending::kExhausted;
  MapResult all = mapped();
  all.request.mapper = Mapper::kExhaustive;
  EXPECT_NE(
      search_text(all, {}).find("ended   all mappings were evaluated\n"
                                "result  proved: no mapping of this space with even placement "
                                "is better (edp)\n"),
      std::string::npos);
  // A proof about all placements says so.
  MapResult uneven = all;
  uneven.space.placement = most_uneven(all.given(), {});
  EXPECT_NE(search_text(uneven, {}).find("is better, wherever in"), std::string::npos);
  all.request.caps = {{Cap::Figure::kCycles, 2e6, "latency <= 2 ms"}};
  EXPECT_NE(
      search_text(all, {}).find("no mapping of this space with even placement within the caps"),
      std::string::npos);
  for (const Ending ending : {Ending::kPatience, Ending::kBudget, Ending::kStopped}) {
    result.ending = ending;
    EXPECT_NE(search_text(again(all), {}).find("not proved"), std::string::npos);
  }
}

TEST_F(SearchText, SaysHowFarAnOptimalSearchCame) {
  result.best = Found{testing::reference_mapping(), {}, 1.05e9};
  result.nodes = 1'234'567;
  result.seen = 321;
  result.ending = Ending::kBudget;
  result.bound = 0.9975e9;
  MapResult all = mapped();
  all.request.mapper = Mapper::kOptimal;
  EXPECT_EQ(search_text(all, {}),
            "assuming unlimited DRAM bandwidth\n"
            "space   ruby-s: 1.23 x 10^9 mappings (1,234,000,000)\n"
            "search  optimal\n"
            "ended   the budget was used up (--budget)\n"
            "result  not proved: edp 1.0500 mJ*cycle, and no mapping has less than 997.50\n"
            "        uJ*cycle; gap 5.0 %\n");
  result.ending = Ending::kGap;
  all.request.gap = 0.06;
  EXPECT_NE(
      search_text(again(all), {}).find("ended   no mapping is better by more than 6.0 % (--gap)\n"),
      std::string::npos);
  result.ending = Ending::kStopped;
  result.bound.reset();
  EXPECT_NE(
      search_text(again(all), {}).find("not proved: edp 1.0500 mJ*cycle; no bound is known yet\n"),
      std::string::npos);
  result.ending = Ending::kExhausted;
  EXPECT_NE(
      search_text(again(all), {})
          .find("ended   all mappings were evaluated or ruled out by a bound\n"
                "result  proved: no mapping of this space with even placement is better (edp)\n"),
      std::string::npos);
}

TEST_F(SearchText, ABoundThatIsReachedIsAProof) {
  result.best = Found{testing::reference_mapping(), {}, 100};
  result.ending = Ending::kBudget;
  result.bound = 100;
  EXPECT_NE(search_text(mapped(), {}).find("result  proved: "), std::string::npos);
}

TEST_F(SearchText, SaysHowSimpleTheSimplestIs) {
  result.best = Found{testing::reference_mapping(), {}, 100};
  result.ending = Ending::kExhausted;
  MapResult all = mapped();
  all.simple = Simple{0.05, {12, 2}, {{testing::reference_mapping(), {}, 103}, {7, 1}, true, 42}};
  EXPECT_NE(search_text(all, {}).find(
                "\nsimple  7 loops and 1 bypass instead of 12 loops and 2 bypasses, edp 3.0 "
                "% above\n        the best; proved: no mapping within 5.0 % is simpler\n"),
            std::string::npos)
      << search_text(all, {});
  all.simple->result.proved = false;
  EXPECT_NE(search_text(all, {}).find("not proved: a simpler one within 5.0 % may exist"),
            std::string::npos);
}

TEST_F(SearchText, TellsPaddingApart) {
  EXPECT_EQ(padding_text(problem, problem, {}), "");
  MapResult all = mapped();
  all.space.problems.assign(5, problem);
  EXPECT_NE(search_text(all, {}).find(" over 5 sizes\n"), std::string::npos);
  all.space.problems.assign(972, problem);  // too many to be counted
  EXPECT_NE(search_text(all, {}).find(" at the given of 972 sizes\n"), std::string::npos);
}

TEST(ProgressText, IsOneLine) {
  EXPECT_EQ(progress_text({.seen = 1'234'567, .valid = 26'000, .best = 1.234e9, .seconds = 12.34},
                          Mapper::kRandom, "edp"),
            "12.3 s  1,234,567 seen  2.1 % fit  best edp 1.234 mJ*cycle");
  EXPECT_EQ(progress_text({}, Mapper::kLocal, "edp"), "0.0 s  0 seen  0 % fit");
  EXPECT_EQ(progress_text({}, Mapper::kOptimal, "edp"), "0.0 s  0 nodes");
  EXPECT_EQ(progress_text({.best = 1.25e9, .nodes = 1'234'567, .bound = 1e9, .seconds = 12.34},
                          Mapper::kOptimal, "edp"),
            "12.3 s  1,234,567 nodes  best edp 1.250 mJ*cycle  gap 20.0 %  "
            "bound 1.000 mJ*cycle");
}

TEST_F(SearchText, NothingFoundIsAFinding) {
  Diagnostics diagnostics;
  result.valid = 0;
  MapResult all = mapped();
  all.witness = Alternative{{testing::reference_mapping(), {}, 0}, 0};
  report_not_found(all, diagnostics);
  const Diagnostic found = diagnostics.all().front();
  EXPECT_EQ(found.code, "M0303");
  EXPECT_EQ(found.message, "no mapping was found in time, although one exists");
  EXPECT_EQ(found.notes[0], "12,345 mappings drawn: 11,111 too large for the memories");
  EXPECT_TRUE(found.notes.back().find("for `tilewright evaluate`:\nDRAM") != std::string::npos);
}

TEST_F(SearchText, NothingFoundWithinCapsMayMeanThatThereIsNothing) {
  Diagnostics diagnostics;
  result.nodes = 1'234;
  caps = {{Cap::Figure::kCycles, 2e6, "latency <= 2 ms"}};
  MapResult all = mapped();
  all.witness = Alternative{{testing::reference_mapping(), {}, 0}, 0};
  all.request.mapper = Mapper::kOptimal;
  report_not_found(all, diagnostics);
  const Diagnostic found = diagnostics.all().front();
  EXPECT_EQ(found.message,
            "no mapping within the caps was found; whether there is one is not known");
  EXPECT_EQ(found.notes[0], "1,234 nodes were examined");
  EXPECT_EQ(found.helps.back(), "try a larger `--budget`");
}

TEST_F(SearchText, CapsAreNamedWithTheLeastValue) {
  Diagnostics diagnostics;
  caps = {{Cap::Figure::kCycles, 100}, {Cap::Figure::kEnergy, 1e6}, {Cap::Figure::kTraffic, 10}};
  const std::vector<Span> places(3);
  MapResult all = mapped();
  all.cap_bounds = {{0, 150}, {1, 5e5}, {2, 1}};
  report_caps(all, places, diagnostics);
  const Diagnostic some = diagnostics.all().front();
  EXPECT_EQ(some.code, "M0304");
  EXPECT_EQ(some.labels[0].text, "the least latency of any mapping is 150 cycles");
  EXPECT_EQ(some.labels[1].text, "the least energy of any mapping is 500.0 nJ");
  EXPECT_EQ(some.labels[2].text, "the least traffic of any mapping is 1 element");
  EXPECT_EQ(some.notes.size(), 1U);
  Diagnostics later;
  all.cap_bounds.erase(all.cap_bounds.begin());
  report_caps(all, places, later);
  EXPECT_EQ(later.all().front().notes.back(), "each cap can be met alone, but not all together");
}

}  // namespace
}  // namespace tilewright
