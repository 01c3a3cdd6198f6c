// SPDX-License-Identifier: Apache-2.0
// Temporal loops over batch dims, which every tensor depends on: a depthwise convolution's
// channels, the products of a batch. They are best left to the outermost memory.
#pragma once

#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// `rules` without the loops over batch dims that could as well be the outermost ones of all: for
/// every mapping that is left out, one remains that costs no more (docs/optimal.md section 4).
Rules leave_batches_outside(const Problem& problem, Rules rules);

}  // namespace tilewright
