// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/model/model.h"

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <unordered_map>

#include "tilewright/base/error.h"
#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/onnx/model/checks.h"
#include "tilewright/onnx/model/library.h"
#include "tilewright/onnx/model/shapes.h"
#include "tilewright/onnx/operators/operators.h"

namespace tilewright::onnx_import {
namespace {

constexpr int kMostReals = 64;

std::string short_name(const std::string& name) { return printable(name.substr(0, 200)); }

bool is_standard(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

// The elements of a tensor that lie in its raw bytes or in a list of its type.
template <typename Element, typename List, typename Result>
std::optional<std::vector<Result>> elements(const ::onnx::TensorProto& proto, const List& list,
                                            std::size_t count) {
  std::vector<Result> values(count);
  if (proto.has_raw_data()) {
    if (proto.raw_data().size() != count * sizeof(Element)) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
      Element element;
      std::memcpy(&element, proto.raw_data().data() + i * sizeof(Element), sizeof(Element));
      values[i] = static_cast<Result>(element);
    }
    return values;
  }
  if (static_cast<std::size_t>(list.size()) != count) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<Result>(list[static_cast<int>(i)]);
  return values;
}

void take_numbers(const ::onnx::TensorProto& proto, GraphTensor& tensor) {
  const auto count = element_count(*tensor.shape);
  if (!count || *count > static_cast<std::int64_t>(kMostIntegers)) return;
  if (proto.data_location() == ::onnx::TensorProto::EXTERNAL) return;
  const auto n = static_cast<std::size_t>(*count);
  using Integer = std::int64_t;
  if (tensor.type == kInt64) {
    tensor.integers =
        elements<std::int64_t, decltype(proto.int64_data()), Integer>(proto, proto.int64_data(), n);
  } else if (tensor.type == kInt32) {
    tensor.integers =
        elements<std::int32_t, decltype(proto.int32_data()), Integer>(proto, proto.int32_data(), n);
  } else if (tensor.type == kBool) {
    tensor.integers =
        elements<std::int8_t, decltype(proto.int32_data()), Integer>(proto, proto.int32_data(), n);
  } else if (tensor.type == kFloat && n <= kMostReals) {
    tensor.reals =
        elements<float, decltype(proto.float_data()), float>(proto, proto.float_data(), n);
  }
}

class ModelReader {
 public:
  ModelReader(const OnnxOptions& options, Problems& problems)
      : options_(options), problems_(problems) {}

  std::optional<Graph> read(std::string_view bytes) {
    if (!parse(bytes)) return std::nullopt;
    graph_.name = short_name(model_.graph().name());
    for (const auto& opset : model_.opset_import()) {
      const std::string domain = is_standard(opset.domain()) ? "" : opset.domain();
      versions_[domain] = opset.version();
    }
    collect_reads(model_.graph(), 0);
    add_initializers();
    const bool sizes_known = add_inputs();
    add_declared();
    if (!sizes_known) return std::nullopt;
    for (int i = 0; i < model_.graph().node_size(); ++i) add_node(model_.graph().node(i), i);
    check_outputs();
    return std::move(graph_);
  }

 private:
  bool parse(std::string_view bytes) {
    // It would print on its own about what we report.
    const google::protobuf::LogSilencer silence;
    const bool parsed =
        bytes.size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) &&
        model_.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
    if (!parsed || !model_.has_graph()) {
      Diagnostic& found = problems_.error(
          "N0101", parsed ? "the file has no graph: it is not an ONNX model"
                          : "the file is not an ONNX model, or it is damaged or larger than 2 GiB");
      if (bytes.starts_with("PK")) {
        found.helps.emplace_back("it looks like a checkpoint: export it with torch.onnx.export");
      } else if (bytes.starts_with("version https://git-lfs")) {
        found.helps.emplace_back("it is only a pointer: `git lfs pull` fetches the model");
      }
      return false;
    }
    if (model_.graph().node_size() > 0) return true;
    problems_.error("N0102", "the graph has no nodes");
    return false;
  }

