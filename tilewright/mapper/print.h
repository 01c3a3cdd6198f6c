// SPDX-License-Identifier: Apache-2.0
// Results as a few lines of plain text, without any library. The full report is search_text and
// evaluation_text (report).
#pragma once

#include <iosfwd>

#include "tilewright/mapper/plan.h"
#include "tilewright/mapper/result.h"

namespace tilewright {

/// The nest, a line for each node, outermost first:
///   DRAM keeps A B Z
///   for m in 4
///   GLB keeps A Z
///   spread k over 8 of X of PE
void print_nest(std::ostream& out, const Problem& problem, const Mapping& mapping);

/// What is known, what it costs and the mapping; or why there is none.
std::ostream& operator<<(std::ostream& out, const MapResult& mapped);

/// What is known, the totals, and a line for each problem.
std::ostream& operator<<(std::ostream& out, const PlanResult& planned);

}  // namespace tilewright
