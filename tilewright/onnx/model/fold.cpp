// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <utility>

#include "tilewright/onnx/model/shapes.h"

namespace tilewright::onnx_import {
namespace {

using Values = std::vector<std::int64_t>;

// A constant with its numbers.
struct Known {
  const Shape& shape;
  const Values& values;
};

std::optional<Known> known(const Graph& graph, std::size_t tensor) {
  if (tensor == kAbsent) return std::nullopt;
  const GraphTensor& t = graph.tensors[tensor];
  if (!t.shape || !t.integers) return std::nullopt;
  if (element_count(*t.shape) != static_cast<std::int64_t>(t.integers->size())) return std::nullopt;
  return Known{*t.shape, *t.integers};
}

// Where the element `index` of `out` comes from in an array of `shape` that is broadcast to it.
std::size_t source(const Shape& out, std::size_t index, const Shape& shape) {
  std::size_t result = 0;
  std::size_t step = 1;
  for (std::size_t i = out.size(); i-- > 0;) {
    const auto size = static_cast<std::size_t>(out[i]);
    const std::size_t at = index % size;
    index /= size;
    const std::size_t from_end = out.size() - i;
    if (from_end > shape.size()) continue;
    const auto own = static_cast<std::size_t>(shape[shape.size() - from_end]);
    if (own != 1) result += at * step;
    step *= own;
  }
  return result;
}

bool fits(const Shape& shape, const Shape& out) { return broadcast(shape, out) == out; }

// Nothing where a number does not fit or has no quotient.
std::optional<std::int64_t> apply(const std::string& op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (op == "Add") {
    if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  } else if (op == "Sub") {
    if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  } else if (op == "Mul") {
    if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  } else if (op == "Div" || op == "Mod") {
    if (b == 0 || b == -1) return std::nullopt;
    result = op == "Div" ? a / b : a % b;
    if (op == "Mod" && result != 0 && (result < 0) != (b < 0)) result += b;
  } else if (op == "Min" || op == "Max") {
    result = op == "Min" ? std::min(a, b) : std::max(a, b);
  } else {
    result = op == "Equal" ? a == b : op == "Less" ? a < b : op == "Greater" ? a > b : 0;
  }
  return result;
}

std::optional<Values> fold_pair(const GraphNode& node, const Known& a, const Known& b,
                                const Shape& out, std::size_t count) {
  if (!fits(a.shape, out) || !fits(b.shape, out)) return std::nullopt;
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto value =
        apply(node.op, a.values[source(out, i, a.shape)], b.values[source(out, i, b.shape)]);
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  return values;
}

std::optional<Values> fold_where(const Graph& graph, const GraphNode& node, const Shape& out,
                                 std::size_t count) {
  const auto when = known(graph, node.input(0));
  const auto a = known(graph, node.input(1));
  const auto b = known(graph, node.input(2));
  if (!when || !a || !b) return std::nullopt;
  if (!fits(when->shape, out) || !fits(a->shape, out) || !fits(b->shape, out)) return std::nullopt;
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = when->values[source(out, i, when->shape)] != 0
                    ? a->values[source(out, i, a->shape)]
                    : b->values[source(out, i, b->shape)];
  }
  return values;
}

std::optional<Values> fold_gather(const GraphNode& node, const Known& data, const Known& indices) {
  if (data.shape.size() != 1 || !axis_position(node.integer("axis", 0), 1)) return std::nullopt;
  Values values;
  for (const std::int64_t index : indices.values) {
    const auto at = axis_position(index, data.values.size());
    if (!at) return std::nullopt;
    values.push_back(data.values[*at]);
  }
  return values;
}

// Along the only axis; starts, ends and steps are attributes or inputs.
std::optional<Values> fold_slice(const Graph& graph, const GraphNode& node, const Known& data) {
  if (data.shape.size() != 1) return std::nullopt;
  const auto one = [&](const char* name, std::size_t input) -> std::optional<std::int64_t> {
    const auto given = known(graph, node.input(input));
    if (given && given->values.size() == 1) return given->values.front();
    const auto attribute = node.integers(name);
    if (attribute.size() == 1) return attribute.front();
    return std::nullopt;
  };
  const auto start = one("starts", 1);
  const auto end = one("ends", 2);
  const std::int64_t step = one("steps", 4).value_or(1);
  if (!start || !end || step != 1) return std::nullopt;
  const auto size = static_cast<std::int64_t>(data.values.size());
  const auto place = [&](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? std::max(at, -size) + size : at, 0, size);
  };
  const std::int64_t first = place(*start);
  const std::int64_t last = std::max(first, place(*end));
  return Values(data.values.begin() + first, data.values.begin() + last);
}

