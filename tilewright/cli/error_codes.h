// SPDX-License-Identifier: Apache-2.0
// What the codes of messages mean: docs/errors.md, which is inside the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// One line of the tables.
struct ErrorCode {
  std::string code;     ///< "F0010"
  std::string about;    ///< what the table is about: "mapping"
  std::string meaning;  ///< without a full stop
};

/// All of them, in the order of the document.
std::vector<ErrorCode> error_codes();

/// True if `word` has the form of a code: a letter and four digits.
bool is_error_code(std::string_view word);

}  // namespace tilewright
