// SPDX-License-Identifier: Apache-2.0
#include "tilewright/html/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>

#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

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
    const CodePoint point = decode_utf8(text, 0);
    const char c = text.front();
    if (!point.valid || (c != '\n' && is_control(point.value))) {
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
      result += text.substr(0, point.length);
    }
    text.remove_prefix(point.length);
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
