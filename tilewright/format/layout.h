// SPDX-License-Identifier: Apache-2.0
// Text in columns: how wide a string is on the screen, colours, padding, wrapping, tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tilewright/base/index.h"

namespace tilewright {

/// How reports look.
struct TextOptions {
  int width = 80;       ///< columns; lines are never longer
  bool color = false;   ///< ANSI colours
  bool ascii = false;   ///< no character beyond ASCII
  bool wide = false;    ///< names are never cut, however long the lines get
  bool* cut = nullptr;  ///< set once something was cut; may be null
};

enum class Style { kPlain, kBold, kDim, kHeading, kMemory, kGood, kWarning, kBad };

/// `text` in `style` if colours are on.
std::string paint(std::string_view text, Style style, const TextOptions& options);

/// The ANSI colour code in which a tensor appears in every section; 8 different ones.
int tensor_color(TensorId tensor);

/// `text` in an ANSI foreground colour if colours are on.
std::string paint_color(std::string_view text, int color, const TextOptions& options);

/// Columns that `text` takes: code points, colour codes left out.
int display_width(std::string_view text);

std::string pad_right(std::string_view text, int width);  ///< text first, then blanks
std::string pad_left(std::string_view text, int width);   ///< blanks first, then text

/// At most `width` columns; what is cut off leaves a `~`. Only for text without colours.
std::string clip(std::string_view text, int width);
/// The same as the options want it: not at all if `wide`, else with a word to `cut`.
std::string clip(std::string_view text, int width, const TextOptions& options);

/// Words joined by blanks into lines of at most `width` columns; the first line starts with
/// `first`, the others with as many blanks. Words longer than a line go on in the next.
std::string wrap_words(std::string_view first, std::string_view words, int width);

/// Items joined by `separator` into lines as above; a line breaks only between items.
std::vector<std::string> wrap_items(const std::vector<std::string>& items,
                                    std::string_view separator, int width);

/// A title in as many lines as it takes.
std::string title_text(std::string_view title, const TextOptions& options);

/// Columns that line up. Cells may hold colours.
class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kRight;
    int gap = 2;  ///< blanks before it
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell per column; missing ones at the end are empty.
  void add_row(std::vector<std::string> cells) { rows_.push_back({std::move(cells), false}); }
  /// A line of its own across all columns; does not widen them.
  void add_line(std::string text) { rows_.push_back({{std::move(text)}, true}); }

  int width() const;
  /// Lines with ends; titles dim unless they have a colour, left out if all are empty. No blanks
  /// at line ends.
  std::string text(const TextOptions& options) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    bool is_line = false;
  };

  std::vector<int> widths() const;
  std::string row_text(const std::vector<std::string>& cells, const std::vector<int>& widths) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace tilewright
