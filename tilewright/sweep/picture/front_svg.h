// SPDX-License-Identifier: Apache-2.0
// Designs as points of a picture, and the front among them.
#pragma once

#include <string>

#include "tilewright/sweep/plan/plan.h"
#include "tilewright/sweep/texts.h"

namespace tilewright {

/// Where the table of a design stands on a page: `design-12-0`.
std::string design_anchor(const DesignCost& cost);

/// A whole SVG: the first figure of the table to the right, the second one upwards, a colour for
/// each request, the fronts as steps. Designs whose mappings are not all proved are hollow. The
/// points of the front lead to design_anchor() if `linked`. Demands two figures (InternalError).
std::string front_svg(const SweepPlan& plan, const DesignTable& table, bool linked = false);

}  // namespace tilewright
