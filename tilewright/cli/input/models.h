// SPDX-License-Identifier: Apache-2.0
// Models on the command line: a `network:` file or an ONNX file.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/cli/session.h"
#include "tilewright/onnx/onnx.h"

namespace tilewright {

/// What the command line says about how to read an ONNX file.
struct ModelOptions {
  std::vector<std::string> sizes;  ///< NAME=SIZE
  std::int64_t bits = 0;           ///< 0: as in the file
  bool strict = false;
  std::string fuse;  ///< empty: not given

  /// `none` or `epilogue`.
  std::string fuse_or_default() const { return fuse.empty() ? "epilogue" : fuse; }
};

/// The options `--set`, `--bits`, `--fuse` and `--strict`.
void add_model_options(CLI::App& command, ModelOptions& options);

/// Nothing, with findings shown and the exit code set, if the file cannot be read as a network.
std::optional<OnnxNetwork> load_onnx(Session& session, const std::string& path,
                                     const ModelOptions& options);

}  // namespace tilewright
