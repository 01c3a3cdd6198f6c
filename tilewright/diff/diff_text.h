// SPDX-License-Identifier: Apache-2.0
// Two results and what makes them differ, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "tilewright/diff/result_diff.h"
#include "tilewright/format/layout.h"

namespace tilewright {

/// What was asked for: differences first, for then little else can be compared.
std::string settings_text(const std::vector<std::string>& same,
                          const std::vector<SettingDifference>& settings,
                          const TextOptions& options);

/// What is the same, what is not, the totals, why, and both nests. `counts`: all counts, too.
std::string diff_text(const DiffSide& before, const DiffSide& after, bool counts,
                      const TextOptions& options);

/// One JSON object, indented, with a line end. `version` is the program's.
std::string diff_json(const DiffSide& before, const DiffSide& after, const std::string& version);

}  // namespace tilewright
