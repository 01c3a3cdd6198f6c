// SPDX-License-Identifier: Apache-2.0
#include "tilewright/format/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace tilewright {
namespace {

constexpr char kEscape = '\x1b';

const char* style_code(Style style) {
  switch (style) {
    case Style::kPlain:
      return "";
    case Style::kBold:
      return "1";
    case Style::kDim:
      return "2";
    case Style::kHeading:
      return "1;4";
    case Style::kMemory:
      return "1;36";
    case Style::kGood:
      return "1;32";
    case Style::kWarning:
      return "1;33";
    case Style::kBad:
      return "1;31";
  }
  return "";
}

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// An item that is longer than a line goes on in the next; one with colours stays whole.
std::vector<std::string> pieces(const std::string& item, int width) {
  if (item.find(kEscape) != std::string::npos || width < 1) return {item};
  std::vector<std::string> result(1);
  int used = 0;
  for (const char c : item) {
    if (!continues_code_point(c) && ++used > width) {
      result.emplace_back();
      used = 1;
    }
    result.back() += c;
  }
  return result;
}

}  // namespace

std::string paint(std::string_view text, Style style, const TextOptions& options) {
  if (!options.color || style == Style::kPlain || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", style_code(style), text);
}

int tensor_color(TensorId tensor) {
  constexpr std::array<int, 8> kColors = {34, 33, 32, 35, 36, 31, 94, 92};
  return kColors[tensor.pos() % kColors.size()];
}

std::string paint_color(std::string_view text, int color, const TextOptions& options) {
  if (!options.color || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", color, text);
}

int display_width(std::string_view text) {
  int width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kEscape) {
      i = std::min(text.find('m', i), text.size());
    } else if (!continues_code_point(text[i])) {
      ++width;
    }
  }
  return width;
}

std::string pad_right(std::string_view text, int width) {
  const int blanks = std::max(0, width - display_width(text));
  return std::string(text) + std::string(static_cast<std::size_t>(blanks), ' ');
}

std::string pad_left(std::string_view text, int width) {
  const int blanks = std::max(0, width - display_width(text));
  return std::string(static_cast<std::size_t>(blanks), ' ') + std::string(text);
}

std::string clip(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  std::string result;
  int used = 0;
  for (const char c : text) {
    if (!continues_code_point(c) && ++used >= width) break;
    result += c;
  }
  return result + "~";
}

std::string clip(std::string_view text, int width, const TextOptions& options) {
  if (options.wide || display_width(text) <= width) return std::string(text);
  if (options.cut != nullptr) *options.cut = true;
  return clip(text, width);
}

std::string wrap_words(std::string_view first, std::string_view words, int width) {
  std::istringstream stream{std::string(words)};
  std::vector<std::string> items;
  for (std::string word; stream >> word;) {
    // A percent sign stays with its number.
    if (word.starts_with('%') && !items.empty()) {
      items.back() += " " + word;
    } else {
      items.push_back(word);
    }
  }
  const int indent = display_width(first);
  std::string result;
  for (const std::string& line : wrap_items(items, " ", width - indent)) {
    const std::string start =
        result.empty() ? std::string(first) : std::string(static_cast<std::size_t>(indent), ' ');
    result += start + line + "\n";
  }
  return result;
}

std::vector<std::string> wrap_items(const std::vector<std::string>& items,
                                    std::string_view separator, int width) {
  std::vector<std::string> lines;
  for (const std::string& item : items) {
    const bool fits =
        !lines.empty() &&
        display_width(lines.back()) + display_width(separator) + display_width(item) <= width;
    if (fits) {
      lines.back() += std::string(separator) + item;
    } else {
      for (std::string& piece : pieces(item, width)) lines.push_back(std::move(piece));
    }
  }
  return lines;
}

std::string title_text(std::string_view title, const TextOptions& options) {
  const std::string wrapped = wrap_words("", title, options.width);
  std::string result;
  for (std::size_t start = 0; start < wrapped.size();) {
    const std::size_t end = wrapped.find('\n', start);
    result += paint(wrapped.substr(start, end - start), Style::kHeading, options) + "\n";
    start = end + 1;
  }
  return result;
}

std::vector<int> Table::widths() const {
  std::vector<int> result;
  for (const Column& column : columns_) result.push_back(display_width(column.title));
  for (const Row& row : rows_) {
    if (row.is_line) continue;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      result[i] = std::max(result[i], display_width(row.cells[i]));
    }
  }
  return result;
}

int Table::width() const {
  int total = 0;
  const std::vector<int> each = widths();
  for (std::size_t i = 0; i < each.size(); ++i) total += columns_[i].gap + each[i];
  return total;
}

std::string Table::row_text(const std::vector<std::string>& cells,
                            const std::vector<int>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += std::string(static_cast<std::size_t>(columns_[i].gap), ' ');
    line += columns_[i].align == Align::kLeft ? pad_right(cells[i], widths[i])
                                              : pad_left(cells[i], widths[i]);
  }
  return without_trailing_blanks(line);
}

std::string Table::text(const TextOptions& options) const {
  const std::vector<int> each = widths();
  std::vector<std::string> titles;
  bool any_title = false;
  for (const Column& column : columns_) {
    const bool painted = column.title.find(kEscape) != std::string::npos;
    titles.push_back(painted ? column.title : paint(column.title, Style::kDim, options));
    any_title = any_title || !column.title.empty();
  }
  std::string result;
  if (any_title) result += row_text(titles, each) + "\n";
  for (const Row& row : rows_) {
    result += (row.is_line ? row.cells.front() : row_text(row.cells, each)) + "\n";
  }
  return result;
}

}  // namespace tilewright
