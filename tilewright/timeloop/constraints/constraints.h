// SPDX-License-Identifier: Apache-2.0
// From demands to the Constraints of a mapspace.
#pragma once

#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/timeloop/architecture/levels.h"
#include "tilewright/timeloop/constraints/demands.h"
#include "tilewright/timeloop/document/findings.h"

namespace tilewright::timeloop {

struct PlacedConstraints {
  std::vector<Constraint> constraints;
  std::vector<Span> places;  ///< one each
};

/// What cannot be said with our constraints goes to the findings.
PlacedConstraints to_constraints(const std::vector<LevelDemands>& demands, const Hardware& hardware,
                                 const Problem& problem, Findings& findings);

}  // namespace tilewright::timeloop
