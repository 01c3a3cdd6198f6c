// SPDX-License-Identifier: Apache-2.0
// Shapes that libonnx does not know, and small integers computed before the model runs.
#pragma once

#include <optional>
#include <string>

#include "tilewright/onnx/graph.h"
#include "tilewright/onnx/operators/operators.h"

namespace tilewright::onnx_import {

/// Sets types and shapes of the outputs of `node` by our own rules; leaves them open where inputs
/// are. Returns what is wrong with the node, if anything is.
std::optional<std::string> apply_own_rule(Graph& graph, const GraphNode& node, ShapeRule rule);

/// Sets the integers of the first output of `node` if they follow from those of its inputs, as in
/// the small computations of shapes that exporters leave in a model. Its shape is known.
void fold_integers(Graph& graph, const GraphNode& node);

/// More numbers than this are not kept.
constexpr std::size_t kMostIntegers = 4096;

}  // namespace tilewright::onnx_import
