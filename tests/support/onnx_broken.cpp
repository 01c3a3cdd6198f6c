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
       "above 2^40"},
      {"many-elements",
       broken([&](OnnxBuilder& b) {
         for (int i = 0; i < 4; ++i) dim(b, i)->set_dim_value(std::int64_t{1} << 40);
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
       "which no node before it makes"},
      {"cycle",
       broken([](OnnxBuilder& b) {
         b.graph().mutable_node(kConvNode)->set_input(0, b.graph().node(kReluNode).output(0));
       }),
       {},
       "N0105",
       "which no node before it makes"},
      {"made-twice",
       broken([](OnnxBuilder& b) {
         b.graph().mutable_node(kReluNode)->set_output(0, b.graph().node(kConvNode).output(0));
       }),
       {},
       "N0106",
       "made twice"},
      {"output-of-nobody",
       broken([](OnnxBuilder& b) { b.graph().mutable_output(0)->set_name("?"); }),
       {},
       "N0105",
       "made by no node"},
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
       "graph of its own"}};
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
      {"text", "workload: {gemm: {m: 1, n: 1, k: 1}}", {}, "N0101", "no ONNX model"},
      {"checkpoint", "PK\x03\x04 archive/data.pkl", {}, "N0101", "no ONNX model"},
      {"cut", whole.substr(0, whole.size() / 2), {}, "N0101", "no ONNX model"},
      {"deep", "\x3a\x80\x01" + deep, {}, "N0101", "no ONNX model"},
      {"einsum-too-large", einsum_of(17), {.strict = true}, "N0111", "makes no workload"}};
  for (const auto& list : {broken_graphs(), broken_nodes()}) {
    models.insert(models.end(), list.begin(), list.end());
  }
  return models;
}

namespace {

class Spoiler {
 public:
  Spoiler(::onnx::ModelProto& model, Random& random)
      : graph_(*model.mutable_graph()), model_(model), random_(random) {}

  void change() {
    switch (random_.between(0, 11)) {
      case 0:
        return change_attribute();
      case 1:
        return change_attribute();
      case 2:
        return change_dims(graph_.initializer_size(), [&](int i, int d, std::int64_t size) {
          auto* tensor = graph_.mutable_initializer(i);
          if (d < tensor->dims_size()) tensor->set_dims(d, size);
          if (random_.one_in(8)) tensor->add_dims(size);
        });
      case 3:
        return change_dims(graph_.input_size(), [&](int i, int d, std::int64_t size) {
          auto* shape =
              graph_.mutable_input(i)->mutable_type()->mutable_tensor_type()->mutable_shape();
          if (d < shape->dim_size()) shape->mutable_dim(d)->set_dim_value(size);
          if (random_.one_in(8)) shape->add_dim()->set_dim_value(size);
        });
      case 4:
        return change_type();
      case 5:
        return change_input();
      case 6:
        if (auto* node = any_node()) node->set_op_type(any_op());
        return;
      case 7:
        if (auto* node = any_node()) *graph_.add_node() = *node;
        return;
      case 8:
        if (graph_.node_size() > 0)
          graph_.mutable_node()->DeleteSubrange(pick(graph_.node_size()), 1);
        return;
      case 9:
        if (auto* node = any_node()) node->set_domain(random_.one_in(2) ? "com.microsoft" : "");
        return;
      case 10:
        return change_numbers();
      default:
        for (auto& opset : *model_.mutable_opset_import())
          opset.set_version(random_.between(1, 24));
    }
  }

 private:
  int pick(int count) { return static_cast<int>(random_.between(0, count - 1)); }

  std::int64_t number() {
    static constexpr std::int64_t kNumbers[] = {0,
                                                1,
                                                -1,
                                                2,
                                                3,
                                                4,
                                                7,
                                                -2,
                                                16,
                                                64,
                                                65536,
                                                2147483648,
                                                1LL << 40,
                                                std::numeric_limits<std::int64_t>::max(),
                                                std::numeric_limits<std::int64_t>::min()};
    return kNumbers[pick(std::size(kNumbers))];
  }

