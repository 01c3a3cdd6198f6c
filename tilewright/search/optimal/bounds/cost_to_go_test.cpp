// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/optimal/bounds/cost_to_go.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tilewright/search/optimal/shared/optimal_context.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using search_test::memory;

const Rank kSum = {{{DimId(0), 1}, {DimId(1), 1}}};  // of the first two dims

Rank plain(int dim) { return Rank{{{DimId(dim), 1}}}; }

// Least traffic of the outermost memory on links to other memories, with this kept and these loops
// in space.
double least_traffic(const Problem& problem, const std::vector<Constraint>& constraints,
                     const Keeps& keeps, const Tiling& spatial) {
  SearchOptions options;
  options.objective = {0, 0, 1};
  const Rules rules = make_rules(problem, SpaceKind::kPfm, constraints);
  const OptimalContext context(problem, rules, options);
  std::vector<DimChain> chains;
  for (int d = 0; d < context.tables.dims; ++d) {
    std::vector<std::int64_t> fixed(rules.places.size(), 0);
    for (std::size_t p = 0; p < fixed.size(); ++p) {
      if (!rules.places[p].is_block()) fixed[p] = spatial.at(static_cast<int>(p), d);
    }
    chains.emplace_back(context.steps[static_cast<std::size_t>(d)], fixed,
                        std::vector<std::int64_t>(fixed.size(), 0));
  }
  std::vector<const DimChain*> by_dim;
  for (const DimChain& chain : chains) by_dim.push_back(&chain);
  const Links links(context.tables, keeps, spatial);
  const auto least = [&](CostToGo::Use use) {
    const auto never = [] { return false; };
    return CostToGo(links, by_dim, context.resources[1], context.tiles, {}, use, never).whole();
  };
  EXPECT_EQ(least(CostToGo::Use::kBound), least(CostToGo::Use::kSearch));
  return least(CostToGo::Use::kSearch);
}

Tiling no_loops(int places, int dims) {
  Tiling tiling;
  tiling.dims = dims;
  tiling.factors.assign(static_cast<std::size_t>(places * dims), 1);
  return tiling;
}

// Z[m,p] += I[p+r] * W[m,r] with four p, two r and two m; the buffer holds two elements of I, and
// the loop over m must be outside of it.
//   for p in 4: for m in 2: for r in 2
// has m innermost, which leaves I where it is: only p moves it, and of each tile of two elements
// one is there already. All five are read once. Were it r that moves them, they would be read more
// often, but nothing at the loop over m says which it is.
TEST(CostToGo, ATensorThatStaysMaySlideAlongTheBetterDim) {
  const Problem problem(
      Workload("conv", {{"p", 4}, {"r", 2}, {"m", 2}},
               {{"I", "input", 8, {kSum}},
                {"W", "weight", 8, {plain(2), plain(1)}},
                {"Z", "output", 8, {plain(2), plain(0)}}}),
      Arch("two", "", std::nullopt, {memory("DRAM", 100), memory("buffer", 1, 16)}, Compute{}));
  const std::vector<Constraint> outside = {
      {.kind = Constraint::Kind::kAtMost, .node = NodeId(1), .dim = DimId(2), .value = 1}};
  EXPECT_EQ(least_traffic(problem, outside, {7, 1}, no_loops(2, 3)), 5);
  const Mapping mapping({keep(NodeId(0), 7), temporal(DimId(0), 4), temporal(DimId(2), 2),
                         keep(NodeId(1), 1), temporal(DimId(1), 2)});
  ASSERT_TRUE(search_test::fits(problem, mapping));
  EXPECT_EQ(evaluate(problem, mapping).memories[0].tensors[0].reads, 5);
}

// Z[p] += I[c,p+r] * W[c,r] with two p and two r on 2 x 2 children. I is not kept by the memory
// whose loop over three c moves it on. Two of the children need the same element each time: three
// are read, not four. With the six of W and the two of Z this is all.
TEST(CostToGo, ChildrenOutsideOfTheLoopThatMovesTilesOnMayNeedTheSameOnes) {
  const Fanout array{.name = "PE", .axes = {{"X", 2}, {"Y", 2}}};
  const Problem problem(
      Workload("conv", {{"p", 2}, {"r", 2}, {"c", 3}},
               {{"I", "input", 8, {plain(2), kSum}},
                {"W", "weight", 8, {plain(2), plain(1)}},
                {"Z", "output", 8, {plain(0)}}}),
      Arch("three", "", std::nullopt,
           {memory("DRAM", 100), array, memory("L1", 3), memory("L0", 1, 8)}, Compute{}));
  const std::vector<Constraint> inside = {
      {.kind = Constraint::Kind::kAtMost, .node = NodeId(0), .dim = DimId(2), .value = 1}};
  Tiling array_loops = no_loops(5, 3);  // DRAM, X, Y, L1, L0
  array_loops.at(1, 0) = 2;
  array_loops.at(2, 1) = 2;
  EXPECT_EQ(least_traffic(problem, inside, {7, 6, 1}, array_loops), 3 * 3 + 6 + 2);
  const Mapping mapping({keep(NodeId(0), 7), spatial(NodeId(1), 0, DimId(0), 2),
                         spatial(NodeId(1), 1, DimId(1), 2), keep(NodeId(2), 6),
                         temporal(DimId(2), 3), keep(NodeId(3), 1)});
  ASSERT_TRUE(search_test::fits(problem, mapping));
  const MemoryEvaluation dram = evaluate(problem, mapping).memories[0];
  EXPECT_EQ(dram.tensors[0].reads, 3 * 3);
  EXPECT_EQ(dram.tensors[1].reads, 6);
  EXPECT_EQ(dram.tensors[2].updates, 2);
}

}  // namespace
}  // namespace tilewright
