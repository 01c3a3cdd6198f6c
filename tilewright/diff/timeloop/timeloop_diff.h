// SPDX-License-Identifier: Apache-2.0
// Our figures against Timeloop's, with the conventions that make the difference
// (docs/timeloop-counting.md).
#pragma once

#include <string>

#include "tilewright/compat/compare.h"
#include "tilewright/format/layout.h"

namespace tilewright {

/// The figures that differ: ours, Timeloop's, the difference, and by how much each convention
/// contributes to it; then what these conventions mean.
std::string timeloop_text(const Problem& problem, const compat::TimeloopComparison& comparison,
                          const TextOptions& options);

/// What evaluation_json wrote, with the comparison under the key `timeloop`.
std::string with_timeloop_json(const std::string& evaluation, const Problem& problem,
                               const compat::TimeloopComparison& comparison);

}  // namespace tilewright
