// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tilewright/io/read_test_support.h"
#include "tilewright/network/llm.h"

namespace tilewright {
namespace {

std::optional<Network> network_of(const std::string& text) {
  Diagnostics diagnostics;
  std::optional<Network> result = read_network(source_text("n.yaml", text), diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << render_text(diagnostics, false);
  return result;
}

std::string findings_of(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_network(source_text("n.yaml", text), diagnostics));
  return render_text(diagnostics, false);
}

std::vector<std::string> codes_in(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_network(source_text("n.yaml", text), diagnostics));
  return codes_of(diagnostics);
}

using Codes = std::vector<std::string>;

constexpr const char* kChain = R"(network:
  name: chain
  summary: A chain.
  bits: 8
  other_parameters: 7
  edges: [{name: image, elements: 192}]
  layers:
    - {name: conv1, conv: {m: 4, c: 3, p: 4, q: 4, r: 3, s: 3, stride: 2}, from: [image]}
    - {name: pool, traffic: maxpool, from: [conv1], elements: 16}
    - {name: skip, traffic: add, from: [pool, pool]}
    - {name: flat, nothing: reshape, from: [skip]}
    - {name: fc, gemm: {m: 1, n: 10, k: 16}, bits: {output: 24}, from: [flat], count: 2}
)";

TEST(ReadNetwork, AChainHasItsEdges) {
  const std::optional<Network> network = network_of(kChain);
  ASSERT_TRUE(network);
  EXPECT_TRUE(find_network_faults(*network).empty());
  EXPECT_EQ(network->name, "chain");
  EXPECT_EQ(network->edges, (std::vector<Edge>{{"image", 192, 8},
                                               {"conv1", 64, 8},
                                               {"pool", 16, 8},
                                               {"skip", 16, 8},
                                               {"flat", 16, 8},
                                               {"fc", 10, 24}}));
  const Layer& conv = network->layers[0];
  EXPECT_EQ(conv.op, "conv");
  EXPECT_EQ(conv.workload->name(), "conv1");
  EXPECT_EQ(conv.workload->tensor(TensorId(0)).bits, 8);
  EXPECT_EQ(conv.parameters, 4 * 3 * 3 * 3);
  EXPECT_EQ(conv.parameter_bits, 8);
  EXPECT_EQ(conv.reads, (std::vector<EdgeUse>{{0, TensorId(0)}}));
  EXPECT_EQ(conv.writes, (std::vector<EdgeUse>{{1, TensorId(2)}}));
  EXPECT_EQ(network->layers[1].kind, LayerKind::kTraffic);
  EXPECT_EQ(network->layers[1].op, "maxpool");
  EXPECT_EQ(traffic_bits(*network, network->layers[2]), 3 * 16 * 8);
  EXPECT_EQ(network->layers[3].kind, LayerKind::kNothing);
  const NetworkTotals totals = network_totals(*network);
  EXPECT_EQ(totals.computes, 4 * 3 * 4 * 4 * 9 + 2 * 160);
  EXPECT_EQ(totals.parameters, 108 + 2 * 160 + 7);
}

TEST(ReadNetwork, WithoutFromNothingIsKnown) {
  const auto network = network_of(
      "network: {layers: [{name: a, gemm: {m: 2, n: 3, k: 4}, domain: speech},"
      " {name: b, einsum: 'Z[m] += A[m,k] * B[k]', dims: {m: 2, k: 3}, op: MatVec}]}");
  ASSERT_TRUE(network);
  EXPECT_TRUE(network->edges.empty());
  EXPECT_EQ(network->layers[0].domain, "speech");
  EXPECT_EQ(network->layers[0].parameters, 12);
  EXPECT_EQ(network->layers[1].op, "MatVec");
}

// Both operands of a product may be computed; then nothing of it is learned.
TEST(ReadNetwork, AnEdgeMayFeedAnyTensor) {
  const auto network = network_of(R"(network:
  edges: [{name: bias, elements: 4}]
  layers:
    - {name: q, gemm: {m: 2, n: 4, k: 8}}
    - {name: k, gemm: {m: 4, n: 2, k: 8}}
    - {name: s, gemm: {m: 2, n: 2, k: 4}, from: [q, {edge: k, tensor: weight}, {edge: bias}]}
)");
  ASSERT_TRUE(network);
  const Layer& scores = network->layers[2];
  EXPECT_EQ(scores.parameters, 0);
  EXPECT_EQ(scores.reads,
            (std::vector<EdgeUse>{{1, TensorId(0)}, {2, TensorId(1)}, {0, std::nullopt}}));
}

