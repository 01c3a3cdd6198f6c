// SPDX-License-Identifier: Apache-2.0
// Findings about one ONNX file. Nodes with the same problem share a finding.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/onnx/graph.h"

namespace tilewright::onnx_import {

class Problems {
 public:
  Problems(const std::string& file_name, bool strict, Diagnostics& diagnostics);

  /// The model is wrong.
  Diagnostic& error(const char* code, std::string message);
  Diagnostic& warning(const char* code, std::string message);
  /// `node` is wrong: `what` follows its name.
  void node_error(const char* code, const GraphNode& node, const std::string& what);
  /// `node` is ignored. `what` is said once for all nodes to which it happens.
  void ignore(const char* code, const GraphNode& node, std::string what, std::string help);

  /// Reports what was ignored: warnings, or errors if strict.
  void finish();

 private:
  struct Ignored {
    std::string code;
    std::string what;
    std::string help;
    std::vector<std::string> nodes;
  };

  std::shared_ptr<const SourceFile> file_;
  bool strict_;
  Diagnostics& diagnostics_;
  std::vector<Ignored> ignored_;
  std::map<std::string, std::size_t> by_what_;  // in ignored_
};

}  // namespace tilewright::onnx_import
