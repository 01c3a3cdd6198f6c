// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/roots/keep_lister.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tilewright/base/stop.h"
#include "tilewright/mapspace/choices/choices.h"
#include "tilewright/search/optimal/roots/root_lister.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::gemm;

class KeptInMemories : public ::testing::Test {
 protected:
  // With an answer of this score, if it is not 0.
  std::vector<Keeps> list(double score, bool by_keeps = true) const {
    SearchOptions options;
    options.prunes.by_keeps = by_keeps;
    const OptimalContext context(problem_, rules_, options);
    Answers answers(options);
    if (score > 0) answers.offer({.score = score});
    return RootContext(context, answers).keeps;
  }

  const Problem problem_ = gemm(24, 36, 30, 4096);
  const Rules rules_ = make_rules(problem_, SpaceKind::kRubyS, {});
};

TEST_F(KeptInMemories, AreAllChoicesWhereNothingIsKnown) {
  const KeepChoices choices(rules_);
  const std::vector<Keeps> listed = list(0);
  ASSERT_EQ(listed.size(), choices.size().to_uint64());
  for (std::size_t i = 0; i < listed.size(); ++i) EXPECT_EQ(listed[i], choices.unrank(i));
}

TEST_F(KeptInMemories, IncludeWhatTheBestOneKeeps) {
  SearchOptions options;
  options.threads = 1;
  options.prunes.by_keeps = false;
  const SearchResult best = search_optimal(problem_, rules_, options);
  ASSERT_TRUE(best.best);
  const std::vector<Keeps> all = list(0);
  const std::vector<Keeps> likely = list(best.best->score * (1 + 1e-9));
  EXPECT_LT(likely.size(), all.size() / 2);
  EXPECT_TRUE(std::ranges::is_sorted(likely, [&](const Keeps& a, const Keeps& b) {
    return KeepChoices(rules_).rank(a) < KeepChoices(rules_).rank(b);
  }));
  const auto choices = read_choices(problem_, rules_, best.best->mapping);
  ASSERT_TRUE(choices);
  EXPECT_NE(std::ranges::find(likely, choices->keeps), likely.end());
  EXPECT_EQ(list(best.best->score, false).size(), all.size());
}

TEST_F(KeptInMemories, AreNoneWhereNothingCanBeBetter) { EXPECT_TRUE(list(1).empty()); }

TEST_F(KeptInMemories, EndWhenStopped) {
  const SearchOptions options;
  OptimalContext context(problem_, rules_, options);
  context.stop = [] { return true; };
  const Answers answers(options);
  EXPECT_THROW(RootContext(context, answers), StoppedError);
}

}  // namespace
}  // namespace tilewright
