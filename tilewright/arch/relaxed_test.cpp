// SPDX-License-Identifier: Apache-2.0
#include "tilewright/arch/relaxed.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

struct Figures {
  std::optional<std::int64_t> capacity_bits = 64;
  std::int64_t units = 4;
  std::optional<double> read_pj = 3;
  std::optional<Rational> bandwidth = Rational{16, 1};
  double leakage = 0.5;
  std::int64_t buffering = 1;
};

Arch arch_of(const Figures& figures) {
  Memory buffer{.name = "B", .capacity_bits = figures.capacity_bits};
  buffer.buffering = figures.buffering;
  buffer.read_bandwidth = figures.bandwidth;
  buffer.energy.read_pj = figures.read_pj;
  Memory registers{.name = "R", .capacity_bits = 8};
  registers.leakage_pj_per_cycle = figures.leakage;
  return {"a",
          "",
          Rational{1, 1},
          {Memory{.name = "DRAM"}, buffer, Fanout{"PE", {{"X", figures.units}}}, registers},
          {.energy_pj = 1.0}};
}

Arch relaxed(const std::vector<Arch>& archs) {
  const auto result = relax(archs);
  if (!result) throw std::invalid_argument("not alike");
  return *result;
}

TEST(Relax, TakesTheBestOfEveryFigure) {
  const Arch both = relaxed({arch_of({.capacity_bits = 100, .units = 2, .read_pj = 5}),
                             arch_of({.capacity_bits = 50, .units = 6, .read_pj = 4})});
  const Memory& buffer = both.memory(NodeId(1));
  EXPECT_EQ(buffer.capacity_bits, 100);
  EXPECT_EQ(buffer.energy.read_pj, 4);
  EXPECT_EQ(both.compute_units(), 6);
}

TEST(Relax, WhatIsNotLimitedStaysSoAndWhatIsFreeIsFree) {
  const Arch both = relaxed({arch_of({.capacity_bits = std::nullopt, .bandwidth = Rational{1, 3}}),
                             arch_of({.read_pj = std::nullopt, .bandwidth = Rational{2, 5}})});
  const Memory& buffer = both.memory(NodeId(1));
  EXPECT_FALSE(buffer.capacity_bits);
  EXPECT_EQ(buffer.energy.read_pj, 0);
  EXPECT_EQ(buffer.read_bandwidth, (Rational{2, 5}));
}

TEST(Relax, LeaksNoMoreThanAnyOfThem) {
  const Arch small = arch_of({.units = 2, .leakage = 3});    // 6 pJ per cycle
  const Arch large = arch_of({.units = 8, .leakage = 0.5});  // 4
  const Arch both = relaxed({small, large});
  EXPECT_EQ(both.compute_units(), 8);
  const double leakage = both.memory(NodeId(3)).leakage_pj_per_cycle * 8;
  EXPECT_LE(leakage, 4);
  EXPECT_NEAR(leakage, 4, 1e-9);
}

TEST(Relax, OnlyFiguresMayDiffer) {
  EXPECT_FALSE(relax(std::vector{arch_of({}), arch_of({.buffering = 2})}));
  const Arch flat("a", "", std::nullopt, {Memory{.name = "DRAM"}}, {});
  EXPECT_FALSE(relax(std::vector{arch_of({}), flat}));
  EXPECT_TRUE(relax(std::vector{arch_of({})}));
}

}  // namespace
}  // namespace tilewright
