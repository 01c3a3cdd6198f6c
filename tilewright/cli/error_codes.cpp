// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/error_codes.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "tilewright/library/embedded.h"

namespace tilewright {
namespace internal {
std::span<const EmbeddedFile> embedded_errors();
}  // namespace internal

bool is_error_code(std::string_view word) {
  return word.size() == 5 && std::isupper(static_cast<unsigned char>(word.front())) != 0 &&
         std::ranges::all_of(word.substr(1), [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::vector<ErrorCode> error_codes() {
  constexpr std::size_t kCode = 5;
  std::vector<ErrorCode> codes;
  std::string about;
  std::string_view text = internal::embedded_errors().front().text;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with("## ")) about = line.substr(line.find(": ") + 2);
    // | F0010 | meaning |
    if (line.size() < kCode + 8 || !line.starts_with("| ")) continue;
    const std::string_view code = line.substr(2, kCode);
    if (!is_error_code(code)) continue;
    const std::size_t begin = 2 + kCode + 3;
    codes.push_back(
        {std::string(code), about, std::string(line.substr(begin, line.rfind(" |") - begin))});
  }
  return codes;
}

}  // namespace tilewright
