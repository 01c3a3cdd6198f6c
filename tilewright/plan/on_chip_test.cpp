// SPDX-License-Identifier: Apache-2.0
#include "tilewright/plan/on_chip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tilewright/plan/plan_test_support.h"
#include "tilewright/plan/traffic.h"

namespace tilewright {
namespace {

using plan_test::chain;
using plan_test::mapped;
using plan_test::options;
using plan_test::product;
using plan_test::small_arch;
using plan_test::unmapped;

OnChip make(const Network& network, const Arch& arch) {
  return OnChip(network, arch, find_first_equal(network, arch, options()));
}

// x -> a -> y; b and c between y and the layer that adds y and z, as round a residual block.
Network skip(std::int64_t width = 4) {
  Network network{.name = "skip"};
  const std::int64_t e = 2 * width;
  network.edges = {{"x", 8, 8}, {"y", e, 8}, {"u", e, 8}, {"z", e, 8}, {"s", e, 8}, {"w", 4, 8}};
  network.layers = {mapped("a", product("a", 2, width, 4), 0, 1),
                    mapped("b", product("b", 2, width, width), 1, 2),
                    mapped("c", product("c", 2, width, width), 2, 3),
                    unmapped("add", LayerKind::kTraffic, {1, 3}, {4}),
                    mapped("d", product("d", 2, 2, width), 4, 5)};
  return network;
}

// The least EDP of all choices, each layer by exhaustive search.
double brute_force(const Network& network, const Arch& arch) {
  const OnChip on_chip = make(network, arch);
  const std::size_t count = on_chip.tenants().size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t bits = 0; bits < std::size_t{1} << count; ++bits) {
    Chosen chosen;
    for (std::size_t i = 0; i < count; ++i) chosen.push_back((bits >> i & 1U) != 0);
    if (!on_chip.fits(chosen)) continue;
    double energy = 0;
    double cycles = 0;
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      const Layer& layer = network.layers[l];
      if (layer.kind == LayerKind::kTraffic) {
        const PlannedLayer moved =
            plan_traffic(network, layer, arch, on_chip.buffer(), on_chip.resident(chosen));
        energy += moved.energy_pj;
        cycles += moved.cycles;
      }
      if (layer.kind != LayerKind::kMapped) continue;
      const Problem problem(*layer.workload, arch_for(*layer.workload, arch, on_chip.buffer(),
                                                      on_chip.ask(l, chosen)));
      const SearchResult found = search_exhaustive(
          Mapspace(problem, make_rules(problem, SpaceKind::kRubyS, {})), SearchOptions{});
      if (!found.best) {
        energy = std::numeric_limits<double>::infinity();
        break;
      }
      energy += found.best->evaluation.energy_pj;
      cycles += static_cast<double>(found.best->evaluation.cycles);
    }
    least = std::min(least, energy * cycles);
  }
  return least;
}

TEST(OnChip, FindsEdgesBetweenLayers) {
  const Network network = chain();
  const Arch arch = small_arch();
  const OnChip on_chip = make(network, arch);
  EXPECT_EQ(on_chip.buffer(), NodeId(1));
  ASSERT_EQ(on_chip.tenants().size(), 2U);  // not x and w, which come from outside and go there
  EXPECT_EQ(on_chip.tenants()[0].edges, std::vector<std::size_t>{1});
  EXPECT_EQ(on_chip.tenants()[0].bits, 12 * 8);
  EXPECT_EQ(on_chip.tenants()[0].first, 0U);
  EXPECT_EQ(on_chip.tenants()[0].last, 1U);
  EXPECT_EQ(on_chip.ask(1, {true, true}), (Ask{1, 5, 0}));
  EXPECT_EQ(on_chip.ask(2, {true, false}), (Ask{2, 0, 0}));
}

TEST(OnChip, AnEdgeThatPassesByTakesRoom) {
  const Network network = skip();
  const Arch arch = small_arch(192);
  const OnChip on_chip = make(network, arch);
  ASSERT_EQ(on_chip.tenants().size(), 4U);
  EXPECT_EQ(on_chip.ask(2, {true, true, false, false}), (Ask{0, 1, 64}));  // it equals a
  EXPECT_EQ(on_chip.ask(1, {true, true, false, false}), (Ask{0, 5, 0}));
  EXPECT_TRUE(on_chip.fits({true, true, true, false}));
  const Arch smaller = small_arch(191);
  EXPECT_FALSE(make(network, smaller).fits({true, true, true, false}));
  const Workload& c = *network.layers[2].workload;
  const Arch with = arch_for(c, arch, NodeId(1), {2, 1, 64});
  EXPECT_EQ(with.memory(NodeId(1)).capacity_bits, 128);
  EXPECT_EQ(with.memory(NodeId(0)).keep.names, (std::vector<std::string>{"B", "Z"}));
  EXPECT_TRUE(with.memory(NodeId(1)).keep.all);
}

