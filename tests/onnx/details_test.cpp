// SPDX-License-Identifier: Apache-2.0
// What an ONNX model becomes beside its workloads: edges, parameters, coverage, warnings.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/onnx_models.h"
#include "tilewright/onnx/onnx.h"

namespace tilewright::testing {
namespace {

OnnxNetwork import_real(const std::string& name) {
  for (const OnnxModel& model : real_models()) {
    if (model.name != name) continue;
    Diagnostics diagnostics;
    auto read = read_onnx(model.bytes, name + ".onnx", model.options, diagnostics);
    if (read) return std::move(*read);
  }
  ADD_FAILURE() << name;
  return {};
}

std::int64_t parameters(const Network& network) { return network_totals(network).parameters; }

TEST(OnnxDetails, ParametersAreWeightsAndBiases) {
  // 25,502,912 weights of torchvision's resnet50 (its batch norms are folded) and 1000 biases.
  EXPECT_EQ(parameters(import_real("resnet50").network), 25'502'912 + 1000);
  // Weights of 16 blocks and lm_head, norms, and the table of embeddings once.
  EXPECT_EQ(parameters(import_real("llama").network), 1'235'814'400 + 128'256LL * 2048);
}

TEST(OnnxDetails, TablesBelongToTheNetworkAndRowsPassBy) {
  const OnnxNetwork model = import_real("bert-base");
  EXPECT_EQ(model.network.other_parameters, 30522 * 768);
  const auto lookup = std::ranges::find(model.network.layers, "Gather", &Layer::op);
  ASSERT_NE(lookup, model.network.layers.end());
  // Rows in, rows out, 128 indices of 64 bits; positions are added on the way.
  EXPECT_EQ(traffic_bits(model.network, *lookup), 3 * 128 * 768 * 16 + 128 * 64);
}

TEST(OnnxDetails, ViewsAreTheSameEdge) {
  const Network network = import_real("alexnet").network;
  const auto layer = std::ranges::find(network.layers, "Gemm", &Layer::op);
  ASSERT_NE(layer, network.layers.end());
  ASSERT_EQ(layer->reads.size(), 1U);
  // Through Flatten and Dropout.
  const std::size_t edge = layer->reads.front().edge;
  const auto writer = std::ranges::find_if(network.layers, [&](const Layer& each) {
    return std::ranges::any_of(each.writes, [&](const EdgeUse& use) { return use.edge == edge; });
  });
  ASSERT_NE(writer, network.layers.end());
  EXPECT_EQ(writer->op, "MaxPool");
  EXPECT_EQ(network.edges[edge].elements, 9216);
}

TEST(OnnxDetails, QuantizedTensorsAreStoredInTheirBits) {
  const OnnxNetwork model = import_real("quantize-dequantize");
  const auto conv = std::ranges::find(model.network.layers, "Conv", &Layer::op);
  ASSERT_NE(conv, model.network.layers.end());
  EXPECT_EQ(conv->parameter_bits, 8);
  for (const auto* uses : {&conv->reads, &conv->writes}) {
    for (const EdgeUse& use : *uses) EXPECT_EQ(model.network.edges[use.edge].bits, 8);
  }
  // The input of the model is quantized by a layer of its own: 32 bits in, 8 out.
  const auto first = std::ranges::find(model.network.layers, "QuantizeLinear", &Layer::op);
  ASSERT_NE(first, model.network.layers.end());
  EXPECT_EQ(traffic_bits(model.network, *first), 16 * 32 * 32 * (32 + 8));
}

TEST(OnnxDetails, BitsCanBeGiven) {
  for (const OnnxModel& model : real_models()) {
    if (model.name != "qlinear") continue;
    OnnxOptions options;
    options.bits = 5;
    Diagnostics diagnostics;
    const auto read = read_onnx(model.bytes, "q.onnx", options, diagnostics);
    ASSERT_TRUE(read);
    for (const Edge& edge : read->network.edges) EXPECT_EQ(edge.bits, 5) << edge.name;
    for (const Tensor& tensor : read->network.layers[0].workload->tensors()) {
      EXPECT_EQ(tensor.bits, 5);
    }
  }
}

TEST(OnnxDetails, WhatIsIgnoredIsCountedAndSaid) {
  for (const BrokenModel& model : broken_models()) {
    if (!model.name.starts_with("strict-")) continue;
    Diagnostics diagnostics;
    const auto read = read_onnx(model.bytes, "x.onnx", {}, diagnostics);  // not strict
    ASSERT_TRUE(read) << model.name;
    const CoverageRow ignored = read->coverage.total(Treatment::kIgnored);
    EXPECT_GE(ignored.nodes, 1) << model.name;
    EXPECT_GT(ignored.bits, 0) << model.name;
    bool said = false;
    for (const Diagnostic& each : diagnostics.all()) said = said || each.code == model.code;
    EXPECT_TRUE(said) << model.name;
  }
}

TEST(OnnxDetails, NodesAfterAnUnknownOneShareAFinding) {
  for (const BrokenModel& model : broken_models()) {
    if (model.name != "strict-unknown") continue;
    Diagnostics diagnostics;
    const auto read = read_onnx(model.bytes, "x.onnx", {}, diagnostics);
    ASSERT_TRUE(read);
    // Magic itself, and Flatten and Gemm after it.
    EXPECT_EQ(read->coverage.total(Treatment::kIgnored).nodes, 3);
    EXPECT_EQ(diagnostics.all().size(), 2U);
  }
}

}  // namespace
}  // namespace tilewright::testing
