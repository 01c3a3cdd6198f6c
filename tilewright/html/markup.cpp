// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>

namespace tilewright {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Bytes of the character at the start of `text`; 0 if it is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  const unsigned second = byte(1);  // too long a form, a surrogate, beyond the last character
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  if (first == 0xC2 && second < 0xA0) return 0;  // control characters
  return length;
}

constexpr std::string_view kNoBreak = "\xC2\xA0";

// True if `text` begins with a unit, a prefix or a percent sign, and ends there or goes on with
// something else than a letter or digit.
bool begins_with_unit(std::string_view text) {
  constexpr std::string_view kPrefixes = "fpnumkMGTPEZY";
  constexpr std::array<std::string_view, 9> kUnits = {"J*cycle", "KiB", "MiB", "GiB", "bit",
                                                      "Hz",      "J",   "B",   "s"};
  const auto ends = [](std::string_view rest) {
    return rest.empty() || std::isalnum(static_cast<unsigned char>(rest.front())) == 0;
  };
  if (text.starts_with('%')) return true;
  const bool prefix = !text.empty() && kPrefixes.find(text.front()) != std::string_view::npos;
  if (prefix && ends(text.substr(1))) return true;
  for (const std::string_view whole : {text, text.substr(prefix ? 1 : 0)}) {
    for (const std::string_view unit : kUnits) {
      if (whole.starts_with(unit) && ends(whole.substr(unit.size()))) return true;
    }
  }
  return false;
}

// Elements of a line of text: a break behind them would be seen as a blank.
bool is_inline(std::string_view tag) {
  constexpr std::array<std::string_view, 12> kInline = {
      "a", "b", "code", "em", "i", "pre", "td", "span", "strong", "th", "tspan", "title"};
  return std::ranges::find(kInline, tag) != kInline.end();
}

}  // namespace

std::string escape(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const char c = text.front();
    const bool control = length == 1 && ((c >= 0 && c < ' ' && c != '\n') || c == 0x7F);
    if (length == 0 || control) {
      result += c == '\t' ? std::string_view(" ") : kReplacement;
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

std::string escape_text(std::string_view text) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != ' ') continue;
    const std::string_view rest = text.substr(i + 1);
    const bool after_digit = text[i - 1] >= '0' && text[i - 1] <= '9';
    const bool power = after_digit && rest.starts_with("x 10^");
    const bool in_power = text[i - 1] == 'x' && rest.starts_with("10^");
    if (!power && !in_power && !(after_digit && begins_with_unit(rest))) continue;
    result += escape(text.substr(done, i - done));
    result += kNoBreak;
    done = i + 1;
  }
  return result + escape(text.substr(done));
}

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", std::isfinite(value) ? value : 0.0);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string percent(double share) { return number(share * 100) + "%"; }

void Markup::open(std::string_view tag, Attributes attributes) {
  html_ += '<';
  html_ += tag;
  for (const Attribute& attribute : attributes) {
    html_ += ' ';
    html_ += attribute.name;
    html_ += "=\"";
    html_ += escape(attribute.value);
    html_ += '"';
  }
  html_ += '>';
}

void Markup::close(std::string_view tag) {
  html_ += "</";
  html_ += tag;
  html_ += is_inline(tag) ? ">" : ">\n";
}

Markup::Scope Markup::in(std::string_view tag, Attributes attributes) {
  open(tag, attributes);
  return {*this, tag};
}

void Markup::leaf(std::string_view tag, Attributes attributes, std::string_view text) {
  open(tag, attributes);
  html_ += escape_text(text);
  close(tag);
}

void Markup::single(std::string_view tag, Attributes attributes) {
  open(tag, attributes);
  html_ += '\n';
}

}  // namespace tilewright
