// SPDX-License-Identifier: Apache-2.0
// What is wrong with a piece of text whose parser does not know in which file it stands.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright {

/// A finding about `length` bytes from `offset` of the text that was parsed; the rest as in
/// Diagnostic.
struct TextFault {
  std::string code;
  std::string message;
  std::string label;
  std::vector<std::string> notes;
  std::vector<std::string> helps;
  std::size_t offset = 0;
  std::size_t length = 0;  ///< 0: all of it
};

/// The place of `length` bytes from `offset` of a scalar's text; the whole scalar where the text
/// stands otherwise in the file (escapes, several lines).
Span span_within(const YamlNode& scalar, std::size_t offset, std::size_t length);

/// Reports a fault in a scalar; `where` (e.g. "`capacity` of memory `GLB`") goes before the
/// message.
Diagnostic& report_fault(const TextFault& fault, const YamlNode& scalar, const std::string& where,
                         Diagnostics& diagnostics);

}  // namespace tilewright
