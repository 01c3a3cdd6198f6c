// SPDX-License-Identifier: Apache-2.0
// A score with its unit.
#pragma once

#include <string>

namespace tilewright {

/// `2.653 mJ*cycle`, `1,234 cycles`, `59.28 uJ`; `objective` is what parse_objective reads. Powers
/// of energy other than the first: `1.2e+07 pJ^2*cycle`.
std::string score_text(const std::string& objective, double score, int digits = 4);

}  // namespace tilewright
