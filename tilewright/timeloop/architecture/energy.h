// SPDX-License-Identifier: Apache-2.0
// Energy and area tables (`ERT`, `ART`), as every run of Timeloop with Accelergy leaves them.
#pragma once

#include "tilewright/timeloop/architecture/levels.h"
#include "tilewright/timeloop/document/document.h"
#include "tilewright/timeloop/document/findings.h"

namespace tilewright::timeloop {

/// Adds the energies of an `ERT` to the memories and the compute unit; warns of those that have
/// none. `ert` may be null.
void add_energies(const Section* ert, Hardware& hardware, Findings& findings);

/// Adds the areas of an `ART`.
void add_areas(const Section& art, Hardware& hardware, Findings& findings);

}  // namespace tilewright::timeloop
