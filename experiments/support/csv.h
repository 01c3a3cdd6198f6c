// SPDX-License-Identifier: Apache-2.0
// The tables of experiments/data: `#` starts a comment line, the first other line names the
// columns, cells are plain text between commas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// One row. The readers of cells throw std::runtime_error with the line's number.
class CsvRow {
 public:
  CsvRow(int line, std::vector<std::string> cells) : line_(line), cells_(std::move(cells)) {}

  const std::string& text(std::size_t column) const { return cells_[column]; }
  std::int64_t whole(std::size_t column) const;  ///< a whole number, at least 0
  double real(std::size_t column) const;
  [[noreturn]] void fail(std::string_view what) const;

 private:
  int line_;
  std::vector<std::string> cells_;
};

/// All rows; the table must have just these columns. Throws std::runtime_error with the line's
/// number.
std::vector<CsvRow> read_csv(std::string_view csv, std::string_view columns);

/// The parts of `text` between `separator`s; at least one.
std::vector<std::string> split_text(std::string_view text, char separator);

}  // namespace tilewright
