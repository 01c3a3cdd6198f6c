// SPDX-License-Identifier: Apache-2.0
#include "experiments/support/csv.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace tilewright {
namespace {

template <typename Number>
bool parse(const std::string& cell, Number& number) {
  const char* end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, number);
  return !cell.empty() && error == std::errc() && stop == end;
}

}  // namespace

void CsvRow::fail(std::string_view what) const {
  throw std::runtime_error(fmt::format("line {}: {}", line_, what));
}

std::int64_t CsvRow::whole(std::size_t column) const {
  std::int64_t number = 0;
  if (!parse(cells_[column], number) || number < 0) {
    fail(fmt::format("`{}` is not a number", cells_[column]));
  }
  return number;
}

double CsvRow::real(std::size_t column) const {
  double number = 0;
  if (!parse(cells_[column], number)) fail(fmt::format("`{}` is not a number", cells_[column]));
  return number;
}

std::vector<std::string> split_text(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text = text.substr(end + 1);
  }
}

std::vector<CsvRow> read_csv(std::string_view csv, std::string_view columns) {
  const std::size_t wanted = split_text(columns, ',').size();
  std::vector<CsvRow> rows;
  bool has_columns = false;
  int line = 0;
  for (const std::string& text : split_text(csv, '\n')) {
    ++line;
    if (text.empty() || text.front() == '#') continue;
    const CsvRow row(line, split_text(text, ','));
    if (!has_columns) {
      if (text != columns) row.fail(fmt::format("the columns are {}", columns));
      has_columns = true;
      continue;
    }
    if (split_text(text, ',').size() != wanted) row.fail(fmt::format("not {} columns", wanted));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace tilewright
