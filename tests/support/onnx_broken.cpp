// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "tests/support/onnx_builder.h"
#include "tests/support/onnx_models.h"

namespace tilewright::testing {
namespace {

using Type = ::onnx::TensorProto;

// A small model, and a way to break it.
template <typename Break>
std::string broken(Break change) {
  OnnxBuilder b;
  std::string x = b.relu(b.conv(b.input("x", Ints{1, 3, 8, 8}), 3, 4, 3));
  x = b.add("Flatten", {x});
  const std::string y = b.fully_connected(x, 256, 10);
  b.output(y);
  change(b);
  return b.model().SerializeAsString();
}

::onnx::AttributeProto& attribute(OnnxBuilder& b, int node, const std::string& name) {
  for (auto& each : *b.graph().mutable_node(node)->mutable_attribute()) {
    if (each.name() == name) return each;
  }
  return *b.graph().mutable_node(node)->add_attribute();
}

constexpr int kConvNode = 0;
constexpr int kReluNode = 1;
constexpr int kGemmNode = 3;

std::vector<BrokenModel> broken_graphs() {
  const auto dim = [](OnnxBuilder& b, int i) {
    return b.graph()
        .mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(i);
  };
  return {
      {"no-nodes", broken([](OnnxBuilder& b) { b.graph().clear_node(); }), {}, "N0102", "no nodes"},
      {"negative-dim",
       broken([&](OnnxBuilder& b) { dim(b, 0)->set_dim_value(-3); }),
       {},
       "N0103",
       "`x.0`"},
      {"open-dim",
       broken([&](OnnxBuilder& b) { dim(b, 0)->set_dim_param("batch"); }),
       {},
       "N0103",
       "`batch` of the input `x`"},
      {"huge-dim",
       broken([&](OnnxBuilder& b) { dim(b, 0)->set_dim_value(std::int64_t{1} << 61); }),
       {},
       "N0112",
       "above 2^31"},
      {"many-elements",
       broken([&](OnnxBuilder& b) {
         for (int i = 0; i < 4; ++i) dim(b, i)->set_dim_value(std::int64_t{1} << 30);
       }),
       {},
       "N0112",
       "2^62"},
      {"no-shape",
       broken([](OnnxBuilder& b) {
         b.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
       }),
       {},
       "N0103",
       "has no shape"},
      {"huge-rank",
       broken([&](OnnxBuilder& b) {
         for (int i = 0; i < 500; ++i) {
           b.graph().mutable_initializer(0)->add_dims(1);
         }
       }),
       {},
       "N0112",
       "504 dims"},
      {"missing-input",
       broken([](OnnxBuilder& b) { b.graph().clear_initializer(); }),
       {},
       "N0105",
       "which no earlier node produces"},
      {"cycle",
       broken([](OnnxBuilder& b) {
         b.graph().mutable_node(kConvNode)->set_input(0, b.graph().node(kReluNode).output(0));
       }),
       {},
       "N0105",
       "which no earlier node produces"},
      {"made-twice",
       broken([](OnnxBuilder& b) {
         b.graph().mutable_node(kReluNode)->set_output(0, b.graph().node(kConvNode).output(0));
       }),
       {},
       "N0106",
       "produced twice"},
      {"output-of-nobody",
       broken([](OnnxBuilder& b) { b.graph().mutable_output(0)->set_name("?"); }),
       {},
       "N0105",
       "no node produces the output"},
      {"negative-weights",
       broken([](OnnxBuilder& b) { b.graph().mutable_initializer(0)->set_dims(0, -4); }),
       {},
       "N0112",
       "negative"},
      {"unknown-size",
       broken([](OnnxBuilder&) {}),
       {.sizes = {{"batch", 4}}},
       "N0104",
       "no input has an open dim `batch`"}};
}

std::vector<BrokenModel> broken_nodes() {
  return {
      {"stride-0",
       broken([](OnnxBuilder& b) { attribute(b, kConvNode, "strides").set_ints(0, 0); }),
       {},
       "N0108",
       "`strides` is 0"},
      {"group-0",
       broken([](OnnxBuilder& b) { attribute(b, kConvNode, "group").set_i(0); }),
       {},
       "N0108",
       "`group` is 0"},
      {"group-divides-nothing",
       broken([](OnnxBuilder& b) { attribute(b, kConvNode, "group").set_i(3); }),
       {},
       "N0108",
       "with 3 groups"},
      {"pads-huge",
       broken([](OnnxBuilder& b) {
         attribute(b, kConvNode, "pads").set_ints(0, std::numeric_limits<std::int64_t>::max());
       }),
       {},
       "N0108",
       "`pads`"},
      {"pads-too-few",
       broken([](OnnxBuilder& b) { attribute(b, kConvNode, "pads").mutable_ints()->RemoveLast(); }),
       {},
       "N0108",
       "3 values, not 4"},
      {"kernel-of-other-weights",
       broken([](OnnxBuilder& b) { attribute(b, kConvNode, "kernel_shape").set_ints(0, 5); }),
       {},
       "N0108",
       "`kernel_shape`"},
      {"window-too-large",
       broken([](OnnxBuilder& b) {
         for (int i = 2; i < 4; ++i) b.graph().mutable_initializer(0)->set_dims(i, 99);
         attribute(b, kConvNode, "kernel_shape").clear_ints();
         attribute(b, kConvNode, "kernel_shape").add_ints(99);
         attribute(b, kConvNode, "kernel_shape").add_ints(99);
       }),
       {},
       "N0108",
       "does not fit into 10"},
      {"rank-of-weights",
       broken([](OnnxBuilder& b) { b.graph().mutable_initializer(0)->add_dims(3); }),
       {},
       "N0108",
       "no axes in common"},
      {"no-input",
       broken([](OnnxBuilder& b) { b.graph().mutable_node(kReluNode)->clear_input(); }),
       {},
       "N0108",
       "input size 0"},
      {"inner-sizes",
       broken([](OnnxBuilder& b) { b.graph().mutable_initializer(1)->set_dims(1, 255); }),
       {},
       "N0108",
       ""},
      {"attribute-type",
       broken([](OnnxBuilder& b) {
         attribute(b, kGemmNode, "transB").set_type(::onnx::AttributeProto::FLOAT);
         attribute(b, kGemmNode, "transB").set_f(std::nanf(""));
       }),
       {},
       "N0108",
       "attribute type"},
      {"strict-unknown",
       broken([](OnnxBuilder& b) { b.graph().mutable_node(kReluNode)->set_op_type("Magic"); }),
       {.strict = true},
       "N0109",
       "`Magic` is not known"},
      {"strict-subgraph",
       broken([](OnnxBuilder& b) {
         auto* added = b.graph().add_node();
         added->set_op_type("If");
         added->add_input("x");
         added->add_output("either");
         auto* branch = added->add_attribute();
         branch->set_name("then_branch");
         branch->set_type(::onnx::AttributeProto::GRAPH);
         branch->mutable_g()->add_node()->set_op_type("Conv");
       }),
       {.strict = true},
       "N0110",
       "graph of its own, with `Conv`"}};
}

// Sizes that no longer fit where libonnx counts them.
std::vector<BrokenModel> wrapped_sizes() {
  const auto joined = [] {
    OnnxBuilder b;
    const std::string a = b.input("a", Ints{1LL << 30, 8});
    const std::string both = b.add("Concat", {a, b.input("b", Ints{1LL << 30, 8}), a, a});
    b.set("axis", 0);
    return b.bytes(b.linear(both, 8, 8));
  };
  const auto repeated = [](std::int64_t times) {
    OnnxBuilder b;
    const std::string x = b.add("Tile", {b.input("x", Ints{2, 8}), b.integers({times, 1})});
    return b.bytes(b.linear(x, 8, 8));
  };
  const auto split = [] {
    OnnxBuilder b;
    const std::string x = b.add("Split", {b.input("x", Ints{7, 8}), b.integers({5, 3})});
    b.node().add_output("rest");
    return b.bytes(b.linear(x, 8, 8));
  };
  const auto reshaped = [](const Ints& shape) {
    OnnxBuilder b;
    return b.bytes(b.relu(b.reshape(b.input("x", Ints{2, 8}), shape)));
  };
  const auto transposed = [] {
    OnnxBuilder b;
    const std::string x =
        b.add("ConvTranspose", {b.input("x", Ints{1, 1, 1LL << 30}), b.weight({1, 1, 3})});
    b.set("strides", Ints{1LL << 30});
    return b.bytes(x);
  };
  const auto random = [] {
    OnnxBuilder b;
    const std::string x = b.add("RandomNormal", {});
    b.set("shape", Ints{1LL << 33, 8});
    return b.bytes(b.add("Add", {x, b.input("x", Ints{8})}));
  };
  const auto spread = [] {
    OnnxBuilder b;
    const std::string x = b.add("SpaceToDepth", {b.input("x", Ints{1, 3, 6, 6})});
    b.set("blocksize", 4);
    return b.bytes(x);
  };
  return {{"concat-wraps", joined(), {}, "N0108", "above 2^31: [4294967296,8]"},
          {"tile-wraps", repeated(1LL << 32), {}, "N0108", "above 2^31: [8589934592,8]"},
          {"tile-overflows", repeated(1LL << 62), {}, "N0108", "too large"},
          {"split-of-other-size", split(), {}, "N0108", "its parts [5,3] are not the 7"},
          {"reshape-to-more", reshaped({4, 8}), {}, "N0108", "[2,8] cannot become [4,8]"},
          {"reshape-wraps", reshaped({1LL << 31, 1LL << 31, 4, -1}), {}, "N0108", ""},
          {"stride-wraps", transposed(), {}, "N0108", "above 2^31"},
          {"attribute-wraps", random(), {}, "N0108", "`shape` does not fit"},
          {"blocks-left-over", spread(), {}, "N0108", "blocks of 4 x 4 do not divide"}};
}

// Recurrent nodes that are not what their weights say, and one whose steps are not known.
std::string recurrent_of(const Ints& weights, bool lengths) {
  OnnxBuilder b;
  Names inputs = {b.input("x", Ints{5, 2, 6}), b.weight(weights), b.weight({1, 16, 4})};
  if (lengths) inputs.insert(inputs.end(), {"", b.input("lengths", Ints{2}, Type::INT32)});
  const std::string y = b.add("LSTM", inputs);
  b.set("hidden_size", 4);
  return b.bytes(y);
}

std::string einsum_of(std::size_t dims) {
  OnnxBuilder b;
  std::string names;
  for (std::size_t i = 0; i < dims; ++i) names += static_cast<char>('a' + i);
  const std::string x = b.input("x", Ints(dims, 2));
  const std::string result = b.add("Einsum", {x, x, x});
  b.set("equation", names + "," + names + "," + names + "->a");
  return b.bytes(result);
}

}  // namespace

std::vector<BrokenModel> broken_models() {
  const std::string whole = broken([](OnnxBuilder&) {});
  std::string deep;
  for (int i = 0; i < 3000; ++i) deep = "\x0a\x7f" + deep.substr(0, 127);
  std::vector<BrokenModel> models = {
      {"empty", "", {}, "N0101", "no graph"},
      {"text", "workload: {gemm: {m: 1, n: 1, k: 1}}", {}, "N0101", "not an ONNX model"},
      {"checkpoint", "PK\x03\x04 archive/data.pkl", {}, "N0101", "not an ONNX model"},
      {"cut", whole.substr(0, whole.size() / 2), {}, "N0101", "not an ONNX model"},
      {"deep", "\x3a\x80\x01" + deep, {}, "N0101", "not an ONNX model"},
      {"recurrent-weights", recurrent_of({1, 12, 6}, false), {}, "N0108", "its weights [1,12,6]"},
      {"strict-lengths",
       recurrent_of({1, 16, 6}, true),
       {.strict = true},
       "N0111",
       "sequences of different lengths"},
      {"einsum-too-large", einsum_of(17), {.strict = true}, "N0111", "makes no workload"}};
  for (const auto& list : {broken_graphs(), broken_nodes(), wrapped_sizes()}) {
    models.insert(models.end(), list.begin(), list.end());
  }
  return models;
}

}  // namespace tilewright::testing
