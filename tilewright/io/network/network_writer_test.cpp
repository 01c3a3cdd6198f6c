// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tilewright/base/error.h"
#include "tilewright/io/read_test_support.h"
#include "tilewright/io/write.h"

namespace tilewright {
namespace {

Workload product(const std::string& name, const char* role) {
  const auto plain = [](int dim) { return Rank{{Term{DimId(dim)}}}; };
  return Workload(name, {{"m", 2}, {"n", 5}, {"k", 3}},
                  {{"A", "input", 8, {plain(0), plain(2)}},
                   {"B", role, 4, {plain(2), plain(1)}},
                   {"Z", "output", 24, {plain(0), plain(1)}}});
}

// Whatever a model file may call things, and whatever it may leave out.
Network odd() {
  Network network{.name = "odd: one", .summary = "has \"quotes\", and # no comment"};
  network.edges = {{"/in/x:0", 6, 8}, {"first", 10, 24}, {"y", 3, 1}, {"unused", 1, 2}};
  Layer first{.name = "first", .op = "MatMul", .workload = product("first", "weight")};
  first.parameters = 15;
  first.parameter_bits = 4;
  first.reads = {{0, TensorId(0)}, {3, std::nullopt}};
  first.writes = {{2, TensorId(2)}};
  Layer second{.name = "second one", .op = "einsum", .workload = product("second one", "input")};
  second.count = 3;
  second.domain = "speech";
  second.reads = {{2, TensorId(1)}};
  Layer soft{.name = "0", .op = "", .kind = LayerKind::kTraffic};
  soft.reads = {{2, std::nullopt}, {0, std::nullopt}};
  soft.writes = {{1, std::nullopt}};
  soft.parameters = 2;
  soft.parameter_bits = 32;
  Layer view{.name = "view", .op = "Reshape", .kind = LayerKind::kNothing};
  view.reads = {{1, std::nullopt}};
  network.layers = {first, second, soft, view};
  network.other_parameters = 7;
  return network;
}

void expect_comes_back(const Network& network) {
  const std::string text = write_network(network);
  Diagnostics diagnostics;
  const auto back = read_network(source_text("n.yaml", text), diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << text << render_text(diagnostics, false);
  ASSERT_TRUE(back) << text;
  EXPECT_EQ(*back, network) << text;
}

TEST(WriteNetwork, ReadsBack) {
  expect_comes_back(odd());
  Network loose = odd();
  loose.edges.clear();
  for (Layer& layer : loose.layers) {
    layer.reads.clear();
    layer.writes.clear();
  }
  expect_comes_back(loose);
}

TEST(WriteNetwork, NeedsNames) {
  Network network = odd();
  network.layers[1].name = "first";
  EXPECT_THROW(write_network(network), InternalError);
  network = odd();
  network.edges[1].name = "y";
  EXPECT_THROW(write_network(network), InternalError);
  network = odd();
  network.layers[1].name = "other than its workload";
  EXPECT_THROW(write_network(network), InternalError);
}

}  // namespace
}  // namespace tilewright
