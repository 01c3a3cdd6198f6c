// SPDX-License-Identifier: Apache-2.0
// A root with the counts at the outer memories and the labels of the blocks between them chosen,
// and what all its links cost at least (docs/optimal.md section 4).
#pragma once

#include <vector>

#include "tilewright/verify/tree/root.h"
#include "tilewright/verify/tree/tables.h"

namespace tilewright::verify {

/// Counts at the levels 0, 1, ... and the labels of the blocks between them.
struct Path {
  std::vector<std::vector<int>> at;  ///< by level: for each dim, the position among its counts
  std::vector<DimSet> labels;        ///< by block: what its innermost loop is over

  int level() const { return static_cast<int>(at.size()) - 1; }
};

/// The dims that have a loop in the block of `memory`.
DimSet loops_of(const Root& root, const Path& path, int memory);

/// False if what a memory keeps at different points does not fit together: at those on the path
/// with their least tiles, at those further in with one element each.
bool fits_together(const Root& root, const Path& path);

/// Cost of a link whose l* is on the path: its child lies on it, or further in with nothing but
/// loops over other dims between.
double link_cost(const Root& root, const Metric& metric, const Path& path, const Link& link);

/// Cost of all links whose child lies outside the path's level, and those to the compute units.
double passed_cost(const Root& root, const Metric& metric, const Path& path);

/// A bound of all links for a path: `passed`, those into the level of the path or, across it,
/// further in, and the rest by the tables.
double path_cost(const Root& root, const Metric& metric, const Path& path, double passed,
                 const Tables& tables);

}  // namespace tilewright::verify
