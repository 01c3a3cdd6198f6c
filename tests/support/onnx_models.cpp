// SPDX-License-Identifier: Apache-2.0
#include "tests/support/onnx_models.h"

#include "tests/support/onnx_builder.h"

namespace tilewright::testing {
namespace {

using Type = ::onnx::TensorProto;

// A block of ResNet; `expand` is 4 for bottlenecks and 1 for pairs of 3 x 3.
std::string residual(OnnxBuilder& b, const std::string& x, std::int64_t in, std::int64_t width,
                     std::int64_t expand, std::int64_t stride) {
  const std::int64_t out = width * expand;
  std::string y;
  if (expand > 1) {
    y = b.relu(b.conv(x, in, width, 1));
    y = b.relu(b.conv(y, width, width, 3, stride));
    y = b.conv(y, width, out, 1);
  } else {
    y = b.relu(b.conv(x, in, width, 3, stride));
    y = b.conv(y, width, width, 3);
  }
  const bool same = in == out && stride == 1;
  const std::string shortcut = same ? x : b.conv(x, in, out, 1, stride);
  return b.relu(b.add("Add", {y, shortcut}));
}

std::string resnet(const std::vector<int>& blocks, std::int64_t expand) {
  OnnxBuilder b;
  std::string x = b.relu(b.conv(b.input("image", Ints{1, 3, 224, 224}), 3, 64, 7, 2));
  x = b.pool("MaxPool", x, 3, 2, 1);
  std::int64_t in = 64;
  for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
    const std::int64_t width = std::int64_t{64} << stage;
    for (int i = 0; i < blocks[stage]; ++i) {
      x = residual(b, x, in, width, expand, i == 0 && stage > 0 ? 2 : 1);
      in = width * expand;
    }
  }
  x = b.add("Flatten", {b.add("GlobalAveragePool", {x})});
  return b.bytes(b.fully_connected(x, in, 1000));
}

std::string mobilenet() {
  OnnxBuilder b;
  const auto clipped = [&](const std::string& x) {
    return b.add("Clip", {x, b.weight({}), b.weight({})});
  };
  std::string x = clipped(b.conv(b.input("image", Ints{1, 3, 224, 224}), 3, 32, 3, 2));
  std::int64_t in = 32;
  struct Stage {
    std::int64_t expand, out, blocks, stride;
  };
  for (const Stage& s :
       {Stage{1, 16, 1, 1}, Stage{6, 24, 2, 2}, Stage{6, 32, 3, 2}, Stage{6, 64, 4, 2},
        Stage{6, 96, 3, 1}, Stage{6, 160, 3, 2}, Stage{6, 320, 1, 1}}) {
    for (std::int64_t i = 0; i < s.blocks; ++i) {
      const std::int64_t width = in * s.expand;
      const std::int64_t stride = i == 0 ? s.stride : 1;
      std::string y = s.expand == 1 ? x : clipped(b.conv(x, in, width, 1));
      y = clipped(b.conv(y, width, width, 3, stride, width));
      y = b.conv(y, width, s.out, 1);
      x = in == s.out && stride == 1 ? b.add("Add", {x, y}) : y;
      in = s.out;
    }
  }
  x = b.add("GlobalAveragePool", {clipped(b.conv(x, in, 1280, 1))});
  return b.bytes(b.fully_connected(b.add("Flatten", {x}), 1280, 1000));
}

// [1, seq, heads * size] -> [1, heads, seq, size].
std::string heads_first(OnnxBuilder& b, const std::string& x, std::int64_t heads,
                        std::int64_t size) {
  return b.transpose(b.reshape(x, {1, -1, heads, size}), {0, 2, 1, 3});
}

std::string attention(OnnxBuilder& b, const std::string& x, std::int64_t heads, std::int64_t size) {
  const std::int64_t hidden = heads * size;
  const std::string q = heads_first(b, b.linear(x, hidden, hidden), heads, size);
  const std::string k =
      b.transpose(b.reshape(b.linear(x, hidden, hidden), {1, -1, heads, size}), {0, 2, 3, 1});
  const std::string v = heads_first(b, b.linear(x, hidden, hidden), heads, size);
  const std::string scores = b.add("Div", {b.add("MatMul", {q, k}), b.weight({})});
  const std::string context = b.add("MatMul", {b.add("Softmax", {scores}), v});
  return b.reshape(b.transpose(context, {0, 2, 1, 3}), {1, -1, hidden});
}

std::string normalized(OnnxBuilder& b, const std::string& x, std::int64_t hidden) {
  return b.add("LayerNormalization", {x, b.weight({hidden}), b.weight({hidden})});
}

std::string gelu(OnnxBuilder& b, const std::string& x) {
  const std::string erf = b.add("Erf", {b.add("Div", {x, b.weight({})})});
  return b.add("Mul", {b.add("Mul", {x, b.add("Add", {erf, b.weight({})})}), b.weight({})});
}

std::string bert(bool fused) {
  OnnxBuilder b;
  constexpr std::int64_t kHidden = 768;
  const std::string ids = b.input("ids", Ints{1, 128}, Type::INT64);
  std::string x = b.add(
      "Add", {b.add("Gather", {b.weight({30522, kHidden}), ids}), b.weight({1, 128, kHidden})});
  x = normalized(b, x, kHidden);
  for (int i = 0; i < 12; ++i) {
    std::string y;
    if (fused) {
      y = b.add("Attention", {x, b.weight({kHidden, 3 * kHidden}), b.weight({3 * kHidden})},
                "com.microsoft");
      b.set("num_heads", 12);
    } else {
      y = attention(b, x, 12, 64);
    }
    x = normalized(b, b.add("Add", {x, b.linear(y, kHidden, kHidden)}), kHidden);
    y = b.linear(gelu(b, b.linear(x, kHidden, 3072)), 3072, kHidden);
    x = normalized(b, b.add("Add", {x, y}), kHidden);
  }
  return b.bytes(x);
}

// Batch and length are open; reshapes are computed from the shape of their input.
std::string dynamic_bert() {
  OnnxBuilder b;
  constexpr std::int64_t kHidden = 768;
  std::string x = b.input("hidden", Names{"batch", "length", "768"});
  for (int i = 0; i < 12; ++i) {
    const std::string shape = b.add("Shape", {x});
    const auto dim = [&](std::int64_t at) { return b.add("Gather", {shape, b.integers({at})}); };
    const auto split = [&](const std::string& y, const Ints& order) {
      const std::string to = b.add("Concat", {dim(0), dim(1), b.integers({12}), b.integers({64})});
      b.set("axis", 0);
      return b.transpose(b.add("Reshape", {y, to}), order);
    };
    const std::string q = split(b.linear(x, kHidden, kHidden), {0, 2, 1, 3});
    const std::string k = split(b.linear(x, kHidden, kHidden), {0, 2, 3, 1});
    const std::string v = split(b.linear(x, kHidden, kHidden), {0, 2, 1, 3});
    const std::string weights = b.add("Softmax", {b.add("MatMul", {q, k})});
    const std::string context = b.transpose(b.add("MatMul", {weights, v}), {0, 2, 1, 3});
    const std::string all = b.add("Mul", {b.integers({12}), b.integers({64})});
    const std::string to = b.add("Concat", {dim(0), dim(1), all});
    b.set("axis", 0);
    x = b.add("Add", {x, b.linear(b.add("Reshape", {context, to}), kHidden, kHidden)});
    x = normalized(b, x, kHidden);
    x = b.add("Add", {x, b.linear(gelu(b, b.linear(x, kHidden, 3072)), 3072, kHidden)});
  }
  return b.bytes(x);
}

std::string vision_transformer() {
  OnnxBuilder b;
  constexpr std::int64_t kHidden = 768;
  std::string x = b.conv(b.input("image", Ints{1, 3, 224, 224}), 3, kHidden, 16, 16, 1, 0);
  x = b.transpose(b.reshape(x, {1, kHidden, 196}), {0, 2, 1});
  x = b.add("Concat", {b.weight({1, 1, kHidden}), x});
  b.set("axis", 1);
  x = b.add("Add", {x, b.weight({1, 197, kHidden})});
  for (int i = 0; i < 12; ++i) {
    const std::string y = attention(b, normalized(b, x, kHidden), 12, 64);
    x = b.add("Add", {x, b.linear(y, kHidden, kHidden)});
    const std::string z =
        b.linear(gelu(b, b.linear(normalized(b, x, kHidden), kHidden, 3072)), 3072, kHidden);
    x = b.add("Add", {x, z});
  }
  x = b.add("Gather", {normalized(b, x, kHidden), b.integers({0})});
  b.set("axis", 1);
  return b.bytes(b.fully_connected(b.reshape(x, {1, kHidden}), kHidden, 1000));
}

constexpr const char* kVisionTransformer = R"(
    - {name: patches, conv: {m: 768, c: 3, p: 14, q: 14, r: 16, s: 16, stride: 16}}
    - {name: square, gemm: {m: 197, n: 768, k: 768}, count: 48}
    - {name: scores, bmm: {b: 12, m: 197, n: 197, k: 64}, count: 12}
    - {name: context, bmm: {b: 12, m: 197, n: 64, k: 197}, count: 12}
    - {name: up, gemm: {m: 197, n: 3072, k: 768}, count: 12}
    - {name: down, gemm: {m: 197, n: 768, k: 3072}, count: 12}
    - {name: head, gemm: {m: 1, n: 1000, k: 768}}
)";

