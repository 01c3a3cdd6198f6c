// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/shared/answers.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

Position at(std::int64_t root) { return {.root = root, .steps = {}}; }

Answer answer(double score, std::int64_t root) {
  return {.score = score, .energy = score, .cycles = 1, .position = at(root), .nest = {}};
}

// What is at `here` after everything was offered, as another thread sees it.
bool promises(const Answers& answers, double score, std::int64_t here) {
  Answers::View view;
  answers.refresh(view);
  return answers.promises(view, {.score = score, .energy = score, .cycles = 1}, at(here));
}

TEST(Answers, OfEqualsTheEarliestIsKeptWhoeverComesFirst) {
  for (const bool earlier_first : {false, true}) {
    Answers answers{SearchOptions{}};
    answers.offer(answer(5, earlier_first ? 3 : 8));
    answers.offer(answer(5, earlier_first ? 8 : 3));
    ASSERT_EQ(answers.all().size(), 1U);
    EXPECT_EQ(answers.all().front().position, at(3));
  }
}

TEST(Answers, ATieIsOfInterestWhereItWouldBeTheEarlier) {
  Answers answers{SearchOptions{}};
  answers.offer(answer(5, 4));
  EXPECT_TRUE(promises(answers, 5, 2));
  EXPECT_FALSE(promises(answers, 5, 6));
  EXPECT_TRUE(promises(answers, 4.9, 6));
  EXPECT_FALSE(promises(answers, 5.1, 2));
}

}  // namespace
}  // namespace tilewright
