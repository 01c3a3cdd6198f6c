// SPDX-License-Identifier: Apache-2.0
// What files demand of the mappings of each level, from all places together, macros worked out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tilewright/mapping/problem.h"
#include "tilewright/timeloop/architecture/levels.h"
#include "tilewright/timeloop/constraints/factors.h"
#include "tilewright/timeloop/document/document.h"
#include "tilewright/timeloop/document/findings.h"

namespace tilewright::timeloop {

/// The loops of a level over time, or those of its fan-out.
struct LoopDemands {
  std::vector<Factor> factors;
  std::optional<Permutation> order;
  std::optional<std::int64_t> split;
  Span order_place;
  Span place;
};

struct LevelDemands {
  LoopDemands temporal;
  LoopDemands spatial;
  TensorSet keep = 0;
  TensorSet bypass = 0;
  Span keep_place;
};

/// One entry for each level. What is wrong goes to the findings.
std::vector<LevelDemands> read_demands(const Document& document, const Hardware& hardware,
                                       const Problem& problem, const Names& names,
                                       Findings& findings);

}  // namespace tilewright::timeloop
