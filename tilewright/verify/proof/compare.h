// SPDX-License-Identifier: Apache-2.0
// What a proof speaks of, beside the user's own files.
#pragma once

#include <string>
#include <vector>

#include "tilewright/io/read.h"
#include "tilewright/verify/proof/proof.h"

namespace tilewright::verify {

/// In what the problem and the constraints of a proof differ from those of `own`, one line each.
/// What `own` has no section of is not compared, but constraints are: none is some. Names of the
/// workload and the architecture, notes and sources mean nothing.
std::vector<std::string> find_differences(const Proof& proof, const Documents& own);

}  // namespace tilewright::verify
