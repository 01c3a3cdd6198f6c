// SPDX-License-Identifier: Apache-2.0
// The section `mapping`: a list of directives in any order. `type: temporal` and `spatial` have
// factors and a permutation, `datatype`, `bypass` and `dataspace` say what a level keeps.
#pragma once

#include <optional>
#include <vector>

#include "tilewright/io/read.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/timeloop/architecture/levels.h"
#include "tilewright/timeloop/document/document.h"
#include "tilewright/timeloop/document/findings.h"

namespace tilewright::timeloop {

/// The mapping; nothing, and findings, on error. `hardware` is what the problem's Arch was built
/// from. What a directive leaves open, the level's own constraints decide; loops that no
/// permutation names are outermost, the first of `dims` innermost among them.
std::optional<Mapping> read_mapping(const Section& section, const Hardware& hardware,
                                    const Problem& problem, std::vector<DimId> dims,
                                    const Names& names, Findings& findings, MappingSource& source);

}  // namespace tilewright::timeloop
