// SPDX-License-Identifier: Apache-2.0
// What a reader should know before trusting the figures of one mapping.
#pragma once

#include <string>
#include <vector>

#include "tilewright/result/evaluated.h"

namespace tilewright {

/// One sentence each, without a full stop: figures that are missing, memories that are not used,
/// conventions, and how wide elements are taken to be.
std::vector<std::string> find_caveats(const Evaluated& evaluated);

}  // namespace tilewright
