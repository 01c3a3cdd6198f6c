// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/onnx.h"

#include <exception>

#include "tilewright/base/error.h"
#include "tilewright/onnx/lowering/lowering.h"
#include "tilewright/onnx/model/model.h"

namespace tilewright {
namespace {

// `folder/resnet50.onnx` -> `resnet50`.
std::string stem(const std::string& file_name) {
  const std::string name = file_name.substr(file_name.find_last_of('/') + 1);
  const std::size_t dot = name.find_last_of('.');
  return dot == 0 || dot == std::string::npos ? name : name.substr(0, dot);
}

}  // namespace

bool reads_onnx() { return true; }

std::optional<OnnxNetwork> read_onnx(std::string_view bytes, const std::string& file_name,
                                     const OnnxOptions& options, Diagnostics& diagnostics) {
  using namespace onnx_import;
  const int before = diagnostics.errors();
  Problems problems(file_name, options.strict, diagnostics);
  try {
    const auto graph = read_graph(bytes, options, problems);
    if (!graph) return std::nullopt;
    OnnxNetwork result = Lowering(*graph, options, problems).run(diagnostics.errors() > before);
    problems.finish();
    if (diagnostics.errors() > before) return std::nullopt;
    result.network.name = stem(file_name);
    result.network.summary = graph->name.empty() ? "ONNX model" : "ONNX graph " + graph->name;
    network_totals(result.network);  // throws if they do not fit
    result.coverage.total();
    return result;
  } catch (const OverflowError&) {
    problems.error("N0112", "the model is too large: its sums do not fit in 64 bits");
  } catch (const std::exception& error) {  // libonnx and protobuf have types of their own
    problems.error("N0101", std::string("the file cannot be read: ") + error.what());
  }
  return std::nullopt;
}

}  // namespace tilewright
