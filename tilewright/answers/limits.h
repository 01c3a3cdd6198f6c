// SPDX-License-Identifier: Apache-2.0
// The limits of a search, from the texts of its options to values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tilewright/answers/option_style.h"
#include "tilewright/arch/arch.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/search/search.h"
#include "tilewright/search/strategy.h"

namespace tilewright {

/// `latency <= 2 ms`, `energy <= 3 uJ`, `traffic <= 1e6 elements`; times need the clock of `arch`.
/// Nothing, with a finding, if it is something else.
std::optional<Cap> parse_cap(const std::string& text, const Arch& arch, OptionStyle style,
                             Diagnostics& diagnostics);

/// The text of a cap as a place for findings.
Span cap_place(const std::string& text, OptionStyle style);

/// When a search ends at the latest: one of the three, the others are 0.
struct Budget {
  double seconds = 0;
  std::uint64_t mappings = 0;
  std::uint64_t nodes = 0;
};

/// `10s`, `500ms`, `2 min`; `1e6 nodes` for an optimal search, `1e6 mappings` for a random or an
/// exhaustive one. Nothing, with a finding, if it is something else, such as a bare number.
std::optional<Budget> parse_budget(const std::string& text, Mapper mapper, OptionStyle style,
                                   Diagnostics& diagnostics);

/// `4 GiB`, `500 MB`: bytes, at least 1. Nothing, with a finding, if it is something else.
std::optional<std::uint64_t> parse_memory(const std::string& text, OptionStyle style,
                                          Diagnostics& diagnostics);

/// The share that an option such as `gap` names: `1%`, `0.01`. Nothing, with a finding, if it is
/// something else.
std::optional<double> parse_share_option(std::string_view option, const std::string& text,
                                         OptionStyle style, Diagnostics& diagnostics);

}  // namespace tilewright