  ::onnx::NodeProto* any_node() {
    return graph_.node_size() == 0 ? nullptr : graph_.mutable_node(pick(graph_.node_size()));
  }

  std::string any_op() {
    static constexpr const char* kOps[] = {"Conv",
                                           "ConvTranspose",
                                           "MaxPool",
                                           "AveragePool",
                                           "LpPool",
                                           "Gemm",
                                           "MatMul",
                                           "Einsum",
                                           "Reshape",
                                           "Transpose",
                                           "Concat",
                                           "Split",
                                           "Slice",
                                           "Gather",
                                           "GatherElements",
                                           "GatherND",
                                           "Squeeze",
                                           "Unsqueeze",
                                           "Expand",
                                           "Tile",
                                           "Pad",
                                           "Resize",
                                           "Upsample",
                                           "ReduceSum",
                                           "ReduceMean",
                                           "ArgMax",
                                           "TopK",
                                           "OneHot",
                                           "Range",
                                           "ConstantOfShape",
                                           "Shape",
                                           "Size",
                                           "Where",
                                           "Cast",
                                           "Softmax",
                                           "LayerNormalization",
                                           "BatchNormalization",
                                           "Attention",
                                           "MultiHeadAttention",
                                           "GroupQueryAttention",
                                           "QLinearConv",
                                           "QLinearMatMul",
                                           "ConvInteger",
                                           "MatMulInteger",
                                           "MatMulNBits",
                                           "FusedMatMul",
                                           "QuantizeLinear",
                                           "DequantizeLinear",
                                           "DepthToSpace",
                                           "SpaceToDepth",
                                           "Flatten",
                                           "GlobalAveragePool",
                                           "GridSample",
                                           "RoiAlign",
                                           "MaxRoiPool",
                                           "MaxUnpool",
                                           "NonZero",
                                           "NonMaxSuppression",
                                           "ScatterND",
                                           "ScatterElements",
                                           "Compress",
                                           "CumSum",
                                           "EyeLike",
                                           "If",
                                           "Loop",
                                           "Scan",
                                           "Constant",
                                           "Dropout",
                                           "Trilu",
                                           "InstanceNormalization",
                                           "LRN",
                                           "Hardmax",
                                           "RandomNormalLike",
                                           "Multinomial",
                                           "Bernoulli",
                                           "Unique",
                                           "ReverseSequence",
                                           "DynamicQuantizeLinear",
                                           "Identity",
                                           "Mul",
                                           "PRelu",
                                           "Clip",
                                           "QGemm",
                                           "QLinearAdd",
                                           "SkipLayerNormalization",
                                           "Magic"};
    return kOps[pick(std::size(kOps))];
  }

