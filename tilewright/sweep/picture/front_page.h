// SPDX-License-Identifier: Apache-2.0
// A sweep as a page: the picture of its front, and what is behind every point of the front.
#pragma once

#include <string>

#include "tilewright/store/store.h"
#include "tilewright/sweep/plan/plan.h"
#include "tilewright/sweep/texts.h"

namespace tilewright {

/// One HTML file that needs nothing else. Demands a table of two figures (InternalError). Throws
/// StoreError.
std::string front_page(const SweepPlan& plan, const Store& store, const DesignTable& table,
                       const std::string& version);

}  // namespace tilewright
