// SPDX-License-Identifier: Apache-2.0
// Small models of what compilers fuse. Every count is written out by hand: what each layer reads
// and writes, in elements, times bits.
#include "tests/support/onnx_builder.h"
#include "tests/support/onnx_models.h"

namespace tilewright::testing {
namespace {

using Type = ::onnx::TensorProto;

std::string norm(OnnxBuilder& b, const std::string& x, std::int64_t channels) {
  Names inputs = {x};
  for (int i = 0; i < 4; ++i) inputs.push_back(b.weight({channels}));
  return b.add("BatchNormalization", inputs);
}

std::string quantize(OnnxBuilder& b, const std::string& x) {
  return b.add("QuantizeLinear", {x, b.weight({}), b.weight({}, Type::INT8)});
}

std::string dequantize(OnnxBuilder& b, const std::string& x) {
  return b.add("DequantizeLinear", {x, b.weight({}), b.weight({}, Type::INT8)});
}

EpilogueModel norm_and_activation() {
  OnnxBuilder b;
  const std::string x = b.conv(b.input("x", Ints{1, 3, 8, 8}), 3, 4, 3);
  return {.name = "norm-and-activation",
          .bytes = b.bytes(b.relu(norm(b, x, 4))),
          .macs = 4 * 3 * 8 * 8 * 3 * 3,
          // The norm reads 4 x 8 x 8 and four numbers a channel and writes 4 x 8 x 8, so does Relu.
          .apart = 16 * ((256 + 4 * 4 + 256) + (256 + 256)),
          .fused = 0,
          // Image, weights, one bias a channel, output.
          .moved = 16 * (3 * 64 + 4 * 27 + 4 + 256),
          .fusions = "Conv + BatchNormalization (weights) + Relu"};
}

EpilogueModel residual_block() {
  OnnxBuilder b;
  const std::string x = b.input("x", Ints{1, 8, 6, 6});
  const std::string y = b.add("LeakyRelu", {norm(b, b.conv(x, 8, 8, 3), 8)});
  const std::string z = norm(b, b.conv(y, 8, 8, 3), 8);
  return {.name = "residual-block",
          .bytes = b.bytes(b.relu(b.add("Add", {z, x}))),
          .macs = 2 * (8 * 8 * 36 * 9),
          // Two norms, LeakyRelu, a sum of two, Relu; a tensor has 8 x 36.
          .apart = 16 * (2 * (2 * 288 + 32) + 2 * 288 + 3 * 288 + 2 * 288),
          .fused = 16 * 288,  // the sum reads x
          // Both convolutions read and write 288 and have 8 x 8 x 9 weights and 8 biases.
          .moved = 16 * (2 * (288 + 576 + 8 + 288) + 288),
          .fusions =
              "Conv + BatchNormalization (weights) + LeakyRelu; "
              "Conv + BatchNormalization (weights) + Add (reads) + Relu"};
}

// What somebody else reads is written, and ends what can be fused.
EpilogueModel other_readers() {
  OnnxBuilder b;
  const std::string a = b.conv(b.input("x", Ints{1, 4, 5, 5}), 4, 4, 1);
  const std::string shared = b.relu(a);  // read by two convolutions
  const std::string c = b.conv(shared, 4, 4, 1);
  b.output(c);  // written for whoever reads the output
  b.output(b.add("Clip", {c}));
  return {.name = "other-readers",
          .bytes = b.bytes(b.add("HardSwish", {b.conv(shared, 4, 4, 1)})),
          .macs = 3 * (4 * 4 * 25),
          .apart = 16 * 3 * (100 + 100),  // Relu, Clip, HardSwish
          .fused = 16 * (100 + 100),      // Clip
          .moved = 16 * (3 * (100 + 16 + 100) + 200),
          .fusions = "Conv + Relu; Conv + HardSwish"};
}

// The exported forms of SiLU and of both kinds of GELU, a slope for each channel.
EpilogueModel activations() {
  OnnxBuilder b;
  const std::string x = b.input("x", Ints{6, 10});
  const std::string gate = b.linear(x, 10, 20);
  const std::string silu = b.add("Mul", {gate, b.add("Sigmoid", {gate})});
  const std::string up = b.linear(silu, 20, 20, false);
  const std::string erf = b.add("Erf", {b.add("Div", {up, b.weight({})})});
  const std::string gelu =
      b.add("Mul", {b.add("Mul", {up, b.add("Add", {erf, b.weight({})})}), b.weight({})});
  const std::string y = b.linear(gelu, 20, 20, false);
  const std::string cube = b.add("Pow", {y, b.weight({})});
  const std::string sum = b.add("Add", {y, b.add("Mul", {cube, b.weight({})})});
  const std::string tanh = b.add("Tanh", {b.add("Mul", {sum, b.weight({})})});
  const std::string half = b.add("Mul", {y, b.weight({})});
  const std::string other = b.add("Mul", {half, b.add("Add", {tanh, b.weight({})})});
  const std::string last = b.add("PRelu", {b.fully_connected(other, 20, 5), b.weight({5})});
  return {.name = "activations",
          .bytes = b.bytes(last),
          .macs = 6 * 20 * 10 + 2 * (6 * 20 * 20) + 6 * 5 * 20,
          // With 120 elements: a bias (20 more), Sigmoid, a product of two; Div, Erf, Add, a
          // product of two, Mul; Pow, Mul, a sum of two, Mul, Tanh, Mul, Add, a product of two. At
          // the end 30 elements and 5 slopes.
          .apart = 16 * ((240 + 20) + 240 + 360 + 4 * 240 + 360 + 6 * 240 + 2 * 360 + (60 + 5)),
          .fused = 0,
          // Inputs, weights, biases and slopes, outputs of four products.
          .moved = 16 * ((60 + 200 + 20 + 120) + 2 * (120 + 400 + 120) + (120 + 100 + 5 + 5 + 30)),
          .fusions =
              "MatMul + Add (reads) + Sigmoid + Mul; MatMul + Div + Erf + Add + Mul + Mul; "
              "MatMul + Pow + Mul + Add + Mul + Tanh + Mul + Add + Mul; "
              "Gemm + PRelu (reads)"};
}

// Between quantizers all is stored in 8 bits; the sum reads its second operand in them.
EpilogueModel quantized_residual() {
  OnnxBuilder b(Type::FLOAT);
  const std::string x = dequantize(b, b.input("x", Ints{1, 4, 6, 6}, Type::INT8));  // read by two
  const auto conv = [&](const std::string& in) {
    const std::string out =
        b.add("Conv", {in, dequantize(b, b.weight({4, 4, 3, 3}, Type::INT8)), b.weight({4})});
    b.set("pads", Ints{1, 1, 1, 1});
    return out;
  };
  const std::string y = dequantize(b, quantize(b, b.relu(conv(x))));
  const std::string z = dequantize(b, quantize(b, conv(y)));
  const std::string sum = quantize(b, b.relu(b.add("Add", {z, x})));
  return {.name = "quantized-residual",
          .bytes = b.bytes(sum),
          .macs = 2 * (4 * 4 * 36 * 9),
          // 144 elements: three times to 32 bits, twice Relu, a sum of two, three times to 8 bits.
          .apart = 144 * (3 * (8 + 32) + 2 * (32 + 32) + (32 + 32 + 32) + 3 * (32 + 8)),
          .fused = 144 * 8,
          // Both convolutions read and write 8 bits; biases count as wide as weights.
          .moved = 8 * (2 * (144 + 144 + 4 + 144) + 144),
          .fusions =
              "DequantizeLinear + Conv + Relu + QuantizeLinear; "
              "DequantizeLinear + DequantizeLinear + Conv + QuantizeLinear + "
              "DequantizeLinear + Add (reads) + Relu + QuantizeLinear"};
}

// A conversion at the end is what is written: 8 bits, then 32 because the model hands them out.
EpilogueModel widths() {
  OnnxBuilder b(Type::FLOAT);
  const std::string x = b.input("x", Ints{4, 6});
  b.output(b.add("Cast", {b.add("MatMul", {x, b.weight({6, 8})})}));
  b.set("to", Type::FLOAT16);
  return {.name = "widths",
          .bytes = b.bytes(dequantize(b, quantize(b, b.add("MatMul", {x, b.weight({6, 10})})))),
          .macs = 4 * 6 * 8 + 4 * 6 * 10,
          .apart = 32 * (32 + 16) + 40 * ((32 + 8) + (8 + 32)),
          .fused = 0,
          .moved = (24 * 32 + 48 * 32 + 32 * 16) + (24 * 32 + 60 * 32 + 40 * 32),
          .fusions = "MatMul + Cast; MatMul + QuantizeLinear + DequantizeLinear"};
}

// A gate that depends on the tensor it scales: the tensor is in memory by then.
EpilogueModel squeeze_and_excite() {
  OnnxBuilder b;
  const std::string x = b.relu(b.conv(b.input("x", Ints{1, 4, 6, 6}), 4, 8, 1));
  const std::string squeezed = b.add("GlobalAveragePool", {x});
  const std::string gate = b.add("HardSigmoid", {b.conv(squeezed, 8, 8, 1)});
  return {.name = "squeeze-and-excite",
          .bytes = b.bytes(b.add("Clip", {b.add("Mul", {x, gate})})),
          .macs = 8 * 4 * 36 + 8 * 8,
          // Relu, the pool, HardSigmoid, the product, Clip.
          .apart = 16 * (2 * 288 + (288 + 8) + 2 * 8 + (288 + 8 + 288) + 2 * 288),
          .fused = 16 * ((288 + 8) + (288 + 8 + 288)),
          .moved = 16 * ((144 + 32 + 288) + (8 + 64 + 8) + (288 + 8) + (288 + 8 + 288)),
          .fusions = "Conv + Relu; Conv + HardSigmoid; Mul + Clip"};
}

// Norms that fold and one that does not, because Relu stands before it.
EpilogueModel folding() {
  OnnxBuilder b;
  const std::string x = b.add(
      "ConvTranspose", {b.input("x", Ints{1, 2, 4, 4}), b.weight({2, 3, 2, 2}), b.weight({3})});
  b.set("strides", Ints{2, 2});
  const std::string y = norm(b, b.relu(norm(b, x, 3)), 3);
  const std::string biased = b.add("Add", {b.conv(y, 3, 5, 1), b.weight({1, 5, 1, 1})});
  const std::string flat = b.add("Flatten", {norm(b, biased, 5)});
  return {
      .name = "folding",
      .bytes = b.bytes(norm(b, b.fully_connected(flat, 320, 7), 7)),
      .macs = 2 * 3 * 16 * 4 + 5 * 3 * 64 + 7 * 320,
      // Norm, Relu, norm of 3 x 64; a bias, a norm of 5 x 64; a norm of 7.
      .apart = 16 * (2 * (2 * 192 + 12) + 2 * 192 + (2 * 320 + 5) + (2 * 320 + 20) + (2 * 7 + 28)),
      .fused = 0,
      // The norm behind Relu keeps its 12 numbers; where there is a bias none is added.
      .moved = 16 * ((32 + 24 + 3 + 12 + 192) + (192 + 15 + 5 + 320) + (320 + 7 * 320 + 7 + 7)),
      .fusions =
          "ConvTranspose + BatchNormalization (weights) + Relu + BatchNormalization "
          "(reads); Conv + Add (reads) + BatchNormalization (weights); "
          "Gemm + BatchNormalization (weights)"};
}

// Elementwise chains that no product makes, and a gate that the later of two products reads.
EpilogueModel gated() {
  OnnxBuilder b;
  const std::string x = b.input("x", Ints{3, 8});
  const std::string scaled = b.add("Exp", {b.add("Mul", {x, b.weight({3, 8})})});
  const std::string gate = b.add("Swish", {b.linear(scaled, 8, 16, false)});
  const std::string up = b.linear(scaled, 8, 16, false);
  return {.name = "gated",
          .bytes = b.bytes(b.add("Add", {b.add("Mul", {gate, up}), b.weight({3, 16})})),
          .macs = 2 * (3 * 8 * 16),
          // 24 elements and as many parameters, Exp; 48 elements: Swish, a product of two, a sum
          // with as many parameters.
          .apart = 16 * ((24 + 24 + 24) + 2 * 24 + 2 * 48 + 3 * 48 + (48 + 48 + 48)),
          // One pass over 24; the gate and the 3 x 16 that are added, which are no bias.
          .fused = 16 * ((24 + 24 + 24) + 48 + 48),
          .moved = 16 * ((24 + 24 + 24) + 2 * (24 + 128 + 48) + 48 + 48),
          .fusions = "Mul + Exp; MatMul + Swish; MatMul + Mul (reads) + Add (reads)"};
}

}  // namespace

std::vector<EpilogueModel> epilogue_models() {
  return {norm_and_activation(),
          residual_block(),
          other_readers(),
          activations(),
          quantized_residual(),
          widths(),
          squeeze_and_excite(),
          folding(),
          gated()};
}

}  // namespace tilewright::testing