  void change_attribute() {
    auto* node = any_node();
    if (node == nullptr) return;
    static constexpr const char* kNames[] = {"axis",
                                             "axes",
                                             "perm",
                                             "pads",
                                             "strides",
                                             "dilations",
                                             "kernel_shape",
                                             "group",
                                             "auto_pad",
                                             "keepdims",
                                             "transA",
                                             "transB",
                                             "to",
                                             "num_heads",
                                             "kv_num_heads",
                                             "K",
                                             "N",
                                             "bits",
                                             "blocksize",
                                             "ceil_mode",
                                             "output_shape",
                                             "output_padding",
                                             "split",
                                             "starts",
                                             "ends",
                                             "equation",
                                             "output_height",
                                             "allowzero",
                                             "batch_dims",
                                             "value",
                                             "scales",
                                             "mode",
                                             "pooled_shape",
                                             "num_outputs",
                                             "exclusive",
                                             "k",
                                             "dtype",
                                             "shape"};
    if (node->attribute_size() > 0 && random_.one_in(6)) {
      node->mutable_attribute()->DeleteSubrange(pick(node->attribute_size()), 1);
      return;
    }
    const bool known = node->attribute_size() > 0 && !random_.one_in(3);
    auto* attribute =
        known ? node->mutable_attribute(pick(node->attribute_size())) : node->add_attribute();
    if (!known) {
      attribute->set_name(kNames[pick(std::size(kNames))]);
      attribute->set_type(static_cast<::onnx::AttributeProto::AttributeType>(
          random_.one_in(2) ? ::onnx::AttributeProto::INTS : ::onnx::AttributeProto::INT));
    }
    attribute->set_i(number());
    if (attribute->ints_size() > 0 && random_.one_in(2)) {
      attribute->set_ints(pick(attribute->ints_size()), number());
    } else {
      for (std::int64_t i = random_.between(0, 4); i > 0; --i) attribute->add_ints(number());
    }
    if (random_.one_in(4)) attribute->set_s(random_.one_in(2) ? "SAME_UPPER" : "a...b,...b->a");
    if (random_.one_in(8)) attribute->set_f(std::nanf(""));
    if (random_.one_in(8)) attribute->mutable_t()->add_dims(number());
  }

  template <typename Set>
  void change_dims(int count, Set set) {
    if (count > 0) set(pick(count), pick(5), number());
  }

  void change_type() {
    const int type = static_cast<int>(random_.between(0, 25));
    if (graph_.initializer_size() > 0 && random_.one_in(2)) {
      graph_.mutable_initializer(pick(graph_.initializer_size()))->set_data_type(type);
    } else if (graph_.input_size() > 0) {
      graph_.mutable_input(pick(graph_.input_size()))
          ->mutable_type()
          ->mutable_tensor_type()
          ->set_elem_type(type);
    }
  }

  // Another tensor, none, or one more or less.
  void change_input() {
    auto* node = any_node();
    const auto* other = any_node();
    if (node == nullptr) return;
    std::string name;
    if (graph_.initializer_size() > 0 && random_.one_in(2)) {
      name = graph_.initializer(pick(graph_.initializer_size())).name();
    } else if (other->output_size() > 0 && !random_.one_in(4)) {
      name = other->output(0);
    }
    if (node->input_size() > 0 && random_.one_in(4)) {
      node->mutable_input()->RemoveLast();
    } else if (node->input_size() > 0 && !random_.one_in(4)) {
      node->set_input(pick(node->input_size()), name);
    } else {
      node->add_input(name);
    }
    if (random_.one_in(6)) node->add_output("extra" + std::to_string(random_.between(0, 999)));
  }

  void change_numbers() {
    for (auto& tensor : *graph_.mutable_initializer()) {
      if (tensor.int64_data_size() == 0 || random_.one_in(2)) continue;
      tensor.set_int64_data(pick(tensor.int64_data_size()), number());
      if (random_.one_in(8)) tensor.set_raw_data("12345");
    }
  }

  ::onnx::GraphProto& graph_;
  ::onnx::ModelProto& model_;
  Random& random_;
};

}  // namespace

std::string spoil(const std::string& bytes, Random& random) {
  ::onnx::ModelProto model;
  if (!random.one_in(4) && model.ParseFromString(bytes)) {
    Spoiler spoiler(model, random);
    for (std::int64_t i = random.between(1, 6); i > 0; --i) spoiler.change();
    return model.SerializeAsString();
  }
  std::string text = bytes;
  for (std::int64_t edits = random.between(1, 4); edits > 0 && !text.empty(); --edits) {
    const auto at =
        static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(text.size()) - 1));
    if (random.one_in(4)) {
      text.erase(at, static_cast<std::size_t>(random.between(1, 8)));
    } else if (random.one_in(3)) {
      text.insert(at, text.substr(at, 16));
    } else {
      text[at] = static_cast<char>(random.between(0, 255));
    }
  }
  return text;
}

}  // namespace tilewright::testing
