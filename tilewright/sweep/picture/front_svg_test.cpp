// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/picture/front_svg.h"

#include <gtest/gtest.h>

#include <string>

#include "tilewright/sweep/picture/front_page.h"
#include "tilewright/sweep/run/solve.h"
#include "tilewright/sweep/sweep_test_support.h"

namespace tilewright {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

class FrontTest : public ::testing::Test {
 protected:
  FrontTest() {
    SweepSolver solver(plan_);
    std::vector<Row> rows;
    for (std::uint64_t number = 0; number < plan_.problems(); ++number) {
      rows.push_back(solver.solve(number));
    }
    rows.front().status = "not-proved";  // of design 0
    store_.add(rows);
    table_ = make_table(plan_, store_, {Figure::kArea, Figure::kEdp});
  }

  TestFolder folder_;
  SweepPlan plan_ = small_plan();
  Store store_{folder_.file("s.db"), Store::Mode::kWrite};
  DesignTable table_;
};

TEST_F(FrontTest, HasAPointForEveryDesignAndStepsForEveryFront) {
  const std::string svg = front_svg(plan_, table_);
  const std::size_t designs = plan_.designs().size() * plan_.requests().size();
  EXPECT_EQ(count(svg, "<title>"), designs);
  EXPECT_EQ(count(svg, "r=\"4\""), table_.front.size());
  EXPECT_EQ(count(svg, "class=\"step\""), plan_.requests().size());
  EXPECT_EQ(count(svg, "hollow\" stroke"), 1U);
  EXPECT_EQ(count(svg, ", not proved"), 1U);
  EXPECT_EQ(svg, front_svg(plan_, table_));
  EXPECT_EQ(count(svg, "nan"), 0U);
}

TEST_F(FrontTest, PointsOfThePageLeadToTheirMappings) {
  const std::string page = front_page(plan_, store_, table_, "1");
  for (const std::size_t i : table_.front) {
    const std::string anchor = design_anchor(table_.costs[i]);
    EXPECT_EQ(count(page, "href=\"#" + anchor + "\""), 1U);
    EXPECT_EQ(count(page, "id=\"" + anchor + "\""), 1U);
  }
  EXPECT_EQ(count(page, "<pre>"), table_.front.size() * plan_.workloads().size());
}

}  // namespace
}  // namespace tilewright
