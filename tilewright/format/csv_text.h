// SPDX-License-Identifier: Apache-2.0
// Tables for other programs: values separated by commas.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// A text as a cell, in quotes only if it must be. One that a spreadsheet would take for a formula
/// (it begins with `=`, `+`, `-` or `@`) gets an apostrophe in front, and so does one that begins
/// with a tab or the end of a line. Numbers are not texts: they are written as they are.
std::string csv_cell(std::string_view text);

/// One line with its end.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace tilewright
