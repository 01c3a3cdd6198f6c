// SPDX-License-Identifier: Apache-2.0
#include "tilewright/plan/traffic.h"

#include <gtest/gtest.h>

#include "tilewright/base/error.h"
#include "tilewright/plan/plan_test_support.h"

namespace tilewright {
namespace {

using plan_test::small_arch;
using plan_test::unmapped;

Network norm() {
  Network network;
  network.edges = {{"x", 10, 8}, {"y", 6, 16}};
  Layer layer = unmapped("norm", LayerKind::kTraffic, {0}, {1});
  layer.parameters = 4;
  layer.parameter_bits = 8;
  network.layers = {layer};
  return network;
}

PlannedLayer plan(const Network& network, const Arch& arch, std::vector<bool> resident) {
  return plan_traffic(network, network.layers[0], arch, NodeId(1), resident);
}

TEST(Traffic, PassesOnceThroughTheOutermostMemory) {
  const PlannedLayer planned = plan(norm(), small_arch(), {false, false});
  EXPECT_EQ(planned.dram_bits, 10 * 8 + 4 * 8 + 6 * 16);
  EXPECT_EQ(planned.energy_pj, (10 + 4 + 6) * 100);
  EXPECT_EQ(planned.cycles, 13);  // 208 bits at 16 a cycle
  EXPECT_FALSE(planned.solved);
}

TEST(Traffic, PassesThroughTheBufferWhereTheEdgeStays) {
  const PlannedLayer planned = plan(norm(), small_arch(), {true, true});
  EXPECT_EQ(planned.dram_bits, 4 * 8);
  EXPECT_EQ(planned.energy_pj, 4 * 100 + 10 * 2 + 6 * 4);
  EXPECT_EQ(planned.levels_pj, (std::vector<double>{4 * 100, 10 * 2 + 6 * 4, 0}));
  EXPECT_EQ(planned.cycles, 2);
}

TEST(Traffic, ParametersPassThroughTheMemoryThatKeepsThem) {
  std::vector<ArchNode> nodes = plan_test::small_nodes();
  std::get<Memory>(nodes[0]).keep = {false, {"input", "output"}};
  Memory weights;
  weights.name = "weights";
  weights.capacity_bits = 1 << 20;
  weights.keep = {false, {"weight"}};
  weights.energy = {7, 7, 7, ""};
  weights.shared_bandwidth = make_rational(1, 1);
  nodes.insert(nodes.begin() + 1, weights);
  const PlannedLayer on_chip =
      plan(norm(), Arch("two", "", std::nullopt, nodes, {}), {false, false});
  EXPECT_EQ(on_chip.dram_bits, 10 * 8 + 6 * 16);
  EXPECT_EQ(on_chip.energy_pj, (10 + 6) * 100 + 4 * 7);
  EXPECT_EQ(on_chip.cycles, 32);  // the weights, one bit a cycle
  EXPECT_EQ(on_chip.slowest, NodeId(1));
  std::get<Memory>(nodes[1]).off_chip = true;
  const PlannedLayer outside =
      plan(norm(), Arch("two", "", std::nullopt, nodes, {}), {false, false});
  EXPECT_EQ(outside.dram_bits, 10 * 8 + 6 * 16 + 4 * 8);
}

TEST(Traffic, CountsAccessesOfAMemoryWithAWidth) {
  std::vector<ArchNode> nodes = plan_test::small_nodes();
  Memory& dram = std::get<Memory>(nodes[0]);
  dram.width_bits = 32;
  dram.bits = {{"output", 8}};
  dram.leakage_pj_per_cycle = 5;
  const Arch arch("wide", "", std::nullopt, nodes, {});
  const PlannedLayer planned = plan(norm(), arch, {false, false});
  EXPECT_EQ(planned.dram_bits, (10 + 4 + 6) * 8);
  EXPECT_EQ(planned.cycles, 10);
  EXPECT_EQ(planned.energy_pj, (3 + 1 + 2) * 100 + 10 * 5);
  EXPECT_EQ(planned.levels_pj, (std::vector<double>{planned.energy_pj, 0, 0}));
}

TEST(Traffic, OverflowIsAnError) {
  Network network = norm();
  network.edges[0].elements = std::int64_t{1} << 62;
  EXPECT_THROW(plan(network, small_arch(), {false, false}), OverflowError);
}

}  // namespace
}  // namespace tilewright
