// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/fault.h"

#include <algorithm>

namespace tilewright {

Span span_within(const YamlNode& scalar, std::size_t offset, std::size_t length) {
  Span span = scalar.span;
  if (!span.file || scalar.block || length == 0) return span;
  const std::size_t quote = scalar.quoted ? 1 : 0;
  const std::string line = span.file->line(span.line);
  const std::size_t begin = static_cast<std::size_t>(std::max(1, span.column) - 1) + quote;
  if (begin > line.size() || line.compare(begin, scalar.text.size(), scalar.text) != 0) return span;
  span.column = static_cast<int>(begin + offset + 1);
  span.length = static_cast<int>(length);
  return span;
}

Diagnostic& report_fault(const TextFault& fault, const YamlNode& scalar, const std::string& where,
                         Diagnostics& diagnostics) {
  const std::string message = where.empty() ? fault.message : where + ": " + fault.message;
  Diagnostic& error = diagnostics.error(fault.code, message);
  error.labels.push_back({span_within(scalar, fault.offset, fault.length), fault.label});
  error.notes = fault.notes;
  error.helps = fault.helps;
  return error;
}

}  // namespace tilewright
