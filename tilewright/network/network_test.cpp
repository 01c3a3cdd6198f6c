// SPDX-License-Identifier: Apache-2.0
#include "tilewright/network/network.h"

#include <gtest/gtest.h>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

Workload product(const std::string& name, std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto plain = [](int dim) { return Rank{{Term{DimId(dim)}}}; };
  return Workload(name, {{name + "m", m}, {"n", n}, {"k", k}},
                  {{"A", "input", 16, {plain(0), plain(2)}},
                   {"B", "weight", 16, {plain(2), plain(1)}},
                   {"Z", "output", 16, {plain(0), plain(1)}}});
}

Layer mapped(const std::string& name, Workload workload, std::int64_t count) {
  return {.name = name, .op = "gemm", .workload = std::move(workload), .count = count};
}

// x -> first -> y -> soft -> z -> second -> w.
Network chain() {
  Network network{.name = "chain"};
  network.edges = {{"x", 6, 8}, {"y", 10, 8}, {"z", 10, 8}, {"w", 4, 8}};
  Layer first = mapped("first", product("p", 2, 5, 3), 1);
  first.parameters = 15;
  first.reads = {{0, TensorId(0)}};
  first.writes = {{1, TensorId(2)}};
  Layer soft{.name = "soft", .op = "Softmax", .kind = LayerKind::kTraffic};
  soft.reads = {{1, std::nullopt}};
  soft.writes = {{2, std::nullopt}};
  Layer second = mapped("second", product("q", 2, 2, 5), 3);
  second.parameters = 10;
  second.reads = {{2, TensorId(0)}};
  second.writes = {{3, TensorId(2)}};
  network.layers = {first, soft, second};
  network.other_parameters = 7;
  return network;
}

TEST(Network, AddsUp) {
  const Network network = chain();
  EXPECT_TRUE(find_network_faults(network).empty());
  const NetworkTotals totals = network_totals(network);
  EXPECT_EQ(totals.computes, 2 * 5 * 3 + 3 * 2 * 2 * 5);
  EXPECT_EQ(totals.parameters, 15 + 3 * 10 + 7);
  EXPECT_EQ(totals.traffic_bits, (10 + 10) * 8);
  EXPECT_EQ(totals.runs, 4);
}

TEST(Network, OverflowIsAnError) {
  Network network = chain();
  network.layers[0].count = std::int64_t{1} << 60;
  EXPECT_THROW(network_totals(network), OverflowError);
}

TEST(Network, FaultsAreAllListed) {
  Network network = chain();
  network.layers[0].reads = {{2, TensorId(0)}};                      // read too early
  network.layers[1].workload = product("p", 1, 2, 3);                // not mapped
  network.layers[2].writes = {{1, TensorId(2)}, {9, std::nullopt}};  // twice; no such edge
  network.layers[2].reads = {{2, TensorId(3)}};                      // no such tensor
  network.edges[3].elements = 0;
  EXPECT_EQ(find_network_faults(network).size(), 6U);
}

TEST(Network, EqualLayersDifferInNamesOnly) {
  Network network;
  network.layers = {mapped("a", product("a", 2, 3, 4), 1),
                    mapped("b", product("b", 4, 2, 3), 1),
                    mapped("c", product("z", 2, 3, 4), 2),
                    {.name = "pool", .kind = LayerKind::kTraffic}};
  EXPECT_EQ(equal_layers(network), (std::vector<std::vector<std::size_t>>{{0, 2}, {1}}));
}

}  // namespace
}  // namespace tilewright
