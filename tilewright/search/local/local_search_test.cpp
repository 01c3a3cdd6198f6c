// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "tests/support/random_case.h"
#include "tests/support/small_case.h"
#include "tilewright/search/search.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::expect_same;
using search_test::gemm;

constexpr SpaceKind kKinds[] = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                SpaceKind::kRuby};

// The same problem on memories that cost the less the further in they are.
Problem priced(const Problem& problem) {
  std::vector<ArchNode> nodes(problem.arch().nodes().begin(), problem.arch().nodes().end());
  double pj = 100;
  for (ArchNode& node : nodes) {
    Memory* memory = std::get_if<Memory>(&node);
    if (memory == nullptr) continue;
    memory->energy = {pj, pj * 1.25, pj * 0.75, "test"};
    memory->read_bandwidth = make_rational(pj > 50 ? 8 : 64, 1);
    pj /= 8;
  }
  return Problem(problem.workload(),
                 Arch("priced", "", std::nullopt, std::move(nodes), Compute{.energy_pj = 0.5}));
}

// How often the best of all mappings is found.
class Scoreboard {
 public:
  explicit Scoreboard(std::uint64_t largest) : largest_(largest) {}

  // False if the space is too large.
  bool play(const Problem& problem, SpaceKind kind, const std::vector<Constraint>& constraints,
            const SearchOptions& options) {
    if (problem.workload().computes() > 60) return false;  // its space need not be counted
    const Rules rules = make_rules(problem, kind, constraints);
    const Mapspace space(problem, rules);
    if (space.size() > Natural(largest_)) return false;
    const SearchResult all = search_exhaustive(space, options);
    const SearchResult local = search_local(problem, rules, options);
    EXPECT_EQ(local.best.has_value(), all.best.has_value());
    if (!all.best) {
      EXPECT_EQ(local.ending, all.over_cap > 0 ? Ending::kLocal : Ending::kExhausted);
      ++empty_;
      return true;
    }
    EXPECT_EQ(local.ending, Ending::kLocal);
    if (!local.best) return true;
    EXPECT_TRUE(space.contains(local.best->mapping));
    EXPECT_TRUE(search_test::within(options.caps, local.best->evaluation));
    EXPECT_TRUE(find_violations(problem, local.best->mapping).empty());
    EXPECT_GE(local.best->score, all.best->score);
    ++played_[kind];
    best_[kind] += local.best->score == all.best->score ? 1 : 0;
    return true;
  }

  int empty() const { return empty_; }
  void expect(int least_played, int least_percent) {
    for (const SpaceKind kind : kKinds) {
      std::printf("%s: the best of all mappings in %d of %d problems\n",
                  std::string(space_name(kind)).c_str(), best_[kind], played_[kind]);
      EXPECT_GE(played_[kind], least_played);
      EXPECT_GE(100 * best_[kind], least_percent * played_[kind]);
    }
  }

 private:
  std::uint64_t largest_;  // space to go through
  std::map<SpaceKind, int> played_;
  std::map<SpaceKind, int> best_;
  int empty_ = 0;
};

