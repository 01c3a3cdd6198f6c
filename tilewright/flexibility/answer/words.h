// SPDX-License-Identifier: Apache-2.0
// Words that several texts about flexibility share.
#pragma once

#include <string>
#include <string_view>

#include "tilewright/flexibility/flexibility.h"

namespace tilewright {

/// "tile full, order fixed, parallelism fixed, shape partial"
std::string degrees_text(const Degrees& degrees);

/// "+0.12 %": a share of the area; "0 %" for none.
std::string added_share_text(double share);

/// "the tile sizes", "the loop order", ...
std::string_view what_is_freed(FlexAxis axis);

}  // namespace tilewright
