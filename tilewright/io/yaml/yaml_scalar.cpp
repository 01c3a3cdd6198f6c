// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilewright {
namespace {

bool is_plain(std::string_view text) {
  constexpr std::array<std::string_view, 7> kOther = {"true", "false", "yes", "no",
                                                      "on",   "off",   "null"};
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  // Words, one space between them: `p 8`, `q 14 on X`, `Inputs`.
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) == 0) return false;
  if (!is_word(text.back())) return false;
  std::string lower;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_word(text[i]) && text[i] != ' ') return false;
    if (text[i] == ' ' && text[i + 1] == ' ') return false;
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  return std::find(kOther.begin(), kOther.end(), lower) == kOther.end();
}

}  // namespace

std::string yaml_scalar(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      result += "\\x";
      result += kHex[byte >> 4U];
      result += kHex[byte & 15U];
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace tilewright
