// SPDX-License-Identifier: Apache-2.0
#include "tilewright/base/text/printable.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

unsigned byte_at(std::string_view text, std::size_t position) {
  return static_cast<unsigned char>(text[position]);
}

// Length of the sequence that `first` opens, 0 if it opens none.
std::size_t sequence_length(unsigned first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  if (first >= 0xF0 && first <= 0xF4) return 4;
  return 0;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

CodePoint decode_utf8(std::string_view text, std::size_t position) {
  const unsigned first = byte_at(text, position);
  const std::size_t length = sequence_length(first);
  if (length == 1) return {static_cast<char32_t>(first), 1, true};
  if (length == 0 || position + length > text.size()) return {};
  char32_t value = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned next = byte_at(text, position + i);
    if ((next & 0xC0U) != 0x80U) return {};
    value = (value << 6U) | (next & 0x3FU);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kLeast[length] || surrogate || value > 0x10FFFF) return {};
  return {value, length, true};
}

bool is_control(char32_t c) {
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return true;
  if (c == 0x61C || c == 0x200E || c == 0x200F || c == 0x2028 || c == 0x2029) return true;
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode_utf8(text, i);
    if (text[i] == '\t' || text[i] == '\n') {
      result += ' ';
    } else if (!point.valid || is_control(point.value)) {
      result += kReplacement;
    } else {
      result += text.substr(i, point.length);
    }
    i += point.length;
  }
  return result;
}

std::string in_backticks(std::string_view name) {
  constexpr std::size_t kLongest = 60;
  if (name.size() <= kLongest) return '`' + printable(name) + '`';
  std::size_t end = kLongest;
  while (end > kLongest - 4 && (byte_at(name, end) & 0xC0U) == 0x80U) --end;
  return '`' + printable(name.substr(0, end)) + "...`";
}

std::string join_names(std::span<const std::string> names, std::string_view last) {
  std::string result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) result += i + 1 == names.size() ? ' ' + std::string(last) + ' ' : ", ";
    result += in_backticks(names[i]);
  }
  return result;
}

bool ends_with_ignoring_case(std::string_view text, std::string_view tail) {
  if (text.size() < tail.size()) return false;
  const std::string_view end = text.substr(text.size() - tail.size());
  return std::equal(end.begin(), end.end(), tail.begin(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace tilewright