// LLaMA-3.2-1B. Grouped: heads that share keys are one node; else keys are repeated.
std::string llama(std::int64_t tokens, std::int64_t past, bool grouped) {
  OnnxBuilder b;
  constexpr std::int64_t kHidden = 2048;
  const std::string ids = b.input("ids", Ints{1, tokens}, Type::INT64);
  std::string x = b.add("Gather", {b.weight({128256, kHidden}), ids});
  const auto norm = [&](const std::string& y) {
    return b.add("SimplifiedLayerNormalization", {y, b.weight({kHidden})});
  };
  for (int i = 0; i < 16; ++i) {
    const std::string in = norm(x);
    const std::string q = b.linear(in, kHidden, 2048, false);
    const std::string k = b.linear(in, kHidden, 512, false);
    const std::string v = b.linear(in, kHidden, 512, false);
    std::string y;
    if (grouped) {
      const std::string name = std::to_string(i);
      const std::string keys = b.input("keys" + name, Ints{1, 8, past, 64});
      const std::string values = b.input("values" + name, Ints{1, 8, past, 64});
      y = b.add("GroupQueryAttention", {q, k, v, keys, values}, "com.microsoft");
      b.set("num_heads", 32).set("kv_num_heads", 8);
    } else {
      const auto repeated = [&](const std::string& side, const Ints& order) {
        const std::string five = b.reshape(side, {1, tokens, 8, 1, 64});
        const std::string many = b.add("Expand", {five, b.integers({1, tokens, 8, 4, 64})});
        return b.transpose(b.reshape(many, {1, tokens, 32, 64}), order);
      };
      const std::string scores =
          b.add("MatMul", {heads_first(b, q, 32, 64), repeated(k, {0, 2, 3, 1})});
      y = b.add("MatMul", {b.add("Softmax", {scores}), repeated(v, {0, 2, 1, 3})});
      y = b.reshape(b.transpose(y, {0, 2, 1, 3}), {1, tokens, kHidden});
    }
    x = b.add("Add", {x, b.linear(y, kHidden, kHidden, false)});
    const std::string z = norm(x);
    const std::string gate = b.linear(z, kHidden, 8192, false);
    const std::string up = b.linear(z, kHidden, 8192, false);
    const std::string swish = b.add("Mul", {gate, b.add("Sigmoid", {gate})});
    x = b.add("Add", {x, b.linear(b.add("Mul", {swish, up}), 8192, kHidden, false)});
  }
  return b.bytes(b.linear(norm(x), kHidden, 128256, false));
}

