// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/figures/unit_array.h"

#include <gtest/gtest.h>

#include <set>

namespace tilewright {
namespace {

const DimId m(0), n(1), k(2);

Workload product(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
  return Workload("product", {{"m", rows}, {"n", columns}, {"k", inner}},
                  {{"A", "input", 8, {{{{m}}}, {{{k}}}}},
                   {"B", "weight", 8, {{{{k}}}, {{{n}}}}},
                   {"Z", "output", 8, {{{{m}}}, {{{n}}}}}});
}

Memory dram() {
  Memory memory;
  memory.name = "DRAM";
  return memory;
}

TEST(UnitArray, IdleUnitsOfTheLastPassAreThoseBeyondTheDims) {
  // m 100 = 25 x 4 in space; n 60 = 8 x 4 x 2, the last pass has 4 columns: 2 units of 2.
  const NodeId pe(1);
  const Problem problem(product(100, 60, 5),
                        Arch("a", "", {}, {dram(), Fanout{"PE", {{"X", 5}, {"Y", 4}}}}, {}));
  const Mapping mapping({keep(NodeId(0), 0b111), temporal(m, 25), temporal(n, 8),
                         spatial(pe, 0, m, 4), spatial(pe, 1, n, 4), temporal(n, 2),
                         temporal(k, 5)});
  const UnitArray units(problem, mapping);
  EXPECT_EQ(units.across().size, 5);
  EXPECT_EQ(units.down().size, 4);
  EXPECT_EQ(units.size(), 20);
  EXPECT_EQ(units.count_active(units.first_pass()), 16);
  EXPECT_EQ(units.count_active(units.last_pass()), 8);
  const UnitBlock first = units.look(units.first_pass(), 3, 1, 1, 1);
  EXPECT_EQ(first.from, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(first.to, (std::vector<std::int64_t>{3, 3}));
  const UnitBlock last = units.look(units.last_pass(), 3, 1, 1, 1);
  EXPECT_EQ(last.from, (std::vector<std::int64_t>{99, 58}));
  EXPECT_EQ(last.to, (std::vector<std::int64_t>{99, 59}));
  EXPECT_EQ(units.look(units.last_pass(), 3, 2, 1, 1).active, 0);   // beyond n
  EXPECT_EQ(units.look(units.first_pass(), 4, 0, 1, 1).active, 0);  // no loop comes here
}

TEST(UnitArray, CoversEveryElementOnceOverAllPasses) {
  // Both loops in space are over m, one on each axis, with a loop in time between outside them.
  const NodeId outer(1), inner(2);
  const Problem problem(
      product(23, 1, 1),
      Arch("a", "", {}, {dram(), Fanout{"P", {{"X", 3}}}, Fanout{"Q", {{"Y", 4}}}}, {}));
  const Mapping mapping({keep(NodeId(0), 0b111), temporal(m, 2), spatial(outer, 0, m, 2),
                         temporal(m, 2), spatial(inner, 0, m, 4)});
  const UnitArray units(problem, mapping);
  std::multiset<std::int64_t> seen;
  for (const std::int64_t outside : {0, 1}) {
    for (const std::int64_t between : {0, 1}) {
      const Pass pass = {outside * 16 + between * 4};
      for (std::int64_t x = 0; x < 3; ++x) {
        for (std::int64_t y = 0; y < 4; ++y) {
          const UnitBlock unit = units.look(pass, x, y, 1, 1);
          if (unit.active == 0) continue;
          EXPECT_EQ(unit.from, unit.to);
          seen.insert(unit.from[0]);
        }
      }
    }
  }
  ASSERT_EQ(seen.size(), 23U);
  EXPECT_EQ(std::set<std::int64_t>(seen.begin(), seen.end()).size(), 23U);
  EXPECT_EQ(*seen.rbegin(), 22);
  EXPECT_EQ(units.last_pass(), (Pass{20}));
}

TEST(UnitArray, BlocksSayHowMuchOfThemWorks) {
  const NodeId pe(1);
  const Problem problem(product(6, 1, 1), Arch("a", "", {}, {dram(), Fanout{"P", {{"X", 8}}}}, {}));
  const Mapping mapping({keep(NodeId(0), 0b111), spatial(pe, 0, m, 6)});
  const UnitArray units(problem, mapping);
  const UnitBlock block = units.look(units.first_pass(), 4, 0, 4, 1);
  EXPECT_EQ(block.all, 4);
  EXPECT_EQ(block.active, 2);
  EXPECT_EQ(block.columns, 2);
  EXPECT_EQ(block.rows, 1);
  EXPECT_EQ(block.from, (std::vector<std::int64_t>{4}));
  EXPECT_EQ(block.to, (std::vector<std::int64_t>{5}));
}

TEST(UnitArray, KnowsWhatIsTooLargeToDraw) {
  const Problem problem(
      product(6, 1, 1),
      Arch("a", "", {}, {dram(), Fanout{"P", {{"X", 1 << 15}, {"Y", 1 << 15}}}}, {}));
  const UnitArray units(problem, Mapping({keep(NodeId(0), 0b111), temporal(m, 6)}));
  EXPECT_FALSE(units.drawable());
  EXPECT_EQ(units.size(), std::int64_t{1} << 30);
}

}  // namespace
}  // namespace tilewright
