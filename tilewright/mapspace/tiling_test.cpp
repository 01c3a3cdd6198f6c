// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/tiling.h"

#include <gtest/gtest.h>

#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

TEST(Tiling, BuildsACanonicalNest) {
  const Problem problem = testing::gemm_problem({4, 6, 8});
  const Rules rules = make_rules(problem, SpaceKind::kRuby, {});
  Tiling tiling{3, std::vector<std::int64_t>(15, 1)};
  tiling.at(0, 2) = 4;  // k 4 in DRAM
  tiling.at(0, 0) = 2;  // m 2 in DRAM
  tiling.at(2, 0) = 2;  // m 2 on X
  tiling.at(3, 1) = 3;  // n 3 on Y
  tiling.at(4, 1) = 2;
  tiling.at(4, 2) = 2;
  EXPECT_EQ(tiling.active(0), 5U);
  Orders orders(5);
  orders[0] = {DimId(2), DimId(0)};
  orders[4] = {DimId(1), DimId(2)};
  std::vector<NestNode> nest;
  build_nest(rules, {7, 0, 4}, tiling, orders, nest);
  EXPECT_EQ(nest.size(), 8U);
  const Mapping mapping(nest);
  EXPECT_TRUE(std::ranges::equal(mapping.nodes(), nest));
  EXPECT_TRUE(find_violations(problem, mapping).empty());
}

}  // namespace
}  // namespace tilewright
