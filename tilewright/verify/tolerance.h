// SPDX-License-Identifier: Apache-2.0
// How far apart two scores must be to differ (docs/optimal.md section 6).
#pragma once

#include "tilewright/evaluation/objective.h"

namespace tilewright::verify {

/// By what share of themselves cycles and elements may be off, which are whole numbers: no
/// difference is lost below 10^11.
constexpr double kWholeRounding = 2e-12;
/// The same of energies, which are sums of rounded products.
constexpr double kEnergyRounding = 1e-9;

/// An objective that orders mappings as `objective` does: of one figure, the figure itself.
Objective ranking(const Objective& objective);

/// By what share of itself a score may be off by rounding.
double tolerance(const Objective& objective);

}  // namespace tilewright::verify
