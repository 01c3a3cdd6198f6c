// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/graph.h"

#include <algorithm>

namespace tilewright::onnx_import {

std::optional<std::int64_t> bits_of_type(int type) {
  switch (type) {
    case 21:  // uint4
    case 22:  // int4
    case 23:  // float4
      return 4;
    case 2:   // uint8
    case 3:   // int8
    case 9:   // bool: a byte
    case 17:  // float8, four kinds
    case 18:
    case 19:
    case 20:
      return 8;
    case 4:   // uint16
    case 5:   // int16
    case 10:  // float16
    case 16:  // bfloat16
      return 16;
    case 1:   // float
    case 6:   // int32
    case 12:  // uint32
      return 32;
    case 7:   // int64
    case 11:  // double
    case 13:  // uint64
    case 14:  // complex64
      return 64;
    case 15:  // complex128
      return 128;
    default:
      return std::nullopt;
  }
}

bool is_index_type(int type) { return type == kInt32 || type == kInt64 || type == kBool; }

std::int64_t GraphNode::integer(const std::string& attribute, std::int64_t otherwise) const {
  const auto it = attributes.find(attribute);
  return it == attributes.end() || it->second.integers.empty() ? otherwise
                                                               : it->second.integers.front();
}

std::vector<std::int64_t> GraphNode::integers(const std::string& attribute) const {
  const auto it = attributes.find(attribute);
  return it == attributes.end() ? std::vector<std::int64_t>{} : it->second.integers;
}

std::string GraphNode::text(const std::string& attribute) const {
  const auto it = attributes.find(attribute);
  return it == attributes.end() ? "" : it->second.text;
}

std::optional<std::int64_t> element_count(const Shape& shape) {
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count) || count > std::int64_t{1} << 62) {
      return std::nullopt;
    }
  }
  return count;
}

std::optional<std::size_t> axis_position(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < -count || axis >= count) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const std::size_t shift = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& size = result[i + shift];
    if (size == 1) {
      size = shorter[i];
    } else if (shorter[i] != 1 && shorter[i] != size) {
      return std::nullopt;
    }
  }
  return result;
}

std::string shape_text(const Shape& shape) {
  std::string text;
  for (const std::int64_t size : shape) {
    text += (text.empty() ? "" : ",") + std::to_string(size);
  }
  return "[" + text + "]";
}

}  // namespace tilewright::onnx_import
