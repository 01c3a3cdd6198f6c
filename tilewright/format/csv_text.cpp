// SPDX-License-Identifier: Apache-2.0
#include "tilewright/format/csv_text.h"

#include <fmt/format.h>

namespace tilewright {

std::string csv_cell(std::string_view text) {
  constexpr std::string_view kFormulas = "=+-@\t\r\n";
  const bool formula = !text.empty() && kFormulas.find(text.front()) != std::string_view::npos;
  const std::string shown = (formula ? "'" : "") + std::string(text);
  if (shown.find_first_of(",\"\n\r") == std::string::npos) return shown;
  std::string result = "\"";
  for (const char c : shown) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
  return fmt::format("{}\n", fmt::join(cells, ","));
}

}  // namespace tilewright
