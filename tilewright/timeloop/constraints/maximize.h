// SPDX-License-Identifier: Apache-2.0
// `maximize_dims`: the factors that use the most of a number of places.
#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::timeloop {

/// One factor for each of `sizes`, whose product is at most `capacity` and as large as possible:
/// divisors of the sizes, except that one of them may leave a remainder where that uses more on
/// average. Earlier sizes win ties.
std::vector<std::int64_t> maximize_factors(const std::vector<std::int64_t>& sizes,
                                           std::int64_t capacity);

}  // namespace tilewright::timeloop