std::string inception() {
  OnnxBuilder b;
  const std::string x = b.input("x", Ints{1, 192, 28, 28});
  const std::string one = b.relu(b.conv(x, 192, 64, 1));
  const std::string three = b.relu(b.conv(b.relu(b.conv(x, 192, 96, 1)), 96, 128, 3));
  const std::string five = b.relu(b.conv(b.relu(b.conv(x, 192, 16, 1)), 16, 32, 5));
  const std::string pooled = b.relu(b.conv(b.pool("MaxPool", x, 3, 1, 1), 192, 32, 1));
  const std::string all = b.add("Concat", {one, three, five, pooled});
  b.set("axis", 1);
  return b.bytes(b.conv(all, 256, 128, 1));
}

constexpr const char* kInception = R"(
    - {name: one, conv: {m: 64, c: 192, p: 28, q: 28}}
    - {name: before3, conv: {m: 96, c: 192, p: 28, q: 28}}
    - {name: three, conv: {m: 128, c: 96, p: 28, q: 28, r: 3, s: 3}}
    - {name: before5, conv: {m: 16, c: 192, p: 28, q: 28}}
    - {name: five, conv: {m: 32, c: 16, p: 28, q: 28, r: 5, s: 5}}
    - {name: pooled, conv: {m: 32, c: 192, p: 28, q: 28}}
    - {name: next, conv: {m: 128, c: 256, p: 28, q: 28}}
)";

