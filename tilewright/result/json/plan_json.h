// SPDX-License-Identifier: Apache-2.0
// A planned network for programs: JSON with every mapping, and a table of layers as CSV. No times
// and no threads: equal bytes for equal plans.
#pragma once

#include <string>

#include "tilewright/io/result.h"
#include "tilewright/result/planned.h"

namespace tilewright {

/// Grows when a key changes its meaning or goes away; new keys may come at any time.
constexpr int kPlanSchema = 1;

/// One JSON object, indented, with a line end. `version` is the program's; `run` is left out if it
/// is empty.
std::string plan_json(const Planned& planned, const std::string& version,
                      const RunRecord& run = {});

/// A line for the columns and one for each layer, in their order; figures of one run.
std::string plan_csv(const Planned& planned);

}  // namespace tilewright
