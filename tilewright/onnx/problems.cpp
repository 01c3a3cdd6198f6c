// SPDX-License-Identifier: Apache-2.0
#include "tilewright/onnx/problems.h"

#include <fmt/format.h>

#include <algorithm>

#include "tilewright/base/text/printable.h"

namespace tilewright::onnx_import {

Problems::Problems(const std::string& file_name, bool strict, Diagnostics& diagnostics)
    : file_(std::make_shared<const SourceFile>(SourceFile{file_name, ""})),
      strict_(strict),
      diagnostics_(diagnostics) {}

Diagnostic& Problems::error(const char* code, std::string message) {
  Diagnostic& found = diagnostics_.error(code, std::move(message));
  found.labels.push_back({{file_, 0, 0, 1}, ""});
  return found;
}

Diagnostic& Problems::warning(const char* code, std::string message) {
  Diagnostic& found = diagnostics_.warning(code, std::move(message));
  found.labels.push_back({{file_, 0, 0, 1}, ""});
  return found;
}

void Problems::node_error(const char* code, const GraphNode& node, const std::string& what) {
  error(code, fmt::format("node {} ({}): {}", in_backticks(node.name), node.op, what));
}

void Problems::ignore(const char* code, const GraphNode& node, std::string what, std::string help) {
  const auto [at, is_new] = by_what_.emplace(code + what, ignored_.size());
  if (is_new) ignored_.push_back({code, std::move(what), std::move(help), {}});
  ignored_[at->second].nodes.push_back(in_backticks(node.name));
}

void Problems::finish() {
  constexpr std::size_t kShown = 6;
  for (const Ignored& ignored : ignored_) {
    const std::size_t count = ignored.nodes.size();
    const std::string message =
        fmt::format("ignored: {} node{}: {}", count, count == 1 ? "" : "s", ignored.what);
    Diagnostic& found =
        strict_ ? error(ignored.code.c_str(), message) : warning(ignored.code.c_str(), message);
    const auto end = ignored.nodes.begin() + static_cast<std::ptrdiff_t>(std::min(count, kShown));
    std::string names = fmt::format("{}", fmt::join(ignored.nodes.begin(), end, ", "));
    if (count > kShown) names += fmt::format(" and {} more", count - kShown);
    found.notes.push_back(std::move(names));
    if (!ignored.help.empty()) found.helps.push_back(ignored.help);
  }
  ignored_.clear();
  by_what_.clear();
}

}  // namespace tilewright::onnx_import
