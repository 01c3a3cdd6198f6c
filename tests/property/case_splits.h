// SPDX-License-Identifier: Apache-2.0
// Case splits: the mappings of a space A are those that obey a constraint x and those that do not,
// so opt(A) = min(opt(A and x), opt(A and not x)).
#pragma once

#include <cstdint>

#include "tests/support/search_case.h"

namespace tilewright::testing {

/// Searches the cases of one random x: a factor that is, is below or is above a value; or a tensor
/// that a memory keeps or bypasses. False if A leaves nothing to split. Throws std::logic_error if
/// they contradict the whole.
bool check_case_split(const SearchCase& made, std::uint64_t seed);

}  // namespace tilewright::testing
