// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/operators/attention.h"

#include "tilewright/base/checked.h"

namespace tilewright::onnx_import {
namespace {

const Shape* shape_of(const Graph& graph, std::size_t tensor) {
  if (tensor == kAbsent || !graph.tensors[tensor].shape) return nullptr;
  return &*graph.tensors[tensor].shape;
}

bool divides(std::int64_t part, std::int64_t whole) { return part > 0 && whole % part == 0; }

// Dim `dim` of a tensor of `rank` dims; 0 if it is absent.
std::int64_t dim_of(const Graph& graph, std::size_t tensor, std::size_t rank, std::size_t dim) {
  const Shape* shape = shape_of(graph, tensor);
  return shape != nullptr && shape->size() == rank ? (*shape)[dim] : 0;
}

// com.microsoft's Attention: one input, projected by one matrix for Q, K and V.
bool read_projected(const Graph& graph, const GraphNode& node, Attention& attention) {
  const Shape* input = shape_of(graph, node.input(0));
  const Shape* weights = shape_of(graph, node.input(1));
  attention.heads = node.integer("num_heads", 0);
  if (input->size() != 3 || weights->size() != 2 || (*weights)[0] != (*input)[2]) return false;
  std::vector<std::int64_t> sizes = node.integers("qkv_hidden_sizes");
  if (sizes.empty()) sizes.assign(3, (*weights)[1] / 3);
  if (sizes.size() != 3 || sizes[0] != sizes[1]) return false;
  for (const std::int64_t size : sizes) {
    if (size < 1 || size > (*weights)[1] || !divides(attention.heads, size)) return false;
  }
  if (sizes[0] + sizes[1] + sizes[2] != (*weights)[1]) return false;
  attention.operands[0] = node.input(0);
  attention.weights = node.input(1);
  attention.bias = node.input(2);
  attention.batch = (*input)[0];
  attention.queries = (*input)[1];
  attention.hidden = (*input)[2];
  attention.groups = attention.heads;
  attention.size = sizes[0] / attention.heads;
  attention.value_size = sizes[2] / attention.heads;
  attention.past = dim_of(graph, node.input(4), 5, 3);
  attention.tokens = checked_add(attention.queries, attention.past);
  return true;
}

// One of K and V: [batch, tokens, groups * size] or [batch, groups, tokens, size].
bool read_side(const Shape& shape, const Attention& attention, std::int64_t& tokens,
               std::int64_t& size) {
  if (shape[0] != attention.batch) return false;
  if (shape.size() == 4) {
    tokens = shape[2];
    size = shape[3];
    return shape[1] == attention.groups;
  }
  if (shape.size() != 3 || !divides(attention.groups, shape[2])) return false;
  tokens = shape[1];
  size = shape[2] / attention.groups;
  return true;
}

bool read_separate(const Graph& graph, const GraphNode& node, std::size_t past,
                   Attention& attention) {
  for (std::size_t i = 0; i < 3; ++i) attention.operands[i] = node.input(i);
  const Shape& query = *shape_of(graph, node.input(0));
  if (query.size() != 3 && query.size() != 4) return false;
  attention.four_dims = query.size() == 4;
  attention.batch = query[0];
  attention.queries = query[attention.four_dims ? 2 : 1];
  if (attention.four_dims) {
    attention.heads = query[1];
    attention.groups = dim_of(graph, node.input(1), 4, 1);
    attention.size = query[3];
  } else if (!divides(attention.heads, query[2])) {
    return false;
  } else {
    attention.size = query[2] / attention.heads;
  }
  if (!divides(attention.groups, attention.heads)) return false;
  std::int64_t key_size = 0;
  std::int64_t value_tokens = 0;
  const bool fine =
      read_side(*shape_of(graph, node.input(1)), attention, attention.tokens, key_size) &&
      read_side(*shape_of(graph, node.input(2)), attention, value_tokens, attention.value_size);
  attention.past = dim_of(graph, node.input(past), 4, 2);
  if (!fine || key_size != attention.size || value_tokens != attention.tokens) return false;
  attention.tokens = checked_add(attention.tokens, attention.past);
  return true;
}

// GroupQueryAttention may have Q, K and V side by side in its first input.
bool read_packed(const Graph& graph, const GraphNode& node, Attention& attention) {
  const Shape& shape = *shape_of(graph, node.input(0));
  const std::int64_t parts = checked_add(attention.heads, checked_mul(2, attention.groups));
  if (shape.size() != 3 || !divides(parts, shape[2])) return false;
  if (!divides(attention.groups, attention.heads)) return false;
  attention.operands = {node.input(0), node.input(0), node.input(0)};
  attention.batch = shape[0];
  attention.queries = shape[1];
  attention.size = shape[2] / parts;
  attention.value_size = attention.size;
  attention.past = dim_of(graph, node.input(3), 4, 2);
  attention.tokens = checked_add(attention.queries, attention.past);
  return true;
}

bool read(const Graph& graph, const GraphNode& node, Attention& attention) {
  const bool microsoft = node.domain == "com.microsoft";
  if (node.op == "Attention" && microsoft) return read_projected(graph, node, attention);
  attention.heads = node.integer(microsoft ? "num_heads" : "q_num_heads", 1);
  attention.groups = node.integer("kv_num_heads", attention.heads);
  if (attention.heads < 1 || attention.groups < 1) return false;
  if (node.op == "GroupQueryAttention") {
    return node.input(1) == kAbsent ? read_packed(graph, node, attention)
                                    : read_separate(graph, node, 3, attention);
  }
  return read_separate(graph, node, microsoft ? 6 : 4, attention);
}

}  // namespace

Shape Attention::output() const {
  if (four_dims) return {batch, heads, queries, value_size};
  return {batch, queries, checked_mul(heads, value_size)};
}

std::optional<Attention> find_attention(const Graph& graph, const GraphNode& node,
                                        std::string& wrong) {
  const bool packed = node.op == "GroupQueryAttention" && node.input(1) == kAbsent;
  const bool projected = node.op == "Attention" && node.domain == "com.microsoft";
  const std::size_t needed = packed ? 1 : projected ? 2 : 3;
  for (std::size_t i = 0; i < needed; ++i) {
    if (node.input(i) == kAbsent) {
      wrong = "its input " + std::to_string(i) + " is left out, which is not known here";
      return std::nullopt;
    }
    if (shape_of(graph, node.input(i)) == nullptr) return std::nullopt;
    if (shape_of(graph, node.input(i))->empty()) {
      wrong = "its input " + std::to_string(i) + " is a single number";
      return std::nullopt;
    }
  }
  Attention attention;
  if (!read(graph, node, attention)) {
    wrong = "its inputs and its numbers of heads do not fit each other";
    return std::nullopt;
  }
  return attention;
}

}  // namespace tilewright::onnx_import