std::optional<Values> fold_concat(const Graph& graph, const GraphNode& node) {
  Values values;
  for (const std::size_t input : node.inputs) {
    const auto part = known(graph, input);
    if (!part || part->shape.size() != 1) return std::nullopt;
    values.insert(values.end(), part->values.begin(), part->values.end());
  }
  return values;
}

std::optional<Values> fold_shape(const Graph& graph, const GraphNode& node) {
  if (node.input(0) == kAbsent) return std::nullopt;
  const auto& shape = graph.tensors[node.inputs[0]].shape;
  if (!shape) return std::nullopt;
  if (node.op == "Size") {
    const auto count = element_count(*shape);
    return count ? std::optional<Values>(Values{*count}) : std::nullopt;
  }
  const auto rank = static_cast<std::int64_t>(shape->size());
  const auto place = [&](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? std::max(at, -rank) + rank : at, 0, rank);
  };
  const std::int64_t first = place(node.integer("start", 0));
  const std::int64_t last = std::max(first, place(node.integer("end", rank)));
  return Values(shape->begin() + first, shape->begin() + last);
}

std::optional<Values> fold_range(const Graph& graph, const GraphNode& node, std::size_t count) {
  const auto start = known(graph, node.input(0));
  const auto delta = known(graph, node.input(2));
  if (!start || !delta || start->values.size() != 1 || delta->values.size() != 1) {
    return std::nullopt;
  }
  Values values;
  std::int64_t at = start->values.front();
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(at);
    if (__builtin_add_overflow(at, delta->values.front(), &at)) return std::nullopt;
  }
  return values;
}

std::optional<Values> fold_product(const Known& data) {
  std::int64_t product = 1;
  for (const std::int64_t value : data.values) {
    if (__builtin_mul_overflow(product, value, &product)) return std::nullopt;
  }
  return Values{product};
}

std::optional<Values> fold(const Graph& graph, const GraphNode& node, const Shape& out,
                           std::size_t count) {
  const std::string& op = node.op;
  if (op == "Shape" || op == "Size") return fold_shape(graph, node);
  if (op == "Range") return fold_range(graph, node, count);
  if (op == "Concat") return fold_concat(graph, node);
  if (op == "Where") return fold_where(graph, node, out, count);
  if (op == "ConstantOfShape") {
    const auto value = node.attributes.find("value");
    if (value == node.attributes.end() || value->second.integers.empty()) return std::nullopt;
    return Values(count, value->second.integers.front());
  }
  const auto first = known(graph, node.input(0));
  if (!first) return std::nullopt;
  if (op == "Identity" || op == "Cast" || op == "Reshape" || op == "Squeeze" || op == "Unsqueeze" ||
      op == "Flatten") {
    return first->values;
  }
  if (op == "ReduceProd" && count == 1) return fold_product(*first);
  if (op == "Slice") return fold_slice(graph, node, *first);
  if (op == "Expand") {
    if (!fits(first->shape, out)) return std::nullopt;
    Values values(count);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = first->values[source(out, i, first->shape)];
    }
    return values;
  }
  const auto second = known(graph, node.input(1));
  if (!second) return std::nullopt;
  if (op == "Gather") return fold_gather(node, *first, *second);
  for (const char* pair :
       {"Add", "Sub", "Mul", "Div", "Mod", "Min", "Max", "Equal", "Less", "Greater"}) {
    if (op == pair && node.inputs.size() == 2) return fold_pair(node, *first, *second, out, count);
  }
  return std::nullopt;
}

}  // namespace

void fold_integers(Graph& graph, const GraphNode& node) {
  if (node.output(0) == kAbsent || !node.domain.empty()) return;
  GraphTensor& out = graph.tensors[node.outputs[0]];
  if (!out.shape || !is_index_type(out.type)) return;
  const auto count = element_count(*out.shape);
  if (!count || *count > static_cast<std::int64_t>(kMostIntegers)) return;
  auto values = fold(graph, node, *out.shape, static_cast<std::size_t>(*count));
  if (!values || values->size() != static_cast<std::size_t>(*count)) return;
  // What the model would compute with a number that does not fit is no size.
  const bool fits = out.type != kInt32 || std::ranges::all_of(*values, [](std::int64_t value) {
                      return std::in_range<std::int32_t>(value);
                    });
  if (fits) out.integers = std::move(values);
}

}  // namespace tilewright::onnx_import
