// SPDX-License-Identifier: Apache-2.0
// Text from outside made fit for a message: whatever a file holds, what we print cannot move the
// cursor, colour the terminal or reorder a line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tilewright {

/// One character of UTF-8 text. `length` is 1 where the bytes are not UTF-8.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;
  bool valid = false;
};

/// The character at `position`, which is inside `text`.
CodePoint decode_utf8(std::string_view text, std::size_t position);

/// True for what a terminal obeys instead of showing: controls and direction marks; a tab too.
bool is_control(char32_t character);

/// `text` with a tab or line end as a space and other controls and broken bytes as U+FFFD.
std::string printable(std::string_view text);

/// A name or value from a file between backticks, printable and cut after 60 bytes or so.
std::string in_backticks(std::string_view name);

/// `a`, `b` or `c`; the last two joined by `last`.
std::string join_names(std::span<const std::string> names, std::string_view last);

/// True if `text` ends in `tail`, in lower or upper case.
bool ends_with_ignoring_case(std::string_view text, std::string_view tail);

}  // namespace tilewright
