// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/print.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tilewright/mapper/map.h"
#include "tilewright/plan/plan_test_support.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

template <typename T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(Print, ResultsPrintThemselves) {
  const MapResult mapped = map(search_test::gemm(6, 4, 7, 300));
  const std::string text = printed(mapped);
  EXPECT_TRUE(text.starts_with("proved: no mapping of the space ruby-s has a better edp\n"))
      << text;
  EXPECT_NE(text.find(std::to_string(mapped.shown().evaluation.cycles) + " cycles"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" keeps "), std::string::npos);
  std::size_t lines = 0;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  EXPECT_EQ(lines, 2 + mapped.shown().mapping.nodes().size());
}

TEST(Print, EveryStatusHasASentence) {
  MapResult mapped;
  mapped.space.name = "pfm";
  std::set<std::string> texts;
  for (const Status status : {Status::kProved, Status::kWithinGap, Status::kNotProved,
                              Status::kInfeasible, Status::kContradictory, Status::kNotFound}) {
    mapped.status = status;
    texts.insert(printed(mapped));
  }
  EXPECT_EQ(texts.size(), 6U);
}

TEST(Print, NetworksHaveALineForEachProblem) {
  const PlanResult planned = plan(plan_test::chain(), plan_test::small_arch());
  const std::string text = printed(planned);
  EXPECT_TRUE(text.starts_with("proved: ")) << text;
  EXPECT_NE(text.find(": proved, "), std::string::npos) << text;
}

}  // namespace
}  // namespace tilewright
