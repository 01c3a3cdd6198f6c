// SPDX-License-Identifier: Apache-2.0
// Two results and what makes them differ, for people and for programs.
#pragma once

#include <string>

#include "tilewright/diff/plan_diff.h"
#include "tilewright/diff/result_diff.h"
#include "tilewright/format/layout.h"

namespace tilewright {

/// What is the same, what is not, the totals, why, and both nests. `counts`: all counts, too.
std::string diff_text(const DiffSide& before, const DiffSide& after, bool counts,
                      const TextOptions& options);

/// The same of planned networks: what they come to, and a table of the layers that differ.
std::string plan_diff_text(const PlanSide& before, const PlanSide& after,
                           const TextOptions& options);

/// One JSON object, indented, with a line end. `version` is the program's.
std::string diff_json(const DiffSide& before, const DiffSide& after, const std::string& version);
std::string plan_diff_json(const PlanSide& before, const PlanSide& after,
                           const std::string& version);

}  // namespace tilewright
