// SPDX-License-Identifier: Apache-2.0
// The section `problem`: a shape (dimensions, coefficients, data spaces with their projections) and
// an instance (sizes).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/timeloop/document/document.h"
#include "tilewright/timeloop/document/findings.h"
#include "tilewright/timeloop/document/names.h"
#include "tilewright/workload/workload.h"

namespace tilewright::timeloop {

/// The workload, its dims in the order of the einsum; nothing, and findings, on error. Timeloop's
/// problems have no element widths: `bits` is that of all tensors.
std::optional<Workload> read_problem(const Section& section, const Names& names, std::int64_t bits,
                                     Findings& findings);

/// All dims as the shape lists them: loops that no permutation names stand in this order.
std::vector<DimId> shape_order(const Section& section, const Workload& workload);

/// The same workload with other widths.
Workload with_bits(const Workload& workload, std::int64_t bits);

}  // namespace tilewright::timeloop