std::string alexnet() {
  OnnxBuilder b;
  std::string x = b.relu(b.conv(b.input("image", Ints{1, 3, 227, 227}), 3, 96, 11, 4, 1, 0));
  x = b.add("LRN", {b.pool("MaxPool", x, 3, 2, 0)});
  b.set("size", 5);
  x = b.relu(b.conv(x, 96, 256, 5, 1, 2));
  x = b.pool("MaxPool", x, 3, 2, 0);
  x = b.relu(b.conv(x, 256, 384, 3));
  x = b.relu(b.conv(x, 384, 384, 3, 1, 2));
  x = b.relu(b.conv(x, 384, 256, 3, 1, 2));
  x = b.add("Dropout", {b.add("Flatten", {b.pool("MaxPool", x, 3, 2, 0)})});
  x = b.relu(b.fully_connected(x, 9216, 4096));
  x = b.relu(b.fully_connected(x, 4096, 4096));
  return b.bytes(b.fully_connected(x, 4096, 1000));
}

// Convolutions of 8-bit integers, fully quantized.
std::string qlinear() {
  OnnxBuilder b(Type::UINT8);
  const auto scale = [&] { return b.weight({}, Type::FLOAT); };
  const auto zero = [&](int type) { return b.weight({}, type); };
  std::string x = b.input("x", Ints{1, 16, 32, 32});
  x = b.add("QLinearConv",
            {x, scale(), zero(Type::UINT8), b.weight({32, 16, 3, 3}, Type::INT8), scale(),
             zero(Type::INT8), scale(), zero(Type::UINT8), b.weight({32}, Type::INT32)});
  b.set("auto_pad", std::string("SAME_UPPER")).set("strides", Ints{2, 2});
  x = b.reshape(x, {1, 32 * 16 * 16});
  x = b.add("QLinearMatMul", {x, scale(), zero(Type::UINT8), b.weight({8192, 10}, Type::INT8),
                              scale(), zero(Type::INT8), scale(), zero(Type::UINT8)});
  const std::string y =
      b.add("ConvInteger", {b.input("y", Ints{1, 4, 8, 8}), b.weight({8, 4, 1, 1})});
  b.output(b.add("Cast", {y}));
  b.set("to", Type::FLOAT);
  b.output(b.add("MatMulInteger", {x, b.weight({10, 6}, Type::INT8)}));
  return b.bytes(x);
}

