// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/shown_stream.h"

#include <string_view>

#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

// Bytes of the colour code that `text` begins with: ESC [ digits and semicolons m. 0 if it begins
// with none; npos if it may become one.
std::size_t color_length(std::string_view text) {
  if (text.front() != '\x1b') return 0;
  if (text.size() == 1) return std::string_view::npos;
  if (text[1] != '[') return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  if (end == std::string_view::npos) return end;
  return text[end] == 'm' ? end + 1 : 0;
}

// True if a character begins here whose other bytes are not there yet.
bool is_cut(std::string_view text) {
  constexpr std::size_t kLongest = 4;
  return text.size() < kLongest && (static_cast<unsigned char>(text.front()) & 0x80U) != 0 &&
         !decode_utf8(text, 0).valid;
}

}  // namespace

ShownBuffer::~ShownBuffer() { pass_on(true); }

ShownBuffer::int_type ShownBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  pending_ += traits_type::to_char_type(c);
  pass_on(false);
  return out_ ? c : traits_type::eof();
}

std::streamsize ShownBuffer::xsputn(const char* text, std::streamsize count) {
  pending_.append(text, static_cast<std::size_t>(count));
  pass_on(false);
  return out_ ? count : 0;
}

int ShownBuffer::sync() {
  pass_on(true);
  return out_.flush() ? 0 : -1;
}

void ShownBuffer::pass_on(bool all) {
  std::string shown;
  std::size_t at = 0;
  while (at < pending_.size()) {
    const std::string_view rest = std::string_view(pending_).substr(at);
    const std::size_t color = color_length(rest);
    if (!all && (color == std::string_view::npos || is_cut(rest))) break;
    std::size_t length = decode_utf8(rest, 0).length;
    if (color != 0 && color != std::string_view::npos) {
      length = color;
      shown += rest.substr(0, length);
    } else if (rest.front() == '\n' || rest.front() == '\t') {
      shown += rest.front();
    } else {
      shown += printable(rest.substr(0, length));
    }
    at += length;
  }
  pending_.erase(0, at);
  out_ << shown;
}

}  // namespace tilewright
