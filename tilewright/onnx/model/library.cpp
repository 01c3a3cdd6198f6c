// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/model/library.h"

#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "tilewright/onnx/model/checks.h"
#include "tilewright/onnx/operators/operators.h"

namespace tilewright::onnx_import {
namespace {

// What a rule of libonnx sees: one node, with our shapes and with numbers that we copied.
class NodeContext final : public ::onnx::InferenceContext {
 public:
  NodeContext(const Graph& graph, const GraphNode& node, const ::onnx::NodeProto& proto)
      : outputs_(node.outputs.size()) {
    for (const auto& attribute : proto.attribute()) attributes_[attribute.name()] = &attribute;
    for (const std::size_t input : node.inputs) {
      Input& added = inputs_.emplace_back();
      if (input == kAbsent) continue;
      const GraphTensor& tensor = graph.tensors[input];
      added.there = true;
      auto* type = added.type.mutable_tensor_type();
      type->set_elem_type(tensor.type);
      type->mutable_shape();  // a single number has a shape too
      for (const std::int64_t size : *tensor.shape) {
        type->mutable_shape()->add_dim()->set_dim_value(size);
      }
      copy_numbers(tensor, added);
    }
  }

  const ::onnx::AttributeProto* getAttribute(const std::string& name) const override {
    const auto it = attributes_.find(name);
    return it == attributes_.end() ? nullptr : it->second;
  }
  std::size_t getNumInputs() const override { return inputs_.size(); }
  const ::onnx::TypeProto* getInputType(std::size_t i) const override {
    const Input& input = inputs_.at(i);
    return input.there ? &input.type : nullptr;
  }
  const ::onnx::TensorProto* getInputData(std::size_t i) const override {
    const Input& input = inputs_.at(i);
    return input.has_numbers ? &input.numbers : nullptr;
  }
  const ::onnx::TensorShapeProto* getSymbolicInput(std::size_t) const override { return nullptr; }
  const ::onnx::SparseTensorProto* getInputSparseData(std::size_t) const override {
    return nullptr;
  }
  std::size_t getNumOutputs() const override { return outputs_.size(); }
  ::onnx::TypeProto* getOutputType(std::size_t i) override { return &outputs_.at(i); }
  ::onnx::GraphInferencer* getGraphAttributeInferencer(const std::string&) override {
    return nullptr;  // nodes with subgraphs do not get here
  }

  const ::onnx::TypeProto& output(std::size_t i) const { return outputs_[i]; }

 private:
  struct Input {
    bool there = false;
    bool has_numbers = false;
    ::onnx::TypeProto type;
    ::onnx::TensorProto numbers;
  };

  static void copy_numbers(const GraphTensor& tensor, Input& input) {
    if (!tensor.integers && !tensor.reals) return;
    input.numbers.set_data_type(tensor.type);
    for (const std::int64_t size : *tensor.shape) input.numbers.add_dims(size);
    if (tensor.type == kFloat && tensor.reals) {
      for (const float value : *tensor.reals) input.numbers.add_float_data(value);
    } else if (tensor.type == kInt64 && tensor.integers) {
      for (const std::int64_t value : *tensor.integers) input.numbers.add_int64_data(value);
    } else if (tensor.type == kInt32 && tensor.integers) {
      for (const std::int64_t value : *tensor.integers) {
        input.numbers.add_int32_data(static_cast<std::int32_t>(value));
      }
    } else {
      return;
    }
    input.has_numbers = true;
  }

