// SPDX-License-Identifier: Apache-2.0
// The bytes of a file as a graph with shapes: all that needs protobuf and libonnx.
#pragma once

#include <optional>
#include <string_view>

#include "tilewright/onnx/graph.h"
#include "tilewright/onnx/onnx.h"
#include "tilewright/onnx/problems.h"

namespace tilewright::onnx_import {

/// Nothing if the file is no model or leaves a size open. Other errors go to `problems`, and the
/// graph then has parts without a shape.
std::optional<Graph> read_graph(std::string_view bytes, const OnnxOptions& options,
                                Problems& problems);

}  // namespace tilewright::onnx_import
