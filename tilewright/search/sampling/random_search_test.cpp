// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tilewright/mapspace/sampler.h"
#include "tilewright/search/draws.h"
#include "tilewright/search/search.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::expect_same;
using search_test::gemm;
using search_test::Reference;

using Trace = std::vector<std::optional<double>>;

// Draw by draw in one thread, until a rule says stop.
SearchResult sequential(const Problem& problem, const Rules& rules, const SearchOptions& options,
                        Trace& trace) {
  Sampler sampler(problem, rules);
  Reference reference(problem, options);
  Random random(0);
  for (std::uint64_t n = 0;; ++n) {
    if (n % kBatchSize == 0) random = batch_random(options.seed, n / kBatchSize);
    // Orders are drawn only for tilings that fit.
    std::span<const NestNode> nest = sampler.draw_tiling(random);
    if (reference.fits(nest)) nest = sampler.draw_orders(random);
    reference.look_at(nest);
    const SearchResult& result = reference.result;
    trace.push_back(result.best ? std::optional(result.best->score) : std::nullopt);
    if (options.patience > 0 && reference.in_vain >= options.patience) {
      reference.result.ending = Ending::kPatience;
      break;
    }
    if (options.max_seen > 0 && result.seen >= options.max_seen) {
      reference.result.ending = Ending::kBudget;
      break;
    }
  }
  return reference.result;
}

TEST(SearchRandom, DoesWhatOneThreadWouldDo) {
  const Problem problem = gemm(12, 10, 14, 600);
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  struct Case {
    std::uint64_t seed, patience, max_seen;
    std::vector<Cap> caps;
    Ending ending;
  };
  const Case cases[] = {
      {1, 1, 0, {}, Ending::kPatience},
      {2, 40, 0, {}, Ending::kPatience},
      {3, 400, 0, {}, Ending::kPatience},
      {4, 0, 3000, {}, Ending::kBudget},
      {5, 0, kBatchSize, {}, Ending::kBudget},
      {6, 50, 20000, {{Cap::Figure::kCycles, 900}}, Ending::kPatience},
      {7, 1000, 3500, {{Cap::Figure::kEnergy, 3e5}, {Cap::Figure::kTraffic, 3e3}}, Ending::kBudget},
      {8, 0, 1500, {{Cap::Figure::kCycles, 1}}, Ending::kBudget},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.seed);
    SearchOptions options;
    options.seed = one.seed;
    options.patience = one.patience;
    options.max_seen = one.max_seen;
    options.caps = one.caps;
    Trace expected_trace;
    const SearchResult expected = sequential(problem, rules, options, expected_trace);
    EXPECT_EQ(expected.ending, one.ending);
    if (one.patience != 1) {  // it may end before one is met
      EXPECT_GT(expected.too_large, 0U);
    }
    EXPECT_EQ(expected.over_cap > 0, !one.caps.empty());
    EXPECT_EQ(expected.best.has_value(), one.seed != 8);
    for (const int threads : {1, 2, 3}) {
      Trace trace;
      options.threads = threads;
      options.trace = [&](std::uint64_t seen, std::optional<double> best) {
        trace.push_back(best);
        EXPECT_EQ(seen, trace.size());
      };
      expect_same(search_random(problem, rules, options), expected);
      EXPECT_EQ(trace, expected_trace);
    }
  }
}

TEST(SearchRandom, ObeysConventionsAndObjective) {
  const Problem problem = gemm(12, 10, 14, 600).with(Conventions{.drains_are_reads = true});
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  SearchOptions options;
  options.max_seen = 2000;
  options.objective = *objective_by_name("traffic");
  Trace trace;
  expect_same(search_random(problem, rules, options), sequential(problem, rules, options, trace));
}

TEST(SearchRandom, EndsWhenTold) {
  const Problem problem = gemm(12, 10, 14, 600);
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  const std::atomic<bool> stop = true;
  SearchOptions options;
  options.patience = 0;
  options.stop = &stop;
  const SearchResult result = search_random(problem, rules, options);
  EXPECT_EQ(result.ending, Ending::kStopped);
  EXPECT_EQ(result.seen, 0U);
  EXPECT_FALSE(result.best);
}

TEST(SearchRandom, GivesUpWhereNothingIsValid) {
  const Problem problem = gemm(12, 10, 14, 600);
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  SearchOptions options;
  options.barren = 1500;
  options.max_seen = 20000;
  EXPECT_GT(search_random(problem, rules, options).seen, options.barren);  // some are valid
  options.caps = {{Cap::Figure::kCycles, 1}};
  const SearchResult result = search_random(problem, rules, options);
  EXPECT_EQ(result.ending, Ending::kPatience);
  EXPECT_EQ(result.seen, options.barren);
  EXPECT_FALSE(result.best);
}

TEST(SearchRandom, EndsInTimeAndTellsHowItGoes) {
  const Problem problem = gemm(12, 10, 14, 600);
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  SearchOptions options;
  options.patience = 0;
  options.max_seconds = 0.4;
  std::vector<Progress> told;
  options.progress = [&](const Progress& progress) { told.push_back(progress); };
  const SearchResult result = search_random(problem, rules, options);
  EXPECT_EQ(result.ending, Ending::kBudget);
  search_test::expect_told(told, result);
}

TEST(SearchRandom, FindsNothingInAnEmptySpace) {
  const Problem problem = gemm(12, 10, 14, 600);
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, search_test::impossible());
  const SearchResult result = search_random(problem, rules, {});
  EXPECT_EQ(result.ending, Ending::kExhausted);
  EXPECT_EQ(result.seen, 0U);
  EXPECT_FALSE(result.best);
}

}  // namespace
}  // namespace tilewright
