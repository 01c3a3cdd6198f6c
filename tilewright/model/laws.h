// SPDX-License-Identifier: Apache-2.0
// Conservation laws that every evaluation obeys, whatever the mapping: a check that needs no second
// model. `evaluate()` tests them in debug builds, `tilewright evaluate --check` always.
#pragma once

#include <string>
#include <vector>

#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

struct LawReport {
  int checked = 0;                  ///< how many statements were tested
  std::vector<std::string> broken;  ///< one sentence each
};

/// Tests `evaluation` of `mapping`.
LawReport check_laws(const Problem& problem, const Mapping& mapping, const Evaluation& evaluation);

}  // namespace tilewright