// A stride skips three quarters of the edge, which is there all the same.
TEST(OnChip, WhatALayerSkipsTakesRoomToo) {
  Network network = chain();
  const auto plain = [](int dim) { return Rank{{Term{DimId(dim)}}}; };
  network.edges[1].elements = 48;
  network.layers[1].workload = Workload("b", {{"m", 6}, {"n", 3}, {"k", 2}},
                                        {{"A", "input", 8, {Rank{{Term{DimId(0), 4}}}, plain(2)}},
                                         {"B", "weight", 8, {plain(2), plain(1)}},
                                         {"Z", "output", 8, {plain(0), plain(1)}}});
  const Arch arch = small_arch(1024);
  EXPECT_EQ(make(network, arch).ask(1, {true, false}), (Ask{1, 1, (48 - 12) * 8}));
}

TEST(OnChip, EdgesThatHoldTheSameStayTogether) {
  Network network = chain();
  network.edges.push_back({"v", 12, 8});
  network.layers.insert(network.layers.begin() + 1,
                        unmapped("view", LayerKind::kNothing, {1}, {4}));
  network.layers[2].reads = {{4, TensorId(0)}};
  const Arch arch = small_arch();
  const OnChip on_chip = make(network, arch);
  ASSERT_EQ(on_chip.tenants().size(), 2U);
  EXPECT_EQ(on_chip.tenants()[0].edges, (std::vector<std::size_t>{1, 4}));
  EXPECT_EQ(on_chip.tenants()[0].bits, 12 * 8);
  EXPECT_EQ(on_chip.tenants()[0].last, 2U);
}

TEST(OnChip, NothingStaysWhereItMayNot) {
  const Network network = chain();
  EXPECT_TRUE(make(network, small_arch(40)).tenants().empty());  // too small
  std::vector<ArchNode> nodes = plan_test::small_nodes();
  std::get<Memory>(nodes[1]).keep = {false, {"input", "weight"}};
  EXPECT_TRUE(make(network, Arch("in", "", {}, nodes, {})).tenants().empty());
  nodes = plan_test::small_nodes();
  std::get<Memory>(nodes[1]).partitions = {{"output", 1000}};
  EXPECT_TRUE(make(network, Arch("parts", "", {}, nodes, {})).tenants().empty());
  nodes = plan_test::small_nodes();
  std::swap(nodes[1], nodes[2]);
  EXPECT_TRUE(make(network, Arch("many", "", {}, nodes, {})).tenants().empty());
  Network often = network;
  often.layers[1].count = 2;
  const Arch arch = small_arch();
  EXPECT_TRUE(make(often, arch).tenants().empty());
}

TEST(KeepOnChip, AgreesWithBruteForce) {
  struct Case {
    Network network;
    std::int64_t capacity;
  };
  const std::vector<Case> cases = {{chain(), 256},      {chain(), 128}, {chain(8, 8), 144},
                                   {chain(3, 12), 208}, {skip(), 192},  {skip(), 136},
                                   {skip(6), 256}};
  int stay = 0;
  for (const Case& c : cases) {
    const Arch arch = small_arch(c.capacity);
    const Plan plan = plan_network(c.network, arch, options(true));
    const double edp = plan.totals.energy_pj * plan.totals.cycles;
    EXPECT_DOUBLE_EQ(edp, brute_force(c.network, arch)) << c.network.name << " " << c.capacity;
    const Plan off = plan_network(c.network, arch, options());
    EXPECT_LE(edp, off.totals.energy_pj * off.totals.cycles);
    stay += plan.resident.empty() ? 0 : 1;
  }
  EXPECT_GE(stay, 4);
}

TEST(KeepOnChip, LeavesOutTheOutermostMemory) {
  const Plan plan = plan_network(chain(), small_arch(std::nullopt), options(true));
  EXPECT_EQ(plan.resident, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(plan.buffer, NodeId(1));
  // x, the weights and w once; nothing else.
  EXPECT_EQ(plan.totals.dram_bits, (8 + 4 * 6 + 6 * 3 + 3 * 2 + 4) * 8);
}

}  // namespace
}  // namespace tilewright