TEST(SearchLocal, MostlyFindsTheBestUnderConstraints) {
  Scoreboard board(60'000);
  for (std::uint64_t index = 0; index < 300; ++index) {
    SCOPED_TRACE(index);
    const testing::SmallCase given = testing::make_small_case(5, index);
    SearchOptions options;
    options.objective = *objective_by_name(index % 3 == 0   ? "energy"
                                           : index % 3 == 1 ? "edp"
                                                            : "latency");
    board.play(priced(given.problem), given.kind, given.constraints, options);
  }
  board.expect(24, 95);  // measured: 99 to 100 %
  EXPECT_GT(board.empty(), 20);
}

TEST(SearchLocal, MostlyFindsTheBestOfManyArchitectures) {
  Scoreboard board(60'000);
  int played = 0;
  for (std::uint64_t index = 0; played < 40; ++index) {
    SCOPED_TRACE(index);
    const testing::RandomCase given = testing::make_case(9, index);
    SearchOptions options;
    played += board.play(given.problem, kKinds[index % 4], {}, options) ? 1 : 0;
  }
  board.expect(3, 90);  // measured: 100 %
}

TEST(SearchLocal, MostlyFindsTheBestForSmallGemms) {
  Scoreboard board(300'000);
  Random random(7);
  int played = 0;
  for (int index = 0; played < 16; ++index) {
    SCOPED_TRACE(index);
    const Problem problem = gemm(random.between(2, 6), random.between(2, 6), random.between(2, 6),
                                 random.between(40, 300));
    played += board.play(problem, kKinds[index % 4], {}, {}) ? 1 : 0;
  }
  board.expect(1, 90);  // measured: 100 %
}

TEST(SearchLocal, ObeysCaps) {
  const Problem problem = gemm(5, 3, 2, 100);
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  const Mapspace space(problem, rules);
  SearchOptions options;
  options.objective = *objective_by_name("energy");
  const SearchResult cheap = search_local(problem, rules, options);
  ASSERT_TRUE(cheap.best);
  SearchOptions fast;
  fast.objective = *objective_by_name("latency");
  const auto most = static_cast<double>(cheap.best->evaluation.cycles);
  const double least = search_exhaustive(space, fast).best->score;
  ASSERT_LT(least, most - 1);
  for (const double limit : {most, most - 1, (most + least) / 2, least}) {
    options.caps = {{Cap::Figure::kCycles, limit}};
    const SearchResult capped = search_local(problem, rules, options);
    EXPECT_GT(capped.over_cap, 0U);
    const SearchResult all = search_exhaustive(space, options);
    ASSERT_TRUE(capped.best && all.best);
    EXPECT_EQ(capped.best->score, all.best->score);
  }
  options.caps = {{Cap::Figure::kCycles, least - 1}};
  const SearchResult none = search_local(problem, rules, options);
  EXPECT_FALSE(none.best);
  EXPECT_EQ(none.ending, Ending::kLocal);
  EXPECT_EQ(none.valid, 0U);
  EXPECT_GT(none.over_cap, 0U);
}

TEST(SearchLocal, DoesNotDependOnThreads) {
  const Problem problem = gemm(24, 20, 36, 2000);
  for (const SpaceKind kind : kKinds) {
    const Rules rules = make_rules(problem, kind, {});
    for (const std::uint64_t seed : {1U, 2U}) {
      SearchOptions options;
      options.seed = seed;
      options.generations = 12;  // enough for threads to meet in
      options.threads = 1;
      const SearchResult one = search_local(problem, rules, options);
      ASSERT_TRUE(one.best);
      EXPECT_EQ(one.seen, one.valid + one.too_large + one.over_cap);
      for (const int threads : {1, 2, 3}) {
        options.threads = threads;
        expect_same(search_local(problem, rules, options), one);
      }
    }
  }
}

TEST(SearchLocal, BeatsRandomSearch) {
  const Problem problem = gemm(96, 60, 84, 8000);
  for (const SpaceKind kind : kKinds) {
    SCOPED_TRACE(space_name(kind));
    const Rules rules = make_rules(problem, kind, {});
    SearchOptions options;
    options.patience = 0;
    options.max_seen = 50'000;
    const SearchResult random = search_random(problem, rules, options);
    const SearchResult local = search_local(problem, rules, options);
    ASSERT_TRUE(random.best && local.best);
    EXPECT_LT(local.best->score, random.best->score);
  }
}

TEST(SearchLocal, MoreEffortIsNoWorse) {
  const Problem problem = gemm(60, 84, 66, 3000);
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  SearchOptions options;
  options.starts = 1;
  options.generations = 0;
  options.hops = 0;
  const SearchResult greedy = search_local(problem, rules, options);
  options.hops = 3;
  const SearchResult followed = search_local(problem, rules, options);
  options.generations = 10;
  const SearchResult crossed = search_local(problem, rules, options);
  ASSERT_TRUE(greedy.best && followed.best && crossed.best);
  EXPECT_LE(followed.best->score, greedy.best->score);
  EXPECT_LT(greedy.seen, followed.seen);
  EXPECT_LE(crossed.best->score, greedy.best->score);
  EXPECT_LT(followed.seen, crossed.seen);
}

TEST(SearchLocal, EndsWhenTold) {
  const Problem problem = gemm(12, 10, 14, 600);
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  const std::atomic<bool> stop = true;
  SearchOptions options;
  options.stop = &stop;
  const SearchResult result = search_local(problem, rules, options);
  EXPECT_EQ(result.ending, Ending::kStopped);
  EXPECT_EQ(result.seen, 0U);
  EXPECT_FALSE(result.best);
}

TEST(SearchLocal, EndsInTimeAndTellsHowItGoes) {
  const Problem problem = gemm(96, 96, 96, 60000);
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  SearchOptions options;
  options.generations = 1'000'000;
  options.max_seconds = 0.6;
  std::vector<Progress> told;
  options.progress = [&](const Progress& progress) { told.push_back(progress); };
  const SearchResult result = search_local(problem, rules, options);
  EXPECT_EQ(result.ending, Ending::kBudget);
  search_test::expect_told(told, result);
}

TEST(SearchLocal, KnowsThatNothingFits) {
  const Problem empty = gemm(12, 10, 14, 600);
  const Rules none = make_rules(empty, SpaceKind::kRubyS, search_test::impossible());
  const Problem small = gemm(12, 10, 14, 7);  // the buffer does not hold one element
  const std::vector<Constraint> kept = {
      {.kind = Constraint::Kind::kKeep, .node = NodeId(1), .tensors = only(TensorId(0))}};
  const Rules unfit = make_rules(small, SpaceKind::kRubyS, kept);
  for (const SearchResult& result :
       {search_local(empty, none, {}), search_local(small, unfit, {})}) {
    EXPECT_EQ(result.ending, Ending::kExhausted);
    EXPECT_EQ(result.seen, 0U);
    EXPECT_FALSE(result.best);
  }
  // Without the constraint the buffer keeps nothing.
  EXPECT_TRUE(search_local(small, make_rules(small, SpaceKind::kRubyS, {}), {}).best);
}

}  // namespace
}  // namespace tilewright
