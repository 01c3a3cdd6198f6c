// SPDX-License-Identifier: Apache-2.0
// What a design costs at least, from bounds for its problems.
#pragma once

#include <optional>
#include <span>

#include "tilewright/arch/arch.h"
#include "tilewright/store/row.h"
#include "tilewright/sweep/plan/plan.h"
#include "tilewright/sweep/table.h"

namespace tilewright {

/// The figure of a design that its problems bound if they are searched for this objective; nothing
/// if there is none.
std::optional<Figure> bounded_figure(const Objective& objective);

/// No design on `arch` has a smaller `figure`, which is the bounded one of the objective. `rows`:
/// one for each workload of the plan. Nothing if some layer has no mapping.
///
/// For the EDP of a network, the product of two sums, only the products of the layers are bounded;
/// by the inequality of Cauchy and Schwarz, (sum of E)(sum of C) >= (sum of sqrt(E C))^2.
std::optional<double> bound_design(const SweepPlan& plan, const Arch& arch,
                                   std::span<const std::optional<Row>> rows, Figure figure);

}  // namespace tilewright
