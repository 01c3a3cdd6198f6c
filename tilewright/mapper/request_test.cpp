// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/request.h"

#include <gtest/gtest.h>

#include <limits>

#include "tilewright/mapper/plan.h"

namespace tilewright {
namespace {

TEST(RequestFaults, ThereAreNoneByDefault) {
  EXPECT_TRUE(find_request_faults(MapRequest{}).empty());
  EXPECT_TRUE(find_request_faults(PlanRequest{}).empty());
}

TEST(RequestFaults, QuestionsNeedAProof) {
  MapRequest request;
  request.gap = 0.01;
  request.top = 3;
  request.front = request.why = true;
  request.within = 0.05;
  EXPECT_TRUE(find_request_faults(request).empty());
  request.mapper = Mapper::kLocal;
  const std::vector<RequestFault> faults = find_request_faults(request, "--");
  ASSERT_EQ(faults.size(), 5U);
  EXPECT_EQ(faults[0].text, "`--gap` needs a proof, which the local mapper does not give");
  EXPECT_EQ(faults[0].help, "use `--mapper optimal`, the default");
}

TEST(RequestFaults, AGapOfNothingNeedsAProofToo) {
  MapRequest request;
  request.gap = 0;
  EXPECT_TRUE(find_request_faults(request).empty());
  request.mapper = Mapper::kRandom;
  EXPECT_EQ(find_request_faults(request).size(), 1U);
}

TEST(RequestFaults, AProofIsOfOneBestMapping) {
  MapRequest request;
  request.proof = true;
  EXPECT_TRUE(find_request_faults(request).empty());
  request.space = "pad";
  request.caps = {{Cap::Figure::kCycles, 10, ""}};
  const std::vector<RequestFault> faults = find_request_faults(request, "--");
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(
      faults[0].text,
      "`--proof` is about one best mapping of one space and cannot be used with `--space pad`");
  EXPECT_EQ(faults[1].help, "leave out `--cap`");
}

TEST(RequestFaults, ValuesThatMeanNothing) {
  MapRequest request;
  request.space = "rubys";
  request.top = 0;
  request.gap = -1;
  request.max_seconds = std::numeric_limits<double>::quiet_NaN();
  request.constraint_places = {"limits.yaml:1"};
  EXPECT_EQ(find_request_faults(request).size(), 5U);
}

TEST(RequestFaults, OfANetwork) {
  PlanRequest request;
  request.space = "pad";
  request.mapper = Mapper::kRandom;
  request.gap = 0.1;
  EXPECT_EQ(find_request_faults(request).size(), 3U);
}

TEST(RequestError, HasALineForEachFault) {
  const RequestError error(std::vector<RequestFault>{{"one", "do this"}, {"two", "do that"}});
  EXPECT_STREQ(error.what(), "one; do this\ntwo; do that");
}

}  // namespace
}  // namespace tilewright
