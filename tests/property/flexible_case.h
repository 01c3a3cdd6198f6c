// SPDX-License-Identifier: Apache-2.0
// Random small flexible accelerators, and the sizes of their map spaces the plain way: as sets
// whose members are listed one by one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/flexibility/flexibility.h"
#include "tilewright/workload/workload.h"

namespace tilewright::testing {

struct FlexibleCase {
  Workload workload;
  Arch arch;
  Flexibility flexibility;
};

/// Dims of up to `largest`.
FlexibleCase make_flexible_case(Random& random, std::int64_t largest);

/// All 81.
std::vector<Degrees> every_degrees();

/// A letter for each axis: fixed (i), partial (a), full (u).
std::string text_of(const Degrees& degrees);

/// C, A, W, C and W, A and W.
using SpaceSizes = std::array<std::uint64_t, 5>;

/// Of each axis; then of all together.
std::array<SpaceSizes, kFlexAxes + 1> list_spaces(const FlexibleCase& made, const Degrees& degrees);

}  // namespace tilewright::testing
