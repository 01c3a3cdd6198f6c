// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "tests/support/onnx_builder.h"
#include "tests/support/onnx_models.h"

namespace tilewright::testing {
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
                                           "LSTM",
                                           "GRU",
                                           "RNN",
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