TEST(ReadNetwork, SizesThatAreSaid) {
  const auto network = network_of(R"(network:
  edges: [{name: cropped, elements: 50, bits: 4}]
  layers:
    - {name: up, conv: {c: 2, m: 1, p: 4, q: 4, r: 3, s: 3, stride: 2, transposed: true},
       to: [cropped], parameters: 20, parameter_bits: 2}
    - {name: table, traffic: gather, elements: 9}
    - {name: after, traffic: relu, from: [cropped]}
)");
  ASSERT_TRUE(network);
  EXPECT_EQ(network->edges,
            (std::vector<Edge>{{"cropped", 50, 4}, {"table", 9, 16}, {"after", 50, 4}}));
  EXPECT_EQ(network->layers[0].parameters, 20);
  EXPECT_EQ(network->layers[0].parameter_bits, 2);
}

TEST(ReadNetwork, NamesTheNearestLayer) {
  const std::string text = findings_of(
      "network:\n  layers:\n    - {name: conv1, conv: {m: 4}}\n"
      "    - {name: add, traffic: add, from: [cnov1]}\n");
  EXPECT_NE(text.find("N0001"), std::string::npos) << text;
  EXPECT_NE(text.find("n.yaml:4:40"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean `conv1`?"), std::string::npos) << text;
}

TEST(ReadNetwork, FindsWhatIsWrong) {
  const auto layers = [](const std::string& text) {
    return codes_in("network: {layers: [" + text + "]}");
  };
  EXPECT_EQ(codes_in("network: {}"), Codes{"F0011"});
  EXPECT_EQ(codes_in("network: {layers: []}"), Codes{"F0012"});
  EXPECT_EQ(codes_in("network: {layers: 3, bits: none, edges: {}}"),
            (Codes{"F0020", "F0012", "F0012"}));
  EXPECT_EQ(layers("{name: a}"), Codes{"W0005"});
  EXPECT_EQ(layers("{name: a, trafic: add}"), Codes{"F0010"});
  EXPECT_EQ(layers("{name: '', traffic: add}"), Codes{"F0014"});
  EXPECT_EQ(layers("{traffic: add, elements: 2}"), Codes{"F0011"});
  EXPECT_EQ(layers("{name: a, gemm: {m: 1, n: 1, k: 1}, traffic: add}"), Codes{"F0015"});
  EXPECT_EQ(layers("{name: a, traffic: add, nothing: add, elements: 1}"), Codes{"F0015"});
  EXPECT_EQ(layers("{name: a, traffic: x, elements: 1}, {name: a, traffic: x, elements: 1}"),
            Codes{"N0003"});
  EXPECT_EQ(layers("{name: a, traffic: x, elements: 1}, {name: b, traffic: x, from: [a], to: [a]}"),
            (Codes{"N0004"}));
  EXPECT_EQ(layers("{name: a, traffic: x, from: [b]}, {name: b, traffic: x, from: [a]}"),
            Codes{"N0002"});
  EXPECT_EQ(layers("{name: a, traffic: x, from: [a]}"), Codes{"N0002"});
  EXPECT_EQ(layers("{name: a, traffic: x}, {name: b, traffic: x, from: [a]}"), Codes{"N0005"});
  EXPECT_EQ(layers("{name: a, traffic: x, from: a}"), Codes{"F0012"});
  EXPECT_EQ(layers("{name: a, traffic: x, elements: 0}"), Codes{"F0024"});
  EXPECT_EQ(layers("{name: a, traffic: x, elements: 1, count: 0, parameters: -1}"),
            (Codes{"F0024", "F0024"}));
  EXPECT_EQ(layers("{name: a, traffic: x, elements: 1}, "
                   "{name: b, traffic: y, from: [{edge: a, tensor: Z}]}"),
            Codes{"W0006"});
  EXPECT_EQ(layers("{name: a, gemm: {m: 1, n: 1, k: 1}, to: [{edg: z, tensor: Y}]}"),
            Codes{"F0010"});
  EXPECT_EQ(codes_in("network: {edges: [{name: a, elements: 1}, {name: a, elements: 1}], "
                     "layers: [{name: b, traffic: x, from: [a]}]}"),
            Codes{"N0003"});
  EXPECT_EQ(codes_in("network: {edges: [{name: a, elements: 1}], "
                     "layers: [{name: a, traffic: x, elements: 3}]}"),
            Codes{"F0015"});
}

TEST(ReadNetwork, SumsThatDoNotFitAreAFinding) {
  EXPECT_EQ(codes_in("network: {layers: [{name: a, gemm: {m: 1000000, n: 1000000, k: 1000000}, "
                     "count: 10000}]}"),
            Codes{"N0006"});
}

constexpr const char* kModel = "hidden: 64, layers: 2, heads: 4, kv_heads: 2, ffn: 128, vocab: 100";

std::string llm(const std::string& rest) {
  return "network: {name: tiny, bits: 8, llm: {" + std::string(kModel) + ", " + rest + "}}";
}

TEST(ReadNetwork, ALanguageModelFromItsNumbers) {
  const auto network = network_of(llm("phase: decode, context: 50, batch: 3, tied: true"));
  ASSERT_TRUE(network);
  EXPECT_EQ(network->name, "tiny");
  LlmConfig config{.hidden = 64,
                   .layers = 2,
                   .heads = 4,
                   .kv_heads = 2,
                   .head_size = 16,
                   .ffn = 128,
                   .vocab = 100,
                   .tied = true,
                   .batch = 3,
                   .context = 50,
                   .bits = 8};
  Network expected = llm_network(config);
  expected.name = "tiny";
  EXPECT_EQ(*network, expected);
  config = {.hidden = 64,
            .layers = 2,
            .heads = 4,
            .kv_heads = 2,
            .head_size = 32,
            .ffn = 128,
            .vocab = 100,
            .gated = false,
            .qk_norm = true,
            .seq = 9,
            .context = 9,
            .grouped = false,
            .last_only = true,
            .bits = 8};
  expected = llm_network(config);
  expected.name = "tiny";
  EXPECT_EQ(*network_of(llm("phase: prefill, seq: 9, head_size: 32, gated: false, qk_norm: true, "
                            "grouped: false, last_only: true")),
            expected);
}

TEST(ReadNetwork, FindsWhatIsWrongWithALanguageModel) {
  EXPECT_EQ(codes_in(llm("phase: prefil, seq: 3")), Codes{"F0012"});
  EXPECT_EQ(codes_in(llm("phase: prefill")), Codes{"F0011"});
  EXPECT_EQ(codes_in(llm("phase: decode, seq: 1")), Codes{"F0011"});
  EXPECT_EQ(codes_in(llm("seq: 1")), Codes{"F0011"});
  EXPECT_EQ(codes_in(llm("phase: decode, contxt: 1")), Codes{"F0010"});
  EXPECT_EQ(codes_in(llm("phase: prefill, seq: 9, context: 8")), Codes{"N0007"});
  EXPECT_EQ(codes_in("network: {llm: {hidden: 64, layers: 2, heads: 6, kv_heads: 4, ffn: 1, "
                     "vocab: 1, phase: prefill, seq: 1, head_size: 8}}"),
            Codes{"N0007"});
  EXPECT_EQ(codes_in("network: {llm: {hidden: 64, layers: 2, heads: 6, ffn: 1, "
                     "vocab: 1, phase: prefill, seq: 1}}"),
            Codes{"N0007"});
  EXPECT_EQ(codes_in("network: {layers: [{name: a, gemm: {m: 1, n: 1, k: 1}}], " +
                     llm("phase: decode, context: 8").substr(10)),
            Codes{"F0015"});
  EXPECT_EQ(codes_in("network: {llm: {hidden: 64, layers: 99999999999, heads: 8, ffn: 9999999, "
                     "vocab: 1, phase: prefill, seq: 9999999}}"),
            Codes{"N0006"});
}

TEST(ReadDocuments, MayHoldANetwork) {
  Diagnostics diagnostics;
  const Documents documents = read_documents({source_text("n.yaml", kChain)}, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty());
  ASSERT_TRUE(documents.network);
  EXPECT_EQ(documents.network->layers.size(), 5U);
}

}  // namespace
}  // namespace tilewright
