// SPDX-License-Identifier: Apache-2.0
// Two nests side by side, the same nodes in the same row.
#pragma once

#include <string>
#include <vector>

#include "tilewright/diff/sides.h"
#include "tilewright/format/layout.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// One loop or kept tensor of one of the nests.
struct NestItem {
  std::string text;  ///< `p 6 on Y (last 4)`
  bool same = true;  ///< the other nest has it at this place, too
};

/// What both nests have at one place: one of the two sides may be empty.
struct NestRow {
  std::string node;  ///< the memory or the fan-out; for loops in time the memory outside them
  std::string kind;  ///< keep, for, parfor
  std::vector<NestItem> before;
  std::vector<NestItem> after;
};

std::vector<NestRow> diff_nests(const Problem& before_problem, const Mapping& before,
                                const Problem& after_problem, const Mapping& after);

/// A table of the rows; what the other side does not have stands in brackets.
std::string nest_diff_text(const std::vector<NestRow>& rows, const SideNames& names,
                           const TextOptions& options);

}  // namespace tilewright