  std::vector<Input> inputs_;
  std::vector<::onnx::TypeProto> outputs_;
  std::map<std::string, const ::onnx::AttributeProto*> attributes_;
};

// Attributes of later versions that change no shape.
constexpr std::array<std::string_view, 8> kHarmless = {"antialias",    "block_size", "num_outputs",
                                                       "output_dtype", "precision",  "round_mode",
                                                       "saturate",     "stash_type"};

// A number that libonnx can count with; places along an axis beyond its end mean its end.
bool bound(const std::string& attribute, std::int64_t& value) {
  if (attribute == "starts" || attribute == "ends") {
    value = std::clamp(value, -2 * kLargestDim, 2 * kLargestDim);
    return true;
  }
  return std::in_range<std::int32_t>(value);
}

// A copy that the schema can check: without attributes that it does not know, numbers so small
// that sums of them fit; `fault` if one is not. False if an attribute that it does not know may
// matter.
bool adapt(const ::onnx::OpSchema& schema, const std::string& op, ::onnx::NodeProto& copy,
           std::optional<std::string>& fault) {
  copy.set_op_type(op);
  copy.clear_domain();
  for (int i = copy.attribute_size(); i-- > 0;) {
    ::onnx::AttributeProto& attribute = *copy.mutable_attribute(i);
    if (!schema.attributes().contains(attribute.name())) {
      if (std::ranges::find(kHarmless, attribute.name()) == kHarmless.end()) return false;
      copy.mutable_attribute()->DeleteSubrange(i, 1);
      continue;
    }
    std::int64_t single = attribute.i();
    bool fits = bound(attribute.name(), single);
    if (attribute.has_i()) attribute.set_i(single);
    for (auto& value : *attribute.mutable_ints()) fits = fits && bound(attribute.name(), value);
    if (!fits) fault = "a number of its `" + attribute.name() + "` does not fit in 32 bits";
  }
  return true;
}

std::optional<std::string> take_outputs(Graph& graph, const GraphNode& node,
                                        const NodeContext& context) {
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const ::onnx::TypeProto& type = context.output(i);
    if (node.outputs[i] == kAbsent || !type.has_tensor_type()) continue;
    GraphTensor& tensor = graph.tensors[node.outputs[i]];
    tensor.type = type.tensor_type().elem_type();
    if (!type.tensor_type().has_shape()) continue;
    Shape shape;
    bool open = false;
    for (const auto& dim : type.tensor_type().shape().dim()) {
      open = open || !dim.has_dim_value();
      shape.push_back(dim.dim_value());
    }
    if (open) continue;
    if (auto fault = find_shape_fault(shape)) return "its output is no tensor: " + *fault;
    tensor.shape = std::move(shape);
  }
  return std::nullopt;
}

// The same elements under another shape are as many.
std::optional<std::string> find_view_fault(Graph& graph, const GraphNode& node) {
  if (find_operator(node.domain, node.op).handling != Handling::kView) return std::nullopt;
  if (node.input(0) == kAbsent || node.output(0) == kAbsent) return std::nullopt;
  const Shape& from = *graph.tensors[node.inputs[0]].shape;
  std::optional<Shape>& to = graph.tensors[node.outputs[0]].shape;
  if (!to || element_count(from) == element_count(*to)) return std::nullopt;
  std::string fault = shape_text(from) + " cannot become " + shape_text(*to);
  to.reset();
  return fault;
}

std::int64_t newest_version() {
  const auto& versions = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto it = versions.find("");
  return it == versions.end() ? 1 : it->second.second;
}

// Without the words that libonnx puts before it.
std::string plain_message(const std::exception& error) {
  std::string text = error.what();
  if (text.starts_with('[')) text.erase(0, std::min(text.size(), text.find(']') + 1));
  const std::size_t start = text.find_first_not_of(" :");
  text = text.substr(start == std::string::npos ? 0 : start, 200);
  std::ranges::replace(text, '\n', ' ');
  while (text.ends_with(' ') || text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::optional<std::string> apply_library_rule(Graph& graph, const GraphNode& node,
                                              const ::onnx::NodeProto& proto, const std::string& op,
                                              std::int64_t version) {
  for (const std::size_t input : node.inputs) {
    if (input == kAbsent) continue;
    const GraphTensor& tensor = graph.tensors[input];
    if (!tensor.shape || tensor.type == kUnknownType) return std::nullopt;
  }
  if (auto fault = find_node_fault(graph, node, op)) return fault;
  const auto* schema = ::onnx::OpSchemaRegistry::Schema(
      op, static_cast<int>(std::clamp<std::int64_t>(version, 1, 10'000)), "");
  if (schema == nullptr) return std::nullopt;
  ::onnx::NodeProto copy = proto;
  std::optional<std::string> large;
  if (!adapt(*schema, op, copy, large)) return std::nullopt;
  if (large) return large;
  try {
    schema->Verify(copy);
  } catch (const std::exception& error) {
    // A version that libonnx does not know may allow it.
    if (version > newest_version()) return std::nullopt;
    return plain_message(error);
  }
  if (!schema->has_type_and_shape_inference_function()) return std::nullopt;
  NodeContext context(graph, node, copy);
  try {
    schema->GetTypeAndShapeInferenceFunction()(context);
  } catch (const std::exception& error) {
    return plain_message(error);
  }
  auto fault = take_outputs(graph, node, context);
  return fault ? fault : find_view_fault(graph, node);
}

}  // namespace tilewright::onnx_import