  // Who reads what, subgraphs included.
  void collect_reads(const ::onnx::GraphProto& graph, int depth) {
    if (depth > 100) return;  // protobuf does not go deeper either
    for (const auto& node : graph.node()) {
      for (const std::string& input : node.input()) ++reads_[input];
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) collect_reads(attribute.g(), depth + 1);
        for (const auto& inner : attribute.graphs()) collect_reads(inner, depth + 1);
      }
    }
    for (const auto& output : graph.output()) ++reads_[output.name()];
  }

  // Which operators a graph has, each once; a few are enough to know it by.
  static void collect_operators(const ::onnx::GraphProto& graph, std::vector<std::string>& names,
                                int depth) {
    for (const auto& node : graph.node()) {
      const std::string name = short_name(node.op_type());
      const bool known = std::ranges::find(names, name) != names.end();
      if (!known && names.size() < 8 && !name.empty()) names.push_back(name);
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g() && depth < 100) collect_operators(attribute.g(), names, depth + 1);
      }
    }
  }

  // Nothing, with a finding, if there is one of that name already.
  std::optional<std::size_t> add_tensor(const std::string& name) {
    if (!by_name_.emplace(name, graph_.tensors.size()).second) {
      problems_.error("N0106", fmt::format("the tensor {} is produced twice", in_backticks(name)));
      return std::nullopt;
    }
    graph_.tensors.push_back({.name = short_name(name), .readers = reads_[name]});
    return graph_.tensors.size() - 1;
  }

  void set_constant(GraphTensor& tensor, const ::onnx::TensorProto& proto) {
    tensor.constant = true;
    tensor.type = proto.data_type();
    Shape shape(proto.dims().begin(), proto.dims().end());
    if (const auto fault = find_shape_fault(shape)) {
      problems_.error("N0112",
                      fmt::format("{} is not a tensor: {}", in_backticks(tensor.name), *fault));
      return;
    }
    tensor.learned = !shape.empty();
    tensor.shape = std::move(shape);
    take_numbers(proto, tensor);
  }

  void add_initializers() {
    for (const auto& proto : model_.graph().initializer()) {
      const auto id = add_tensor(proto.name());
      if (!id) continue;
      set_constant(graph_.tensors[*id], proto);
    }
    for (const auto& proto : model_.graph().sparse_initializer()) {
      const auto id = add_tensor(proto.values().name());
      if (!id) continue;
      ::onnx::TensorProto dense;  // its shape; the values are of another
      dense.set_data_type(proto.values().data_type());
      *dense.mutable_dims() = proto.dims();
      dense.set_data_location(::onnx::TensorProto::EXTERNAL);
      set_constant(graph_.tensors[*id], dense);
    }
  }

  // The size of dim `i` of a tensor; nothing if it is open. Names that could be set go to `names`.
  std::optional<std::int64_t> size_of(const std::string& tensor, int i,
                                      const ::onnx::TensorShapeProto::Dimension& dim) {
    if (dim.has_dim_value() && dim.dim_value() >= 0) return dim.dim_value();
    const std::string place = fmt::format("{}.{}", tensor, i);
    for (const std::string& name : {dim.dim_param(), place}) {
      if (name.empty()) continue;
      settable_.insert(name);
      const auto it = options_.sizes.find(name);
      if (it == options_.sizes.end()) continue;
      used_.insert(name);
      return it->second;
    }
    return std::nullopt;
  }

  bool add_inputs() {
    bool known = true;
    for (const auto& input : model_.graph().input()) {
      if (by_name_.contains(input.name())) continue;  // an initializer is its value
      const auto id = add_tensor(input.name());
      if (!id) continue;
      GraphTensor& tensor = graph_.tensors[*id];
      if (!input.type().has_tensor_type()) continue;
      const auto& type = input.type().tensor_type();
      tensor.type = type.elem_type();
      Shape shape;
      std::vector<std::string> open;  // dims of this input
      for (int i = 0; i < type.shape().dim_size(); ++i) {
        const auto size = size_of(input.name(), i, type.shape().dim(i));
        shape.push_back(size.value_or(1));
        if (size) continue;
        const std::string& name = type.shape().dim(i).dim_param();
        open.push_back(name.empty() ? fmt::format("{}.{}", input.name(), i) : name);
      }
      if (tensor.readers == 0) continue;
      if (!type.has_shape()) {
        known = false;
        problems_
            .error("N0103", fmt::format("the input {} has no shape", in_backticks(input.name())))
            .helps.emplace_back("export the model with the shapes of its inputs");
      }
      for (const std::string& name : open) {
        known = false;
        report_open(input.name(), name);
      }
      if (const auto fault = find_shape_fault(shape)) {
        known = false;
        problems_.error("N0112", fmt::format("the input {} is not a tensor: {}",
                                             in_backticks(input.name()), *fault));
      }
      if (type.has_shape()) tensor.shape = std::move(shape);
    }
    return check_sizes() && known;
  }

  void report_open(const std::string& input, const std::string& name) {
    const std::string message = fmt::format("the dim {} of the input {} has no size",
                                            in_backticks(name), in_backticks(input));
    problems_.error("N0103", message)
        .helps.push_back(fmt::format("`--set {}=1`, for example", printable(name.substr(0, 60))));
  }

  bool check_sizes() {
    const std::vector<std::string> names(settable_.begin(), settable_.end());
    bool fine = true;
    for (const auto& [name, size] : options_.sizes) {
      if (used_.contains(name)) continue;
      fine = false;
      Diagnostic& found =
          problems_.error("N0104", fmt::format("no input has an open dim {}", in_backticks(name)));
      if (const auto meant = nearest(name, names)) {
        found.helps.push_back("did you mean " + in_backticks(*meant) + "?");
      } else if (!names.empty()) {
        found.notes.push_back("open are " + join_names(names, "and"));
      } else {
        found.notes.emplace_back("all sizes are in the model");
      }
    }
    return fine;
  }

  // Shapes that the file states for tensors inside.
  void add_declared() {
    for (const auto* list : {&model_.graph().value_info(), &model_.graph().output()}) {
      for (const auto& info : *list) {
        if (!info.type().has_tensor_type() || !info.type().tensor_type().has_shape()) continue;
        const auto& type = info.type().tensor_type();
        GraphTensor stated{.type = type.elem_type()};
        Shape shape;
        bool open = false;
        for (const auto& dim : type.shape().dim()) {
          const auto set = options_.sizes.find(dim.dim_param());
          const bool has_size = dim.has_dim_value() && dim.dim_value() >= 0;
          if (!has_size && set == options_.sizes.end()) open = true;
          shape.push_back(has_size                      ? dim.dim_value()
                          : set == options_.sizes.end() ? 1
                                                        : set->second);
        }
        if (!open && !find_shape_fault(shape)) stated.shape = std::move(shape);
        declared_[info.name()] = std::move(stated);
      }
    }
  }

  Attribute read_attribute(const ::onnx::AttributeProto& proto) {
    Attribute attribute;
    attribute.text = proto.s().substr(0, kMostIntegers);
    if (proto.ints_size() > 0) {
      if (proto.ints_size() <= static_cast<int>(kMostIntegers)) {
        attribute.integers.assign(proto.ints().begin(), proto.ints().end());
      }
    } else if (proto.has_i()) {
      attribute.integers = {proto.i()};
    } else if (proto.has_t()) {
      GraphTensor tensor{.type = proto.t().data_type()};
      tensor.shape.emplace(proto.t().dims().begin(), proto.t().dims().end());
      if (!find_shape_fault(*tensor.shape)) take_numbers(proto.t(), tensor);
      if (tensor.integers) attribute.integers = *tensor.integers;
    }
    return attribute;
  }

  void add_node(const ::onnx::NodeProto& proto, int index) {
    GraphNode node;
    node.op = short_name(proto.op_type());
    node.name =
        proto.name().empty() ? fmt::format("{}_{}", node.op, index) : short_name(proto.name());
    node.domain = is_standard(proto.domain()) ? "" : short_name(proto.domain());
    for (const auto& attribute : proto.attribute()) {
      node.attributes[attribute.name()] = read_attribute(attribute);
      node.has_subgraph = node.has_subgraph || attribute.has_g() || attribute.graphs_size() > 0;
      if (attribute.has_g()) collect_operators(attribute.g(), node.inside, 0);
      for (const auto& inner : attribute.graphs()) collect_operators(inner, node.inside, 0);
    }
    bool sound = true;
    for (const std::string& name : proto.input()) {
      const auto it = by_name_.find(name);
      if (!name.empty() && it == by_name_.end()) {
        sound = false;
        problems_.node_error(
            "N0105", node,
            fmt::format("reads {}, which no earlier node produces", in_backticks(name)));
      }
      node.inputs.push_back(name.empty() || it == by_name_.end() ? kAbsent : it->second);
    }
    for (const std::string& name : proto.output()) {
      node.outputs.push_back(name.empty() ? kAbsent : add_tensor(name).value_or(kAbsent));
    }
    if (sound) set_outputs(node, proto);
    graph_.nodes.push_back(std::move(node));
  }

  void set_outputs(const GraphNode& node, const ::onnx::NodeProto& proto) {
    if (node.op == "Constant" && node.domain.empty()) {
      set_constant_node(node, proto);
      return;
    }
    const Operator meaning = find_operator(node.domain, node.op);
    if (const auto fault = infer(node, proto, meaning)) problems_.node_error("N0108", node, *fault);
    const bool constant = !node.has_subgraph && !node.op.starts_with("Random") &&
                          !node.inputs.empty() &&
                          std::ranges::all_of(node.inputs, [&](std::size_t input) {
                            return input == kAbsent || graph_.tensors[input].constant;
                          });
    const bool learned = std::ranges::any_of(node.inputs, [&](std::size_t input) {
      return input != kAbsent && graph_.tensors[input].learned;
    });
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == kAbsent) continue;
      GraphTensor& tensor = graph_.tensors[node.outputs[i]];
      merge_declared(proto.output(static_cast<int>(i)), tensor);
      tensor.constant = constant || (meaning.handling == Handling::kShape && tensor.shape);
      tensor.learned = constant && learned;
    }
    fold_integers(graph_, node);
    if (node.output(0) != kAbsent) {
      GraphTensor& first = graph_.tensors[node.outputs[0]];
      first.constant = first.constant || first.integers;
    }
  }

  std::optional<std::string> infer(const GraphNode& node, const ::onnx::NodeProto& proto,
                                   const Operator& meaning) {
    if (meaning.handling == Handling::kUnknown || meaning.handling == Handling::kSubgraph ||
        node.has_subgraph) {
      return std::nullopt;
    }
    try {
      const bool elementwise = meaning.rule == ShapeRule::kElementwise;
      if (!elementwise && meaning.rule != ShapeRule::kLibrary) {
        return checked(node, apply_own_rule(graph_, node, meaning.rule));
      }
      const auto version = versions_.find("");
      auto fault = apply_library_rule(graph_, node, proto, meaning.like ? meaning.like : node.op,
                                      version == versions_.end() ? 13 : version->second);
      const bool open = node.output(0) != kAbsent && !graph_.tensors[node.outputs[0]].shape;
      if (!fault && open && elementwise) {
        return checked(node, apply_own_rule(graph_, node, meaning.rule));
      }
      return fault;
    } catch (const OverflowError&) {
      return "its sizes are too large";
    }
  }

  // Shapes that our own rules made.
  std::optional<std::string> checked(const GraphNode& node, std::optional<std::string> fault) {
    for (const std::size_t output : node.outputs) {
      if (fault || output == kAbsent || !graph_.tensors[output].shape) continue;
      fault = find_shape_fault(*graph_.tensors[output].shape);
      if (fault) graph_.tensors[output].shape.reset();
    }
    return fault;
  }

  void merge_declared(const std::string& name, GraphTensor& tensor) {
    const auto it = declared_.find(name);
    if (it == declared_.end()) return;
    const GraphTensor& stated = it->second;
    if (tensor.type == kUnknownType) tensor.type = stated.type;
    if (!tensor.shape) {
      tensor.shape = stated.shape;
    } else if (stated.shape && *stated.shape != *tensor.shape) {
      Diagnostic& found = problems_.warning(
          "N0114", fmt::format("the model states that {} is {}, but it is {}", in_backticks(name),
                               shape_text(*stated.shape), shape_text(*tensor.shape)));
      found.notes.emplace_back("the second follows from the inputs and is used");
    }
  }

  void set_constant_node(const GraphNode& node, const ::onnx::NodeProto& proto) {
    if (node.output(0) == kAbsent) return;
    GraphTensor& tensor = graph_.tensors[node.outputs[0]];
    tensor.constant = true;
    for (const auto& attribute : proto.attribute()) {
      if (attribute.name() == "value") {
        set_constant(tensor, attribute.t());
        return;
      }
      ::onnx::TensorProto made;
      made.set_data_type(attribute.name().starts_with("value_float") ? kFloat : kInt64);
      *made.mutable_float_data() = attribute.floats();
      *made.mutable_int64_data() = attribute.ints();
      if (attribute.name() == "value_float") made.add_float_data(attribute.f());
      if (attribute.name() == "value_int") made.add_int64_data(attribute.i());
      if (attribute.name() == "value_floats") made.add_dims(attribute.floats_size());
      if (attribute.name() == "value_ints") made.add_dims(attribute.ints_size());
      set_constant(tensor, made);
    }
  }

  void check_outputs() {
    for (const auto& output : model_.graph().output()) {
      const auto it = by_name_.find(output.name());
      if (it != by_name_.end()) {
        graph_.tensors[it->second].result = true;
        continue;
      }
      problems_.error("N0105", fmt::format("no node produces the output {} of the model",
                                           in_backticks(output.name())));
    }
  }

  const OnnxOptions& options_;
  Problems& problems_;
  ::onnx::ModelProto model_;
  Graph graph_;
  std::map<std::string, std::int64_t> versions_;  // of the operators, by domain
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<std::string, std::size_t> reads_;
  std::unordered_map<std::string, GraphTensor> declared_;
  std::set<std::string> settable_;
  std::set<std::string> used_;
};

}  // namespace

std::optional<Graph> read_graph(std::string_view bytes, const OnnxOptions& options,
                                Problems& problems) {
  return ModelReader(options, problems).read(bytes);
}

}  // namespace tilewright::onnx_import
