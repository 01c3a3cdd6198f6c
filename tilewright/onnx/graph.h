// SPDX-License-Identifier: Apache-2.0
// An ONNX graph as plain values: what is left of the file once shapes are known. No header of
// libonnx or protobuf is needed to work with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::onnx_import {

/// TensorProto.DataType, as far as we look at it.
enum ElementType : int { kUnknownType = 0, kFloat = 1, kInt32 = 6, kInt64 = 7, kBool = 9 };

/// Bits of an element as it is stored; nothing for what has no fixed width (text, unknown).
std::optional<std::int64_t> bits_of_type(int type);
/// True for types that a weight may have as opposed to an index or a flag of the graph.
bool is_index_type(int type);

using Shape = std::vector<std::int64_t>;

struct GraphTensor {
  std::string name;  ///< printable
  int type = kUnknownType;
  std::optional<Shape> shape;  ///< nothing: not known
  bool constant = false;       ///< the same in every run
  bool learned = false;        ///< constant, stored in the model, and no single number
  bool result = false;         ///< an output of the model
  /// The numbers of a constant, if they are few: integers and flags, or reals.
  std::optional<std::vector<std::int64_t>> integers;
  std::optional<std::vector<float>> reals;
  std::size_t readers = 0;  ///< nodes that read it; an output of the model has one more
};

/// Numbers of an attribute INT or INTS (or of a TENSOR of few integers), text of a STRING.
struct Attribute {
  std::vector<std::int64_t> integers;
  std::string text;
};

/// Stands for an input or output that a node leaves out.
constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

struct GraphNode {
  std::string name;  ///< printable, never empty
  std::string op;
  std::string domain;                ///< "" is the standard one
  std::vector<std::size_t> inputs;   ///< in Graph::tensors, or kAbsent
  std::vector<std::size_t> outputs;  ///< likewise
  std::map<std::string, Attribute> attributes;
  bool has_subgraph = false;
  std::vector<std::string> inside;  ///< operators of its subgraphs, each once, printable

  std::size_t input(std::size_t i) const { return i < inputs.size() ? inputs[i] : kAbsent; }
  std::size_t output(std::size_t i) const { return i < outputs.size() ? outputs[i] : kAbsent; }
  std::int64_t integer(const std::string& attribute, std::int64_t otherwise) const;
  /// Empty if there is no such attribute.
  std::vector<std::int64_t> integers(const std::string& attribute) const;
  std::string text(const std::string& attribute) const;
};

struct Graph {
  std::string name;
  std::vector<GraphTensor> tensors;
  std::vector<GraphNode> nodes;  ///< in an order in which they can run
};

/// Product of the dims; nothing if it is above 2^62.
std::optional<std::int64_t> element_count(const Shape& shape);

/// The position that `axis`, which may count from the end, means among `rank`; nothing if none.
std::optional<std::size_t> axis_position(std::int64_t axis, std::size_t rank);

/// The shape of two that fit by the rules of broadcasting; nothing if they do not fit.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

/// `[1,3,224,224]`.
std::string shape_text(const Shape& shape);

}  // namespace tilewright::onnx_import
