// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/choices/placements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "tests/support/random_case.h"
#include "tilewright/base/error.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

const NodeId kDram(0), kGlb(1), kPe(2), kReg(3);
const DimId kM(0), kN(1), kK(2);

bool is_structurally_legal(const Problem& problem, const Mapping& mapping) {
  return std::ranges::none_of(find_violations(problem, mapping),
                              [](const Violation& v) { return is_structural(v.kind); });
}

// Every tile that is kept goes into every gap between loops; what is legal counts, but homes stay.
std::uint64_t count_legal(const Problem& problem, const Mapping& mapping) {
  std::vector<NestNode> loops;
  std::vector<NestNode> tiles;  // one tensor each
  std::vector<NestNode> homes;
  TensorSet seen = 0;
  for (const NestNode& node : mapping.nodes()) {
    if (node.is_loop()) loops.push_back(node);
    for (TensorId t(0); t.value < 8 && !node.is_loop(); ++t.value) {
      if ((node.tensors & only(t)) == 0) continue;
      ((seen & only(t)) == 0 ? homes : tiles).push_back(keep(node.node, only(t)));
      seen |= only(t);
    }
  }
  std::vector<std::size_t> gaps(tiles.size());
  std::uint64_t legal = 0;
  const std::function<void(std::size_t)> place = [&](std::size_t next) {
    if (next < tiles.size()) {
      for (std::size_t gap = 0; gap <= loops.size(); ++gap) {
        gaps[next] = gap;
        place(next + 1);
      }
      return;
    }
    std::vector<NestNode> nest = homes;
    for (std::size_t gap = 0; gap <= loops.size(); ++gap) {
      for (std::size_t i = 0; i < tiles.size(); ++i) {
        if (gaps[i] == gap) nest.push_back(tiles[i]);
      }
      if (gap < loops.size()) nest.push_back(loops[gap]);
    }
    legal += is_structurally_legal(problem, Mapping(std::move(nest))) ? 1 : 0;
  };
  place(0);
  return legal;
}

// DRAM, GLB, PE (X 2, Y 3), reg.
Mapping gemm_mapping(bool in_space) {
  std::vector<NestNode> nest = {keep(kDram, 7), temporal(kM, 2), keep(kGlb, 7), temporal(kN, 2)};
  if (in_space) {
    nest.push_back(spatial(kPe, 0, kM, 2));
    nest.push_back(spatial(kPe, 1, kN, 3));
  }
  nest.push_back(keep(kReg, 4));
  nest.push_back(temporal(kK, 8));
  return Mapping(std::move(nest));
}

TEST(Placements, StayBetweenTheFanoutsAroundTheirMemory) {
  const Problem problem = testing::gemm_problem({4, 6, 8});
  const Placements placements(problem, gemm_mapping(true));
  // Each tensor's tile in GLB in one of three gaps, Z's in reg in one of two.
  EXPECT_EQ(placements.size(), Natural(3 * 3 * 3 * 2));
  EXPECT_EQ(
      placements.unrank(0),
      Mapping({keep(kDram, 7), keep(kGlb, 7), temporal(kM, 2), temporal(kN, 2),
               spatial(kPe, 0, kM, 2), spatial(kPe, 1, kN, 3), keep(kReg, 4), temporal(kK, 8)}));
  EXPECT_THROW(placements.unrank(placements.size()), InternalError);
}

TEST(Placements, PassAFanoutWithoutLoops) {
  const Problem problem = testing::gemm_problem({2, 2, 8});
  const Mapping mapping = gemm_mapping(false);
  const Placements placements(problem, mapping);
  // A and B: GLB in four gaps; Z: GLB and reg in order in four gaps, 5 over 2.
  EXPECT_EQ(placements.size(), Natural(4 * 4 * 10));
  EXPECT_EQ(count_legal(problem, mapping), 160U);
}

TEST(Placements, KnowWhatIsNotOneOfThem) {
  const Problem problem = testing::gemm_problem({4, 6, 8});
  const Placements placements(problem, gemm_mapping(true));
  const auto rank = [&](const std::function<void(std::vector<NestNode>&)>& change) {
    const Mapping legal = gemm_mapping(true);
    std::vector<NestNode> nest(legal.nodes().begin(), legal.nodes().end());
    change(nest);
    return placements.rank(Mapping(std::move(nest)));
  };
  EXPECT_TRUE(rank([](auto&) {}));
  EXPECT_FALSE(rank([](auto& nest) { nest[1].factor = 3; }));
  EXPECT_FALSE(rank([](auto& nest) { nest[2].tensors = 3; }));
  EXPECT_FALSE(rank([](auto& nest) { nest[6].tensors = 6; }));
  EXPECT_FALSE(rank([](auto& nest) { std::swap(nest[0], nest[1]); }));  // the homes moved
  EXPECT_FALSE(rank([](auto& nest) { std::swap(nest[5], nest[6]); }));  // inside the fan-out
  EXPECT_FALSE(rank([](auto& nest) { nest.insert(nest.begin() + 4, keep(kReg, 4)); }));
}

TEST(Placements, AreLegalDifferentAndNumbered) {
  int small = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const auto c = testing::make_case(3, i);
    const Placements placements(c.problem, c.mapping);
    const auto own = placements.rank(c.mapping);
    ASSERT_TRUE(own) << "case " << i;
    EXPECT_EQ(placements.unrank(*own), c.mapping) << "case " << i;
    if (placements.size() > Natural(300)) continue;
    ++small;
    for (std::uint64_t n = 0; Natural(n) < placements.size(); ++n) {
      const Mapping mapping = placements.unrank(n);
      ASSERT_EQ(placements.rank(mapping), Natural(n)) << "case " << i;  // so all are different
      ASSERT_TRUE(is_structurally_legal(c.problem, mapping)) << "case " << i;
    }
  }
  EXPECT_GT(small, 50);
}

TEST(Placements, AreAllThatAreLegal) {
  int tiny = 0;
  for (std::uint64_t i = 0; i < 2000 && tiny < 60; ++i) {
    const auto c = testing::make_case(4, i);
    int tiles = -static_cast<int>(c.problem.workload().tensors().size());
    int gaps = 1;
    for (const NestNode& node : c.mapping.nodes()) {
      gaps += node.is_loop() ? 1 : 0;
      tiles += std::popcount(node.tensors);
    }
    std::int64_t tries = 1;
    for (int t = 0; t < tiles && tries < 3000; ++t) tries *= gaps;
    if (tries == 1 || tries > 3000) continue;
    ++tiny;
    EXPECT_EQ(Placements(c.problem, c.mapping).size(), Natural(count_legal(c.problem, c.mapping)))
        << "case " << i;
  }
  EXPECT_GT(tiny, 20);
}

}  // namespace
}  // namespace tilewright
