// SPDX-License-Identifier: Apache-2.0
// Records of ../shared/oracle (cases with Timeloop's answers) as our values.
#pragma once

#include <nlohmann/json.hpp>

#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright::test {

/// How Timeloop counts.
inline constexpr Conventions kTimeloop{.holes_are_data = true};

/// The problem of a record: every memory has its own element width, fan-outs are where there is
/// more than one child, named after it.
Problem oracle_problem(const nlohmann::json& record);

/// The mapping of a record; remainders follow from the factors.
Mapping oracle_mapping(const nlohmann::json& record, const Problem& problem);

}  // namespace tilewright::test
