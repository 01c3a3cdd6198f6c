// SPDX-License-Identifier: Apache-2.0
// Problems that no mapping satisfies, each for a reason of its own.
#pragma once

#include <string>
#include <vector>

#include "tests/support/small_case.h"
#include "tilewright/mapspace/feasibility/conflict.h"

namespace tilewright {

struct BuiltProblem {
  std::string name;
  testing::SmallCase given;
  std::string expected;  ///< the conflict with its reliefs, as conflict_text has it
};

std::vector<BuiltProblem> infeasible_problems();

/// A demand in a few words, e.g. `GLB: m = 8`.
std::string demand_text(const testing::SmallCase& given, const Demand& demand);

}  // namespace tilewright
