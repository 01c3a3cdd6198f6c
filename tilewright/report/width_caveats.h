// SPDX-License-Identifier: Apache-2.0
// What a report must say about how wide elements are taken to be.
#pragma once

#include <string>
#include <vector>

#include "tilewright/report/evaluated.h"

namespace tilewright {

/// Whole sentences without a full stop: partial sums that are kept narrower than they were summed,
/// and memories whose energies do not depend on how wide an element is.
std::vector<std::string> find_width_caveats(const Evaluated& evaluated);

}  // namespace tilewright
