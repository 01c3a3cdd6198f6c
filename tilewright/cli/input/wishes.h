// SPDX-License-Identifier: Apache-2.0
// What the user asks of a search, from the texts of the options to values.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/mapping/conventions.h"
#include "tilewright/report/search/search_text.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// Accepts one of `names` only; what is said about another word names the nearest.
CLI::Validator one_of(std::vector<std::string> names);

/// Accepts what parse_objective reads.
CLI::Validator an_objective();

/// What `--objective` says; an_objective() has accepted it.
NamedObjective named_objective(const std::string& text);

/// `edp|energy|...`, for help texts.
std::string objective_names();

/// Accepts whole numbers from 0 up that fit in 64 bits.
CLI::Validator a_count();

/// Accepts paths that end in `.nest` or `.yaml`.
CLI::Validator a_mapping_file();

/// The flags that say how costs are counted.
void add_conventions(CLI::App& command, Conventions& conventions);

/// `latency <= 2 ms`, `energy <= 3 uJ`, `traffic <= 1e6 elements`; times need the clock of `arch`.
/// Nothing, with a finding, if it is something else.
std::optional<Cap> parse_cap(const std::string& text, const Arch& arch, Diagnostics& diagnostics);

/// The text of `--cap` as a place for findings.
Span cap_place(const std::string& text);

/// When a search ends at the latest: one of the three, the others are 0.
struct Budget {
  double seconds = 0;
  std::uint64_t mappings = 0;
  std::uint64_t nodes = 0;
};

/// `10s`, `500ms`, `2 min`; `1e6 nodes` for an optimal search, `1e6 mappings` for a random or an
/// exhaustive one. Nothing, with a finding, if it is something else, such as a bare number.
std::optional<Budget> parse_budget(const std::string& text, Mapper mapper,
                                   Diagnostics& diagnostics);

/// The share that an option such as `--gap` names: `1%`, `0.01`. Nothing, with a finding, if it is
/// something else.
std::optional<double> parse_share_option(const char* option, const std::string& text,
                                         Diagnostics& diagnostics);

}  // namespace tilewright
