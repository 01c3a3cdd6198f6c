// SPDX-License-Identifier: Apache-2.0
// Unfinished sums of the output may be wider than finished ones (docs/model.md section 6), so that
// a larger tile can fit where a smaller one does not. Once it is decided in which memories the sums
// are finished, tiles are monotone again: one case for each such decision.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// Rules under which the output has elements of one width in every memory that keeps it.
struct SumCase {
  Rules rules;
  std::vector<std::int64_t> output_bits;  ///< by position in Rules::keeps
};

/// Every mapping that obeys `rules` is in one of the cases, with widths that are no less than its
/// own in the others that it is in. One case, `rules` themselves, if all widths are alike.
std::vector<SumCase> sum_cases(const Problem& problem, const Rules& rules);

}  // namespace tilewright
