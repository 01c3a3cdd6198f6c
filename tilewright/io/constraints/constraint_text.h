// SPDX-License-Identifier: Apache-2.0
// One constraint as words, for reports and messages.
#pragma once

#include <string>

#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"

namespace tilewright {

/// `c <= 4 at GLB`, `keep Inputs at GLB`, `c = 4 on X of PE`, `no remainders at PE`,
/// `order m, ..., q, c at GLB`, `only c, m on X of PE`, `at least 75 % of PE`.
std::string constraint_text(const Problem& problem, const Constraint& constraint);

}  // namespace tilewright