constexpr const char* kQlinear = R"(
    - name: a
      conv: {m: 32, c: 16, p: 16, q: 16, r: 3, s: 3, stride: 2}
      bits: {input: 8, weight: 8, output: {final: 8, partial: 32}}
    - name: b
      gemm: {m: 1, n: 10, k: 8192}
      bits: {input: 8, weight: 8, output: {final: 8, partial: 32}}
    - {name: c, conv: {m: 8, c: 4, p: 8, q: 8}, bits: {input: 8, weight: 8, output: 32}}
    - {name: d, gemm: {m: 1, n: 6, k: 10}, bits: {input: 8, weight: 8, output: 32}}
)";

// The same in 32-bit operators between quantizers.
std::string quantize_dequantize() {
  OnnxBuilder b(Type::FLOAT);
  const auto quantized = [&](const std::string& x, int type) {
    return b.add("QuantizeLinear", {x, b.weight({}), b.weight({}, type)});
  };
  const auto wide = [&](const std::string& x, int type) {
    return b.add("DequantizeLinear", {x, b.weight({}), b.weight({}, type)});
  };
  std::string x = wide(quantized(b.input("x", Ints{1, 16, 32, 32}), Type::UINT8), Type::UINT8);
  x = b.add("Conv", {x, wide(b.weight({32, 16, 3, 3}, Type::INT8), Type::INT8)});
  b.set("pads", Ints{1, 1, 1, 1});
  x = wide(quantized(x, Type::UINT8), Type::UINT8);
  x = b.add("Flatten", {b.add("GlobalAveragePool", {x})});
  x = wide(quantized(x, Type::UINT8), Type::UINT8);
  return b.bytes(b.add("MatMul", {x, wide(b.weight({32, 10}, Type::INT8), Type::INT8)}));
}

constexpr const char* kQuantizeDequantize = R"(
    - name: a
      conv: {m: 32, c: 16, p: 32, q: 32, r: 3, s: 3}
      bits: {input: 8, weight: 8, output: {final: 8, partial: 32}}
    - {name: b, gemm: {m: 1, n: 10, k: 32}, bits: {input: 8, weight: 8, output: 32}}
)";

// Grouped, dilated, transposed; axes that differ; a multiplier of channels.
std::string windows() {
  OnnxBuilder b;
  const std::string x = b.input("x", Ints{2, 32, 40, 60});
  std::string y = b.add("Conv", {x, b.weight({64, 8, 3, 3})});
  b.set("group", 4).set("dilations", Ints{2, 2}).set("pads", Ints{2, 2, 2, 2});
  y = b.add("Conv", {y, b.weight({64, 64, 3, 5})});
  b.set("strides", Ints{1, 2}).set("pads", Ints{1, 2, 1, 2});
  y = b.add("ConvTranspose", {y, b.weight({64, 16, 4, 4})});
  b.set("strides", Ints{2, 2}).set("pads", Ints{1, 1, 1, 1});
  y = b.add("Conv", {y, b.weight({32, 1, 3, 3})});
  b.set("group", 16);
  return b.bytes(y);
}

constexpr const char* kWindows = R"(
    - {name: a, conv: {n: 2, m: 64, c: 32, p: 40, q: 60, r: 3, s: 3, dilation: 2, groups: 4}}
    - {name: b, conv: {n: 2, m: 64, c: 64, p: 40, q: 30, r: 3, s: 5, stride: [1, 2]}}
    - {name: c, conv: {n: 2, m: 16, c: 64, p: 40, q: 30, r: 4, s: 4, stride: 2, transposed: true}}
    - {name: d, conv: {n: 2, m: 32, c: 16, p: 78, q: 58, r: 3, s: 3, groups: 16}}
)";

