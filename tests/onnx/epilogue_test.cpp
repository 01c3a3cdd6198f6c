// SPDX-License-Identifier: Apache-2.0
// What runs as part of another operator: the same multiply-accumulates, and the traffic that is
// left is counted by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/onnx_models.h"
#include "tilewright/io/render.h"
#include "tilewright/onnx/onnx.h"

namespace tilewright::testing {
namespace {

OnnxNetwork import(const std::string& bytes, OnnxOptions options, bool fuse) {
  options.strict = true;
  options.fuse = fuse;
  Diagnostics diagnostics;
  auto read = read_onnx(bytes, "model.onnx", options, diagnostics);
  EXPECT_TRUE(read) << render_text(diagnostics, false);
  return read ? std::move(*read) : OnnxNetwork{};
}

std::string fusions_text(const Coverage& coverage) {
  std::string text;
  for (const Fusion& fusion : coverage.fusions) {
    text += text.empty() ? "" : "; ";
    for (const FusedNode& node : fusion.nodes) {
      if (node.how == FusedHow::kIn) text += node.op + " + ";
    }
    text += fusion.op;
    for (const FusedNode& node : fusion.nodes) {
      if (node.how == FusedHow::kIn) continue;
      text += " + " + node.op;
      if (node.how == FusedHow::kFolded) text += " (weights)";
      if (node.how == FusedHow::kOut && node.bits > 0) text += " (reads)";
    }
  }
  return text;
}

// Every tensor and parameter of every layer, once a layer.
std::int64_t bits_moved(const Network& network) {
  std::int64_t bits = 0;
  for (Layer layer : network.layers) {
    layer.kind = LayerKind::kTraffic;
    bits += traffic_bits(network, layer);
  }
  return bits;
}

class Epilogue : public ::testing::TestWithParam<EpilogueModel> {};

TEST_P(Epilogue, HasTheTrafficCountedByHand) {
  const EpilogueModel& model = GetParam();
  const OnnxNetwork apart = import(model.bytes, {}, false);
  const OnnxNetwork fused = import(model.bytes, {}, true);
  EXPECT_EQ(network_totals(apart.network).computes, model.macs);
  EXPECT_EQ(network_totals(fused.network).computes, model.macs);
  EXPECT_EQ(network_totals(apart.network).traffic_bits, model.apart);
  EXPECT_EQ(network_totals(fused.network).traffic_bits, model.fused);
  EXPECT_EQ(bits_moved(fused.network), model.moved);
  EXPECT_EQ(fused.coverage.total().bits, model.moved);
  EXPECT_EQ(apart.coverage.total().bits, bits_moved(apart.network));
}

TEST_P(Epilogue, ListsWhatIsFusedIntoWhat) {
  const EpilogueModel& model = GetParam();
  const OnnxNetwork fused = import(model.bytes, {}, true);
  EXPECT_EQ(fusions_text(fused.coverage), model.fusions);
  EXPECT_TRUE(import(model.bytes, {}, false).coverage.fusions.empty());
  for (const Fusion& fusion : fused.coverage.fusions) {
    const auto named = [&](const Layer& layer) { return layer.name == fusion.layer; };
    EXPECT_TRUE(std::ranges::any_of(fused.network.layers, named)) << fusion.layer;
  }
}

const auto kName = [](const auto& each) {
  std::string name = each.param.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
};

INSTANTIATE_TEST_SUITE_P(Onnx, Epilogue, ::testing::ValuesIn(epilogue_models()), kName);

// Bits of layers that are traffic, if each operator runs by itself and if they are fused.
struct Traffic {
  std::int64_t apart = 0;
  std::int64_t fused = 0;
};

// A square image of a ResNet: `width` channels of the blocks, times `expand` between them.
struct Stage {
  std::int64_t blocks, width, expand, side, side_before;
};

Traffic resnet(const std::vector<Stage>& stages) {
  const std::int64_t stem = 64 * 112 * 112;
  const Stage& last = stages.back();
  const std::int64_t end = last.width * last.expand;
  const std::int64_t pools = (stem + 64 * 56 * 56) + (end * 7 * 7 + end);
  Traffic traffic{2 * stem + pools, pools};
  for (const Stage& s : stages) {
    const std::int64_t inner = s.width * s.side * s.side;
    const std::int64_t outer = inner * s.expand;
    // A sum reads two and writes one, and Relu follows; fused, the second operand is read.
    traffic.apart += s.blocks * (3 * outer + 2 * outer);
    traffic.fused += s.blocks * outer;
    // Relu behind the convolutions inside: one, or two of which the first is before the stride.
    traffic.apart += s.blocks * 2 * inner;
    if (s.expand == 1) continue;
    traffic.apart += (s.blocks - 1) * 2 * inner + 2 * s.width * s.side_before * s.side_before;
  }
  return {16 * traffic.apart, 16 * traffic.fused};
}

Traffic mobilenet() {
  // Channels and sides of what Clip reads and writes, and of the sums.
  const std::int64_t clips = 32 * 112 * 112 + 32 * 112 * 112 +  // 16 channels
                             (96 * 112 * 112 + 96 * 56 * 56) +
                             (144 * 56 * 56 + 144 * 56 * 56) +                          // 24
                             (144 * 56 * 56 + 144 * 28 * 28) + 2 * 2 * 192 * 28 * 28 +  // 32
                             (192 * 28 * 28 + 192 * 14 * 14) + 3 * 2 * 384 * 14 * 14 +  // 64
                             2 * 384 * 14 * 14 + 2 * 2 * 576 * 14 * 14 +                // 96
                             (576 * 14 * 14 + 576 * 7 * 7) + 2 * 2 * 960 * 7 * 7 +      // 160
                             2 * 960 * 7 * 7 + 1280 * 7 * 7;  // 320, and the end
  const std::int64_t sums =
      24 * 56 * 56 + 2 * 32 * 28 * 28 + 3 * 64 * 14 * 14 + 2 * 96 * 14 * 14 + 2 * 160 * 7 * 7;
  const std::int64_t pool = 1280 * 7 * 7 + 1280;
  return {16 * (2 * clips + 3 * sums + pool), 16 * (sums + pool)};
}

Traffic alexnet() {
  const std::int64_t pools = (96 * 55 * 55 + 96 * 27 * 27) + (256 * 27 * 27 + 256 * 13 * 13) +
                             (256 * 13 * 13 + 256 * 6 * 6);
  const std::int64_t norm = 2 * 96 * 27 * 27;
  const std::int64_t relus =
      96 * 55 * 55 + 256 * 27 * 27 + 384 * 13 * 13 + 384 * 13 * 13 + 256 * 13 * 13 + 4096 + 4096;
  return {16 * (pools + norm + 2 * relus), 16 * (pools + norm)};
}

// Of a block of BERT or ViT with `t` tokens, 768 wide: what each operator moves by itself.
std::int64_t block_apart(std::int64_t t, bool scaled) {
  const std::int64_t x = t * 768;
  const std::int64_t up = t * 3072;
  const std::int64_t scores = 12 * t * t;
  const std::int64_t biases = 5 * (2 * x + 768) + (2 * up + 3072);
  // Div, Erf, Add, a product of two, Mul.
  const std::int64_t gelu = 4 * 2 * up + 3 * up;
  return biases + gelu + 2 * 3 * x + 2 * scores + (scaled ? 2 * scores : 0);
}

std::int64_t norms(std::int64_t count, std::int64_t t) { return count * (2 * t * 768 + 2 * 768); }

// Softmax, and the second operands of two sums.
std::int64_t block_fused(std::int64_t t) { return 2 * 12 * t * t + 2 * t * 768; }

Traffic bert(bool attention) {
  const std::int64_t x = 128 * 768;
  // Rows of the table in and out, positions added to them; 128 indices of 64 bits.
  const std::int64_t fused = 16 * (3 * x + norms(25, 128) + 12 * block_fused(128)) + 64 * 128;
  std::int64_t apart =
      16 * (2 * x + 3 * x + norms(25, 128) + 12 * block_apart(128, true)) + 64 * 128;
  // One node for Q, K, V with their biases and the scaled scores; its softmax is a layer.
  if (attention) apart -= 16 * 12 * (3 * (2 * x + 768) + 2 * 12 * 128 * 128);
  return {apart, fused};
}

Traffic dynamic_bert() {
  return {16 * (norms(12, 128) + 12 * block_apart(128, false)),
          16 * (norms(12, 128) + 12 * block_fused(128))};
}

Traffic vision_transformer() {
  const std::int64_t positions = 3 * 197 * 768;  // added to what a Concat joins
  return {16 * (positions + norms(25, 197) + 12 * block_apart(197, true)),
          16 * (positions + norms(25, 197) + 12 * block_fused(197))};
}

// Rows of the table, norms, softmax, sums; Sigmoid and two products of the feed-forward part.
Traffic llama(std::int64_t tokens, std::int64_t scores) {
  const std::int64_t x = tokens * 2048;
  const std::int64_t up = tokens * 8192;
  const std::int64_t both = 2 * x + 33 * (2 * x + 2048) + 16 * 2 * scores;
  return {16 * (both + 16 * (2 * 3 * x + 2 * up + 2 * 3 * up)) + 64 * tokens,
          16 * (both + 16 * (2 * x + up)) + 64 * tokens};
}

std::map<std::string, Traffic> traffic_by_hand() {
  constexpr std::int64_t kCells = 16 * (2 * (10 * 16 + 10 * 16 + 10 * 4) + (90 + 60 + 30 + 30) +
                                        (90 + 90 + 30) + (40 + 40 + 8));
  return {
      {"resnet50",
       resnet({{3, 64, 4, 56, 56}, {4, 128, 4, 28, 56}, {6, 256, 4, 14, 28}, {3, 512, 4, 7, 14}})},
      {"resnet18",
       resnet({{2, 64, 1, 56, 56}, {2, 128, 1, 28, 56}, {2, 256, 1, 14, 28}, {2, 512, 1, 7, 14}})},
      {"mobilenetv2", mobilenet()},
      {"alexnet", alexnet()},
      {"bert-base", bert(false)},
      {"bert-base-attention", bert(true)},
      {"bert-base-dynamic", dynamic_bert()},
      {"llama", llama(1024, 32 * 1024 * 1024)},
      {"llama-decode", llama(1, 32 * 8192)},
      {"vit-b16", vision_transformer()},
      // The pool; Relu behind six convolutions of 28 x 28.
      {"inception",
       {16 * 784 * (2 * 192 + 2 * (64 + 96 + 128 + 16 + 32 + 32)), 16 * 784 * (2 * 192)}},
      {"qlinear", {8 * 64 * (32 + 32), 0}},  // a Cast behind integers
      // Quantizers and dequantizers of three tensors and the pool, 32 bits and 8; fused the first
      // quantizer and the pool, whose input and output are 8 bits wide.
      {"quantize-dequantize",
       {(16384 + 32768 + 32) * 2 * (32 + 8) + (32768 + 32) * 32,
        16384 * (32 + 8) + (32768 + 32) * 8}},
      {"windows", {0, 0}},
      // GELU as above, and Relu.
      {"lines-and-volumes", {16 * ((4 * 2 + 3) * 384 * 1500 + 2 * 64 * 16 * 56 * 48), 0}},
      // A sum over the scores, and their square.
      {"einsums", {16 * ((800 + 8) + (800 + 800)), 16 * ((800 + 8) + (800 + 800))}},
      {"products", {0, 0}},
      // What a cell joins: the product over all steps, those of the steps, and what it hands out.
      {"recurrent", {kCells, kCells}}};
}

class RealTraffic : public ::testing::TestWithParam<OnnxModel> {};

TEST_P(RealTraffic, IsTheOneCountedByHand) {
  const OnnxModel& model = GetParam();
  const std::map<std::string, Traffic> by_hand = traffic_by_hand();
  const auto expected = by_hand.find(model.name);
  ASSERT_NE(expected, by_hand.end()) << "count it";
  const OnnxNetwork apart = import(model.bytes, model.options, false);
  const OnnxNetwork fused = import(model.bytes, model.options, true);
  EXPECT_EQ(network_totals(apart.network).computes, network_totals(fused.network).computes);
  EXPECT_EQ(network_totals(apart.network).traffic_bits, expected->second.apart);
  EXPECT_EQ(network_totals(fused.network).traffic_bits, expected->second.fused);
  EXPECT_EQ(apart.coverage.total().nodes, fused.coverage.total().nodes);
  EXPECT_EQ(apart.coverage.total(Treatment::kFused).nodes, 0);
  EXPECT_EQ(network_totals(apart.network).parameters, network_totals(fused.network).parameters);
}

INSTANTIATE_TEST_SUITE_P(Onnx, RealTraffic, ::testing::ValuesIn(real_models()), kName);

}  // namespace
}  // namespace tilewright::testing
