// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/tree/root_search.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "tilewright/search/optimal/roots/root_list.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::gemm;

// Wants every branch, or none.
class Team : public RootTeam {
 public:
  explicit Team(bool wants) : wants_(wants) {}
  bool report(const SearchResult&) override { return true; }
  bool wants_branch() const override { return wants_; }
  void give(RootSearch::Branch branch) override { branches.push_back(std::move(branch)); }

  std::vector<RootSearch::Branch> branches;

 private:
  bool wants_;
};

struct Outcome {
  std::vector<Answer> answers;
  std::uint64_t branches = 0;
};

// All roots, one after the other; what is given away is searched by another one, the last first.
Outcome search(const SearchOptions& options, bool gives) {
  const Problem problem = gemm(23, 37, 30, 1024, {{"X", 3}, {"Y", 2}});
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  const OptimalContext context(problem, rules, options);
  Answers answers(options);
  Team team(gives);
  RootSearch owner(context, answers, team);
  RootSearch helper(context, answers, team);
  ThreadPool pool(1);
  RootList list(context, answers, pool);
  Outcome outcome;
  for (;;) {
    const std::vector<Root> roots =
        list.next(std::numeric_limits<double>::infinity(), [] { return false; });
    if (roots.empty()) break;
    for (const Root& root : roots) {
      const LowerBounds bounds =
          owner.bound(list.keeps(root), list.spatial(root), BoundPrecision::kFull);
      if (bounds.score == std::numeric_limits<double>::infinity()) continue;
      EXPECT_TRUE(owner.search(root.number));
      while (!team.branches.empty()) {
        const RootSearch::Branch branch = std::move(team.branches.back());
        team.branches.pop_back();
        ++outcome.branches;
        EXPECT_EQ(branch.bound(), bounds.score);
        EXPECT_TRUE(helper.search(branch));
      }
    }
  }
  outcome.answers = answers.all();
  return outcome;
}

void expect_same_answers(const SearchOptions& options) {
  const Outcome alone = search(options, false);
  const Outcome shared = search(options, true);
  EXPECT_EQ(alone.branches, 0);
  EXPECT_GT(shared.branches, 2);
  ASSERT_FALSE(alone.answers.empty());
  ASSERT_EQ(shared.answers.size(), alone.answers.size());
  for (std::size_t i = 0; i < alone.answers.size(); ++i) {
    EXPECT_EQ(shared.answers[i].score, alone.answers[i].score);
    EXPECT_EQ(shared.answers[i].nest, alone.answers[i].nest);
    EXPECT_EQ(shared.answers[i].position, alone.answers[i].position);
  }
}

TEST(RootSearch, FindsTheSameWhereOthersSearchItsBranches) {
  SearchOptions options;
  expect_same_answers(options);
}

TEST(RootSearch, FindsTheSameBestOnesWithBranches) {
  SearchOptions options;
  options.top = 12;
  expect_same_answers(options);
}

TEST(RootSearch, FindsTheSameFrontWithBranches) {
  SearchOptions options;
  options.front = true;
  expect_same_answers(options);
}

// The first bound has the energy of the second one, and no more cycles.
TEST(RootSearch, BoundsTheEnergyFirst) {
  const Problem problem = gemm(23, 37, 30, 512, {{"X", 8}, {"Y", 6}});
  const Rules rules = make_rules(problem, SpaceKind::kRubyS, {});
  const SearchOptions options;
  const OptimalContext context(problem, rules, options);
  Answers answers(options);
  Team team(false);
  RootSearch owner(context, answers, team);
  ThreadPool pool(1);
  RootList list(context, answers, pool);
  int possible = 0;
  int sharper = 0;
  while (possible < 200) {
    const std::vector<Root> roots =
        list.next(std::numeric_limits<double>::infinity(), [] { return false; });
    if (roots.empty()) break;
    for (const Root& root : roots) {
      const auto bound = [&](BoundPrecision precision) {
        return owner.bound(list.keeps(root), list.spatial(root), precision);
      };
      const LowerBounds energy = bound(BoundPrecision::kEnergy);
      const LowerBounds all = bound(BoundPrecision::kCoarse);
      const LowerBounds full = bound(BoundPrecision::kFull);
      if (full.score == std::numeric_limits<double>::infinity()) continue;
      ++possible;
      EXPECT_EQ(energy.energy, all.energy);
      EXPECT_LE(energy.cycles, all.cycles);
      EXPECT_LE(all.energy, full.energy);
      EXPECT_LE(all.cycles, full.cycles);
      if (energy.cycles < all.cycles) ++sharper;
    }
  }
  EXPECT_GE(possible, 200);
  EXPECT_GT(sharper, 0);
}

}  // namespace
}  // namespace tilewright
