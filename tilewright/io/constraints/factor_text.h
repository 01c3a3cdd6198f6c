// SPDX-License-Identifier: Apache-2.0
// One entry of `factors` in a constraint: `c = 4`, `p <= 7`, `m >= 2 on X`, `r = all`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tilewright/io/yaml/fault.h"
#include "tilewright/mapspace/constraint.h"

namespace tilewright {

/// A demand on a factor as written; names are not yet looked up.
struct FactorText {
  struct Word {
    std::string text;
    std::size_t offset = 0;
  };
  Word dim;
  Constraint::Kind kind = Constraint::Kind::kEqual;  ///< or kAtMost, kAtLeast
  std::optional<std::int64_t> value;                 ///< >= 1; nothing: `all`, the size of the dim
  Word number;                                       ///< the value as written
  std::optional<Word> axis;
};

/// Reads DIM, then `=`, `<=` or `>=`, then a whole number from 1 up (or, after `=`, `all`), then
/// perhaps `on` and AXIS.
std::optional<FactorText> parse_factor(std::string_view text, TextFault& fault);

/// "=", "<=" or ">=" for the three kinds.
std::string_view relation_of(Constraint::Kind kind);

}  // namespace tilewright
