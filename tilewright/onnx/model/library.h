// SPDX-License-Identifier: Apache-2.0
// What libonnx says about the outputs of one node. Includes its headers: for model.cpp and
// library.cpp only.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>

#include "tilewright/onnx/graph.h"

namespace tilewright::onnx_import {

/// Sets types and shapes of the outputs of `node`, called `op` in the standard domain of `version`;
/// leaves open what libonnx does not know. `proto` is the node in the file. Returns what is wrong,
/// if anything is.
std::optional<std::string> apply_library_rule(Graph& graph, const GraphNode& node,
                                              const ::onnx::NodeProto& proto, const std::string& op,
                                              std::int64_t version);

}  // namespace tilewright::onnx_import
