// SPDX-License-Identifier: Apache-2.0
// Texts in, values or codes out: what the tests of the readers share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/io/read.h"
#include "tilewright/io/render.h"

namespace tilewright {

inline std::shared_ptr<const SourceFile> source_text(std::string name, std::string text) {
  return std::make_shared<SourceFile>(SourceFile{std::move(name), std::move(text)});
}

/// The codes of all findings, in order.
inline std::vector<std::string> codes_of(const Diagnostics& diagnostics) {
  std::vector<std::string> codes;
  for (const Diagnostic& finding : diagnostics.all()) codes.push_back(finding.code);
  return codes;
}

inline std::optional<Workload> workload_of(const std::string& text) {
  Diagnostics diagnostics;
  std::optional<Workload> result = read_workload(source_text("w.yaml", text), diagnostics);
  EXPECT_TRUE(result) << render_text(diagnostics, false);
  return result;
}

inline std::optional<Arch> arch_of(const std::string& text) {
  Diagnostics diagnostics;
  std::optional<Arch> result = read_arch(source_text("a.yaml", text), diagnostics);
  EXPECT_TRUE(result) << render_text(diagnostics, false);
  return result;
}

}  // namespace tilewright
