// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/model/shapes.h"

#include <algorithm>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/onnx/operators/attention.h"
#include "tilewright/onnx/operators/product.h"

namespace tilewright::onnx_import {
namespace {

using Fault = std::optional<std::string>;

const GraphTensor* tensor_at(const Graph& graph, std::size_t tensor) {
  return tensor == kAbsent ? nullptr : &graph.tensors[tensor];
}

void set(Graph& graph, std::size_t tensor, Shape shape, int type) {
  if (tensor == kAbsent) return;
  graph.tensors[tensor].shape = std::move(shape);
  graph.tensors[tensor].type = type;
}

// Normalizations that add first hand out the sum as well.
constexpr std::size_t kSumOutput = 3;

Fault first_rule(Graph& graph, const GraphNode& node) {
  const GraphTensor* first = tensor_at(graph, node.input(0));
  if (first == nullptr) return "it has no input";
  if (!first->shape) return std::nullopt;
  const Shape shape = *first->shape;
  const int type = first->type;
  set(graph, node.output(0), shape, type);
  if (node.op.starts_with("Skip")) set(graph, node.output(kSumOutput), shape, type);
  return std::nullopt;
}

Fault broadcast_rule(Graph& graph, const GraphNode& node, const std::vector<std::size_t>& inputs) {
  Shape shape;
  int type = kUnknownType;
  for (const std::size_t input : inputs) {
    const GraphTensor* tensor = tensor_at(graph, input);
    if (tensor == nullptr) continue;
    if (!tensor->shape) return std::nullopt;
    const auto both = broadcast(shape, *tensor->shape);
    if (!both) {
      return "its inputs " + shape_text(shape) + " and " + shape_text(*tensor->shape) +
             " do not fit each other";
    }
    shape = *both;
    if (type == kUnknownType) type = tensor->type;
  }
  set(graph, node.output(0), shape, type);
  return std::nullopt;
}

// Nothing if they are computed when the model runs.
std::optional<std::vector<std::int64_t>> axes_of(const Graph& graph, const GraphNode& node,
                                                 std::size_t input) {
  const GraphTensor* given = tensor_at(graph, node.input(input));
  return given == nullptr ? node.integers("axes") : given->integers;
}

Fault reduce_rule(Graph& graph, const GraphNode& node) {
  const GraphTensor* data = tensor_at(graph, node.input(0));
  if (data == nullptr) return "it has no input";
  const auto axes = axes_of(graph, node, 1);
  if (!data->shape || !axes) return std::nullopt;
  std::vector<bool> reduced(data->shape->size(),
                            axes->empty() && node.integer("noop_with_empty_axes", 0) == 0);
  for (const std::int64_t axis : *axes) {
    const auto at = axis_position(axis, reduced.size());
    if (!at) {
      return "its axis " + std::to_string(axis) + " is outside " + shape_text(*data->shape);
    }
    reduced[*at] = true;
  }
  const bool keep = node.integer("keepdims", 1) != 0;
  Shape shape;
  for (std::size_t i = 0; i < reduced.size(); ++i) {
    if (!reduced[i] || keep) shape.push_back(reduced[i] ? 1 : (*data->shape)[i]);
  }
  const int type = data->type;
  set(graph, node.output(0), std::move(shape), type);
  return std::nullopt;
}

Fault pad_rule(Graph& graph, const GraphNode& node) {
  const GraphTensor* data = tensor_at(graph, node.input(0));
  if (data == nullptr) return "it has no input";
  const GraphTensor* given = tensor_at(graph, node.input(1));
  std::optional<std::vector<std::int64_t>> pads;
  if (given != nullptr) {
    pads = given->integers;
  } else {
    pads = node.integers(node.attributes.contains("pads") ? "pads" : "paddings");
  }
  auto axes = axes_of(graph, node, 3);
  if (!data->shape || !pads || !axes) return std::nullopt;
  Shape shape = *data->shape;
  if (axes->empty()) {
    for (std::size_t i = 0; i < shape.size(); ++i) axes->push_back(static_cast<std::int64_t>(i));
  }
  if (pads->size() != 2 * axes->size()) {
    return "it has " + std::to_string(pads->size()) + " paddings for " +
           std::to_string(axes->size()) + " axes";
  }
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto at = axis_position((*axes)[i], shape.size());
    if (!at) return "its axis " + std::to_string((*axes)[i]) + " is outside " + shape_text(shape);
    shape[*at] = checked_add(shape[*at], checked_add((*pads)[i], (*pads)[i + axes->size()]));
    if (shape[*at] < 0) return "it takes away more than there is of " + shape_text(*data->shape);
  }
  const int type = data->type;
  set(graph, node.output(0), std::move(shape), type);
  return std::nullopt;
}

Fault product_rule(Graph& graph, const GraphNode& node) {
  std::string wrong;
  const auto product = find_product(graph, node, wrong);
  if (!wrong.empty()) return wrong;
  if (!product) return std::nullopt;
  const bool integers = node.op == "MatMulIntegerToFloat";
  const int type = integers ? static_cast<int>(kFloat) : graph.tensors[product->left].type;
  set(graph, node.output(0), product->shape, type);
  return std::nullopt;
}

Fault einsum_rule(Graph& graph, const GraphNode& node) {
  if (node.inputs.empty() || std::ranges::find(node.inputs, kAbsent) != node.inputs.end()) {
    return "an input is left out";
  }
  std::string wrong;
  std::map<char32_t, std::int64_t> sizes;
  const auto terms = parse_equation(graph, node, sizes, wrong);
  if (!wrong.empty()) return wrong;
  if (!terms) return std::nullopt;
  Shape shape;
  for (const char32_t dim : terms->back()) shape.push_back(sizes.at(dim));
  set(graph, node.output(0), std::move(shape), graph.tensors[node.inputs[0]].type);
  return std::nullopt;
}

Fault attention_rule(Graph& graph, const GraphNode& node) {
  std::string wrong;
  const auto attention = find_attention(graph, node, wrong);
  if (!wrong.empty()) return wrong;
  if (!attention) return std::nullopt;
  const int type = graph.tensors[node.inputs[0]].type;
  const Attention& a = *attention;
  set(graph, node.output(0), a.output(), type);
  if (a.weights != kAbsent) {
    set(graph, node.output(1), {2, a.batch, a.heads, a.tokens, a.size}, type);
  } else {
    set(graph, node.output(1), {a.batch, a.groups, a.tokens, a.size}, type);
    set(graph, node.output(2), {a.batch, a.groups, a.tokens, a.value_size}, type);
  }
  return std::nullopt;
}

// The position of the attribute `axis` in a shape; nothing, and what is wrong, if there is none.
std::optional<std::size_t> axis_of(const GraphNode& node, const Shape& shape, Fault& fault) {
  const std::int64_t axis = node.integer("axis", 0);
  const auto at = axis_position(axis, shape.size());
  if (!at) fault = "its axis " + std::to_string(axis) + " is outside " + shape_text(shape);
  return at;
}

Fault concat_rule(Graph& graph, const GraphNode& node) {
  if (node.inputs.empty() || node.integers("axis").empty()) return "it has no input or no `axis`";
  std::optional<Shape> shape;
  int type = kUnknownType;
  std::optional<std::size_t> along;
  for (const std::size_t input : node.inputs) {
    const GraphTensor* tensor = tensor_at(graph, input);
    if (tensor == nullptr) return "an input is left out";
    if (!tensor->shape) return std::nullopt;
    if (!shape) {
      Fault fault;
      shape = *tensor->shape;
      type = tensor->type;
      along = axis_of(node, *shape, fault);
      if (fault) return fault;
      continue;
    }
    Shape other = *tensor->shape;
    if (other.size() != shape->size()) {
      return "cannot join " + shape_text(*shape) + " and " + shape_text(other);
    }
    const std::int64_t more = std::exchange(other[*along], (*shape)[*along]);
    if (other != *shape) {
      return "cannot join " + shape_text(*shape) + " and " + shape_text(*tensor->shape);
    }
    (*shape)[*along] = checked_add((*shape)[*along], more);
  }
  set(graph, node.output(0), std::move(*shape), type);
  return std::nullopt;
}

// What each output gets of `size`; nothing if it is computed when the model runs.
std::optional<std::vector<std::int64_t>> parts_of(const Graph& graph, const GraphNode& node,
                                                  std::int64_t size) {
  const GraphTensor* given = tensor_at(graph, node.input(1));
  if (given != nullptr) return given->integers;
  std::vector<std::int64_t> parts = node.integers("split");
  if (!parts.empty()) return parts;
  const auto count = static_cast<std::int64_t>(node.outputs.size());
  const std::int64_t each = size / count + (size % count == 0 ? 0 : 1);
  for (std::int64_t left = size; parts.size() < node.outputs.size(); left -= parts.back()) {
    parts.push_back(std::min(each, left));
  }
  return parts;
}

Fault split_rule(Graph& graph, const GraphNode& node) {
  const GraphTensor* data = tensor_at(graph, node.input(0));
  if (data == nullptr || node.outputs.empty()) return "it has no input or no output";
  if (!data->shape) return std::nullopt;
  const Shape whole = *data->shape;
  const int type = data->type;
  Fault fault;
  const auto along = axis_of(node, whole, fault);
  if (fault) return fault;
  const auto parts = parts_of(graph, node, whole[*along]);
  if (!parts) return std::nullopt;
  std::int64_t sum = 0;
  for (const std::int64_t part : *parts) {
    if (part < 0) return "a part of its split is negative: " + shape_text(*parts);
    sum = checked_add(sum, part);
  }
  if (parts->size() != node.outputs.size() || sum != whole[*along]) {
    return "its parts " + shape_text(*parts) + " are not the " + std::to_string(whole[*along]) +
           " of " + shape_text(whole) + ", one for each of its " +
           std::to_string(node.outputs.size()) + " outputs";
  }
  for (std::size_t i = 0; i < parts->size(); ++i) {
    Shape shape = whole;
    shape[*along] = (*parts)[i];
    set(graph, node.outputs[i], std::move(shape), type);
  }
  return std::nullopt;
}

Fault tile_rule(Graph& graph, const GraphNode& node) {
  const GraphTensor* data = tensor_at(graph, node.input(0));
  const GraphTensor* repeats = tensor_at(graph, node.input(1));
  if (data == nullptr || repeats == nullptr) return "it has no input or no repeats";
  if (!data->shape || !repeats->integers) return std::nullopt;
  Shape shape = *data->shape;
  const int type = data->type;
  if (repeats->integers->size() != shape.size()) {
    return "it has " + std::to_string(repeats->integers->size()) + " repeats for " +
           shape_text(shape);
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    shape[i] = checked_mul(shape[i], (*repeats->integers)[i]);
  }
  set(graph, node.output(0), std::move(shape), type);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> apply_own_rule(Graph& graph, const GraphNode& node, ShapeRule rule) {
  switch (rule) {
    case ShapeRule::kLibrary:
      return std::nullopt;
    case ShapeRule::kElementwise:
      return broadcast_rule(graph, node, node.inputs);
    case ShapeRule::kFirst:
      return first_rule(graph, node);
    case ShapeRule::kQuantized:
      return broadcast_rule(graph, node, {node.input(0), node.input(3)});
    case ShapeRule::kReduce:
      return reduce_rule(graph, node);
    case ShapeRule::kPad:
      return pad_rule(graph, node);
    case ShapeRule::kProduct:
      return product_rule(graph, node);
    case ShapeRule::kEinsum:
      return einsum_rule(graph, node);
    case ShapeRule::kAttention:
      return attention_rule(graph, node);
    case ShapeRule::kConcat:
      return concat_rule(graph, node);
    case ShapeRule::kSplit:
      return split_rule(graph, node);
    case ShapeRule::kTile:
      return tile_rule(graph, node);
  }
  return std::nullopt;
}

}  // namespace tilewright::onnx_import
