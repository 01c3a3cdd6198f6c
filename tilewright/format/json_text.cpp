// SPDX-License-Identifier: Apache-2.0
#include "tilewright/format/json_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "tilewright/base/text/printable.h"

namespace tilewright {

std::string json_text(const nlohmann::ordered_json& root, int indent) {
  const std::string text =
      root.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string result;
  result.reserve(text.size() + 1);
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode_utf8(text, i);
    // What is below a blank stands between values, for inside them it is escaped already.
    if (point.value >= 0x20 && is_control(point.value)) {
      result += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(point.value));
    } else {
      result += text.substr(i, point.length);
    }
    i += point.length;
  }
  return indent < 0 ? result : result + "\n";
}

}  // namespace tilewright
