// SPDX-License-Identifier: Apache-2.0
// ONNX files: a model to a network, with an account of what became of every operator. Which
// operators become what: docs/onnx.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tilewright/io/diagnostic.h"
#include "tilewright/network/coverage.h"
#include "tilewright/network/network.h"

namespace tilewright {

struct OnnxOptions {
  /// Sizes of dims that the model leaves open, by the name of the dim, or by `input.number` for a
  /// dim without one.
  std::map<std::string, std::int64_t> sizes;
  /// Of an element of any tensor; nothing: what its type says.
  std::optional<std::int64_t> bits;
  bool strict = false;  ///< what would be ignored is an error
  /// Elementwise operators run as part of the one before them, as compilers see it; false: each is
  /// a layer of its own that reads and writes memory.
  bool fuse = true;
};

struct OnnxNetwork {
  Network network;
  Coverage coverage;
};

/// True if this build can read ONNX files (CMake option TILEWRIGHT_ONNX).
bool reads_onnx();

/// The network of a model; nothing, with errors, if the model is broken or leaves a size open.
/// `bytes` is the file as it is on disk; weights beside it (external data) are not needed. What is
/// ignored gets a warning. Never throws, whatever the bytes are.
std::optional<OnnxNetwork> read_onnx(std::string_view bytes, const std::string& file_name,
                                     const OnnxOptions& options, Diagnostics& diagnostics);

}  // namespace tilewright
