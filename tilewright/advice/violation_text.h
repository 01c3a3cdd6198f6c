// SPDX-License-Identifier: Apache-2.0
// Violations as findings: what does not fit, the line that asks for it, the arithmetic, and the
// nearest change that works. Every change proposed was checked with find_violations.
#pragma once

#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/read.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapping/violation.h"

namespace tilewright {

/// Adds one error per violation (at most kMaxReportedViolations). `source` may be empty, for a
/// mapping that comes from no file.
void report_violations(const Problem& problem, const Mapping& mapping, const MappingSource& source,
                       const std::vector<Violation>& violations, Diagnostics& diagnostics);

constexpr int kMaxReportedViolations = 50;

}  // namespace tilewright
