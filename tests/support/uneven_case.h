// SPDX-License-Identifier: Apache-2.0
// Random small problems whose memories may keep their tensors at different points of the nest.
#pragma once

#include <cstdint>
#include <optional>

#include "tests/support/search_case.h"

namespace tilewright::testing {

/// The case number `index` of the stream `seed`, with placement as uneven as it can be. Two of
/// three have a buffer that is tight, so that what fits decides. Nothing if no memory can be
/// uneven, or there are too many arrangements for a small test.
std::optional<SearchCase> make_uneven_case(std::uint64_t seed, std::uint64_t index);

}  // namespace tilewright::testing
