// SPDX-License-Identifier: Apache-2.0
// That a witness is followed and that losing it is named; property.bounds has the bounds
// themselves.
#include "tilewright/search/optimal/shared/witness.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/search/optimal/shared/optimal_context.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

class WitnessTest : public ::testing::Test {
 protected:
  SearchResult search(const Witness* witness) const {
    SearchOptions options;
    options.witness = witness;
    return search_optimal(problem_, rules_, options);
  }
  // All loops inside RF, which cannot hold everything.
  static Mapping unsplit() {
    std::vector<NestNode> nest = {{.kind = NestNode::Kind::kKeep, .node = NodeId(0), .tensors = 7},
                                  {.kind = NestNode::Kind::kKeep, .node = NodeId(3), .tensors = 7}};
    for (const int size : {8, 9, 10}) {
      nest.push_back({.kind = NestNode::Kind::kTemporal, .dim = DimId(size - 8), .factor = size});
    }
    return Mapping(std::move(nest));
  }

  const Problem problem_ = search_test::gemm(8, 9, 10, 1024);
  const Rules rules_ = make_rules(problem_, SpaceKind::kRuby, {});
};

TEST_F(WitnessTest, IsKeptIfItIsTheOptimum) {
  const SearchResult plain = search(nullptr);
  ASSERT_TRUE(plain.best);
  const Witness witness{plain.best->mapping, false, {}};
  const SearchResult carried = search(&witness);
  EXPECT_EQ(carried.best->score, plain.best->score);
  EXPECT_EQ(carried.nodes, plain.nodes);
}

TEST_F(WitnessTest, MeetsEveryBoundIfItIsAlone) {
  const SearchResult plain = search(nullptr);
  ASSERT_TRUE(plain.best);
  std::map<std::string, int, std::less<>> met;
  const Witness witness{plain.best->mapping, true, [&](const Witness::Check& check) {
                          ++met[std::string(check.prune)];
                          EXPECT_LE(check.bounds.score, check.mapping.score * (1 + 1e-12));
                        }};
  search(&witness);
  for (const PruneName& prune : kPruneNames) {
    if (!prune.is_bound) continue;
    EXPECT_GT(met[std::string(prune.name)], 0) << prune.name;
  }
}

TEST_F(WitnessTest, MustFit) {
  const Witness witness{unsplit(), false, {}};
  EXPECT_THROW(search(&witness), WitnessLost);
}

TEST_F(WitnessTest, NamesABoundThatIsTooHighAndAPruneThatLosesIt) {
  const SearchResult plain = search(nullptr);
  ASSERT_TRUE(plain.best);
  const Witness witness{plain.best->mapping, false, {}};
  SearchOptions options;
  options.witness = &witness;
  const OptimalContext context(problem_, rules_, options);
  const LowerBounds cost = context.witness->cost();
  EXPECT_EQ(cost.score, plain.best->score);
  EXPECT_NO_THROW(context.witness->check("by_node", cost));
  EXPECT_NO_THROW(context.witness->check_drop("by_node", cost.score));
  for (const LowerBounds& high :
       {LowerBounds{cost.score * 1.001, 0, 0}, LowerBounds{0, cost.energy * 1.001, 0},
        LowerBounds{0, 0, cost.cycles + 1}}) {
    try {
      context.witness->check("by_node", high);
      ADD_FAILURE() << "not noticed";
    } catch (const WitnessLost& lost) {
      EXPECT_EQ(lost.prune(), "by_node");
    }
  }
  EXPECT_THROW(context.witness->check_drop("by_scan", cost.score * 1.001), WitnessLost);
}

}  // namespace
}  // namespace tilewright
