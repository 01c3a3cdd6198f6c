// SPDX-License-Identifier: Apache-2.0
// The section `mapper`: its objective is used; its other keys say how Timeloop searches, which has
// no meaning for a search that proves its result.
#pragma once

#include <optional>
#include <string>

#include "tilewright/timeloop/document/document.h"
#include "tilewright/timeloop/document/findings.h"

namespace tilewright::timeloop {

/// The objective as we call it; nothing if none is given or it is not known here. What has no
/// effect is noted, a misspelt key reported.
std::optional<std::string> read_mapper(const Section& section, Findings& findings);

}  // namespace tilewright::timeloop
