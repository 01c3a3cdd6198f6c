// SPDX-License-Identifier: Apache-2.0
// From levels to an Arch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/io/read.h"
#include "tilewright/timeloop/architecture/levels.h"
#include "tilewright/timeloop/document/findings.h"

namespace tilewright::timeloop {

/// The architecture; nothing, and findings, on error. Sets the nodes of the levels, and `source`.
/// `tensors` are the names of the data spaces.
std::optional<Arch> build_arch(Hardware& hardware, const std::vector<std::string>& tensors,
                               ArchSource& source, Findings& findings);

}  // namespace tilewright::timeloop
