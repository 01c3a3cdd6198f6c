// SPDX-License-Identifier: Apache-2.0
// The cost model's front door. docs/model.md has the formulas; model/evaluator.h is the fast,
// incremental form for searches.
#pragma once

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// What `mapping` costs. It must have no structural violation (InternalError); it need not fit.
/// Throws OverflowError if an exact count does not fit in 64 bits.
Evaluation evaluate(const Problem& problem, const Mapping& mapping);

}  // namespace tilewright