std::string lines_and_volumes() {
  OnnxBuilder b;
  std::string x = b.add("Conv", {b.input("sound", Ints{1, 80, 3000}), b.weight({384, 80, 3})});
  b.set("pads", Ints{1, 1}).set("strides", Ints{2});
  b.output(gelu(b, x));
  std::string y =
      b.add("Conv", {b.input("video", Ints{1, 3, 16, 112, 96}), b.weight({64, 3, 3, 7, 5})});
  b.set("pads", Ints{1, 3, 2, 1, 3, 2}).set("strides", Ints{1, 2, 2});
  return b.bytes(b.relu(y));
}

constexpr const char* kLinesAndVolumes = R"(
    - {name: line, conv: {m: 384, c: 80, p: 1500, r: 3, stride: [2, 1]}}
    - name: volume
      einsum: "Outputs[n,m,p,q,o] += Inputs[n,c,2*p+r,2*q+s,o+t] * Weights[m,c,r,s,t]"
      dims: {n: 1, m: 64, c: 3, p: 56, q: 48, o: 16, r: 7, s: 5, t: 3}
)";

// All products are einsums; one has three operands, one none that counts.
std::string einsums() {
  OnnxBuilder b;
  const std::string x = b.input("x", Ints{2, 10, 64});
  const auto einsum = [&](const Names& inputs, const char* equation) {
    const std::string result = b.add("Einsum", inputs);
    b.set("equation", std::string(equation));
    return result;
  };
  const std::string q = einsum({x, b.weight({64, 4, 16})}, "bsd,dhe->bhse");
  const std::string k = einsum({x, b.weight({64, 4, 16})}, "...d,dhe->...he");
  const std::string scores = einsum({q, k}, "bhse, bthe -> bhst");
  b.output(einsum({scores}, "bhst->bh"));
  b.output(einsum({scores, scores}, "bhst,bhst->bhst"));
  return b.bytes(einsum({x, b.weight({64, 8}), b.weight({8, 10})}, "bsd,dr,rs->bs"));
}

constexpr const char* kEinsums = R"(
    - {name: projections, gemm: {m: 20, n: 64, k: 64}, count: 2}
    - {name: scores, bmm: {b: 8, m: 10, n: 10, k: 16}}
    - name: three
      einsum: "Z[b,s] += X[b,s,d] * Y[d,r] * W[r,s]"
      dims: {b: 2, s: 10, d: 64, r: 8}
)";

// Products of every shape that broadcasting allows.
std::string products() {
  OnnxBuilder b;
  const std::string x = b.input("x", Ints{6, 5, 7, 9});
  b.output(b.add("MatMul", {x, b.input("shared", Ints{5, 9, 4})}));
  b.output(b.add("MatMul", {x, b.weight({9})}));
  b.output(b.add("MatMul", {b.weight({3, 7}), x}));
  b.output(b.add("FusedMatMul", {x, x}, "com.microsoft"));
  b.set("transB", 1);
  b.output(b.add("MatMulNBits",
                 {b.input("y", Ints{2, 8, 64}), b.weight({32, 2, 16}, Type::UINT8), b.weight({64})},
                 "com.microsoft"));
  b.set("K", 64).set("N", 32).set("bits", 4).set("block_size", 32);
  const std::string z = b.add("Gemm", {b.input("a", Ints{9, 6}), b.weight({9, 5}), b.weight({5})});
  b.set("transA", 1);
  return b.bytes(z);
}

