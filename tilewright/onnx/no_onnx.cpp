// SPDX-License-Identifier: Apache-2.0
// Instead of all else in this folder where libonnx is missing.
#include "tilewright/onnx/onnx.h"

namespace tilewright {

bool reads_onnx() { return false; }

std::optional<OnnxNetwork> read_onnx(std::string_view, const std::string& file_name,
                                     const OnnxOptions&, Diagnostics& diagnostics) {
  Diagnostic& found = diagnostics.error("N0115", "this build of tilewright cannot read ONNX files");
  auto file = std::make_shared<const SourceFile>(SourceFile{file_name, ""});
  found.labels.push_back({{std::move(file), 0, 0, 1}, ""});
  found.helps.emplace_back(
      "install libonnx-dev and libprotobuf-dev, and build again (-DTILEWRIGHT_ONNX=ON)");
  return std::nullopt;
}

}  // namespace tilewright
