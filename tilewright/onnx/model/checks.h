// SPDX-License-Identifier: Apache-2.0
// What must hold of a node before libonnx is asked about it: some of its rules divide by a stride
// or walk along a list without looking first.
#pragma once

#include <optional>
#include <string>

#include "tilewright/onnx/graph.h"

namespace tilewright::onnx_import {

/// What is wrong with `node`, called `op` there; nothing if it can be asked about. Shapes of all
/// inputs that are not left out are known.
std::optional<std::string> find_node_fault(const Graph& graph, const GraphNode& node,
                                           const std::string& op);

constexpr std::size_t kMostDims = 64;
/// Some rules of libonnx count in 32 bits.
constexpr std::int64_t kLargestDim = std::int64_t{1} << 31;
/// ... and some in floats, which hold whole numbers up to here.
constexpr std::int64_t kLargestExact = std::int64_t{1} << 24;

/// What is wrong with a shape: too many dims, a size that is negative or too large.
std::optional<std::string> find_shape_fault(const Shape& shape);

}  // namespace tilewright::onnx_import
