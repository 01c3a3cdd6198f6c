// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/document/reading.h"

#include <utility>

namespace tilewright::timeloop {

std::string text_of(const YamlNode& node, const char* key) {
  const YamlEntry* entry = node.find(key);
  return entry != nullptr && entry->value.is_scalar() ? entry->value.text : "";
}

Diagnostic& error_at(Diagnostics& diagnostics, std::string code, std::string message,
                     const Span& place, std::string label) {
  Diagnostic& found = diagnostics.error(std::move(code), std::move(message));
  found.labels.push_back({place, std::move(label)});
  return found;
}

}  // namespace tilewright::timeloop
