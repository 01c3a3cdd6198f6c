// SPDX-License-Identifier: Apache-2.0
// The report of an old run of Timeloop beside what we count.
#pragma once

#include <string>

#include "tilewright/format/layout.h"
#include "tilewright/timeloop/stats/check.h"

namespace tilewright {

/// The figures of the report that differ from Timeloop's way of counting, or from ours, with the
/// reasons; then how many agree. `name` is the report's.
std::string stats_text(const Problem& problem, const timeloop::StatsCheck& check,
                       const std::string& name, const TextOptions& options);

/// All figures of the report, as a JSON text of its own.
std::string stats_json(const Problem& problem, const timeloop::StatsCheck& check,
                       const std::string& name);

}  // namespace tilewright
