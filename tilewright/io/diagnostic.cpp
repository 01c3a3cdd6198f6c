// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/diagnostic.h"

#include <cstddef>
#include <utility>

namespace tilewright {

std::string SourceFile::line(int number) const {
  if (number < 1) return {};
  std::size_t begin = 0;
  for (int i = 1; i < number; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  std::size_t end = text.find('\n', begin);
  if (end == std::string::npos) end = text.size();
  if (end > begin && text[end - 1] == '\r') --end;
  return text.substr(begin, end - begin);
}

Diagnostic& Diagnostics::error(std::string code, std::string message) {
  ++errors_;
  return all_.emplace_back(
      Diagnostic{Severity::kError, std::move(code), std::move(message), {}, {}, {}});
}

Diagnostic& Diagnostics::warning(std::string code, std::string message) {
  return all_.emplace_back(
      Diagnostic{Severity::kWarning, std::move(code), std::move(message), {}, {}, {}});
}

}  // namespace tilewright