constexpr const char* kProducts = R"(
    - {name: shared, bmm: {b: 5, m: 42, n: 4, k: 9}}
    - {name: vector, gemm: {m: 210, n: 1, k: 9}}
    - {name: left, gemm: {m: 270, n: 3, k: 7}}
    - {name: self, bmm: {b: 30, m: 7, n: 7, k: 9}}
    - {name: packed, gemm: {m: 16, n: 32, k: 64}, bits: {input: 16, weight: 4, output: 16}}
    - {name: gemm, gemm: {m: 6, n: 5, k: 9}}
)";

// Five steps of two sequences: both directions, two kinds of GRU, one that hands out its end only.
std::string recurrent() {
  OnnxBuilder b;
  const std::string x = b.input("x", Ints{5, 2, 6});
  b.output(b.add("LSTM", {x, b.weight({2, 16, 6}), b.weight({2, 16, 4}), b.weight({2, 32})}));
  b.set("hidden_size", 4).set("direction", std::string("bidirectional"));
  b.output(b.add("GRU", {x, b.weight({1, 9, 6}), b.weight({1, 9, 3})}));
  b.set("hidden_size", 3).set("direction", std::string("reverse"));
  b.output(b.add("GRU", {x, b.weight({1, 9, 6}), b.weight({1, 9, 3})}));
  b.set("hidden_size", 3).set("linear_before_reset", 1);
  b.add("RNN", {b.input("y", Ints{2, 5, 6}), b.weight({1, 4, 6}), b.weight({1, 4, 4})});
  b.set("hidden_size", 4).set("layout", 1);
  b.node().set_output(0, "");
  b.node().add_output("end");
  return b.bytes("end");
}

constexpr const char* kRecurrent = R"(
    - {name: lstm, gemm: {m: 10, n: 16, k: 6}, count: 2}
    - {name: lstm_step, gemm: {m: 2, n: 16, k: 4}, count: 10}
    - {name: gru, gemm: {m: 10, n: 9, k: 6}, count: 2}
    - {name: gru_step, gemm: {m: 2, n: 6, k: 3}, count: 5}
    - {name: gru_reset_step, gemm: {m: 2, n: 3, k: 3}, count: 5}
    - {name: other_gru_step, gemm: {m: 2, n: 9, k: 3}, count: 5}
    - {name: rnn, gemm: {m: 10, n: 4, k: 6}}
    - {name: rnn_step, gemm: {m: 2, n: 4, k: 4}, count: 5}
)";

}  // namespace

std::vector<OnnxModel> real_models() {
  OnnxOptions open;
  open.sizes = {{"batch", 1}, {"length", 128}};
  return {{"resnet50", resnet({3, 4, 6, 3}, 4), {}, "resnet50", ""},
          {"resnet18", resnet({2, 2, 2, 2}, 1), {}, "resnet18", ""},
          {"mobilenetv2", mobilenet(), {}, "mobilenetv2", ""},
          {"alexnet", alexnet(), {}, "alexnet", ""},
          {"bert-base", bert(false), {}, "bert-base-128", ""},
          {"bert-base-attention", bert(true), {}, "bert-base-128", ""},
          {"bert-base-dynamic", dynamic_bert(), open, "bert-base-128", ""},
          {"llama", llama(1024, 0, false), {}, "llama-3.2-1b-prefill-1k", ""},
          {"llama-decode", llama(1, 8191, true), {}, "llama-3.2-1b-decode-8k", ""},
          {"vit-b16", vision_transformer(), {}, "", kVisionTransformer},
          {"inception", inception(), {}, "", kInception},
          {"qlinear", qlinear(), {}, "", kQlinear},
          {"quantize-dequantize", quantize_dequantize(), {}, "", kQuantizeDequantize},
          {"windows", windows(), {}, "", kWindows},
          {"lines-and-volumes", lines_and_volumes(), {}, "", kLinesAndVolumes},
          {"einsums", einsums(), {}, "", kEinsums},
          {"products", products(), {}, "", kProducts},
          {"recurrent", recurrent(), {}, "", kRecurrent}};
}

}  // namespace tilewright::testing
