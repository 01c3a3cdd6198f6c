// SPDX-License-Identifier: Apache-2.0
// In what two results differ, and why: values; diff_text.h says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/diff/nest_diff.h"
#include "tilewright/diff/settings.h"
#include "tilewright/result/evaluated.h"

namespace tilewright {

/// One of the two results. Refers to values that outlive it.
struct DiffSide {
  std::string name;  ///< `a.json`
  std::string version;
  const RunRecord& run;
  const Evaluated& evaluated;
  std::optional<bool> proved = {};            ///< of a search: nothing is better
  std::vector<std::string> constraints = {};  ///< that a search obeyed: `m <= 4 at GLB`
};

/// One factor of utilization, if it or what is behind it differs.
struct FactorDifference {
  std::string name;  ///< spatial, edge, temporal
  double before = 0;
  double after = 0;
  std::vector<std::string> reasons;  ///< `PE.X 7 of 14 (p 7) -> 14 of 14 (p 7 * m 2)`
};

struct CountDifference {
  std::string action;  ///< reads, fills, updates
  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// Energy that one tensor takes at one memory, or the compute units, or a memory's leakage.
struct PartDifference {
  std::string name;  ///< `DRAM Weights`, `mac`, `GLB leakage`
  double before_pj = 0;
  double after_pj = 0;
  std::vector<CountDifference> counts;  ///< those that differ, the largest change first
  std::vector<std::string> reasons;     ///< `moved 14x (p 2, p 7) -> 5x (p 5)`

  double change_pj() const { return after_pj - before_pj; }
};

struct ResultDiff {
  SettingsDiff settings;  ///< same: `workload conv2`, `arch eyeriss`, `mapping`
  std::vector<FactorDifference> factors;
  std::vector<PartDifference> parts;  ///< those that differ, the largest change first
  std::vector<NestRow> nest;
};

ResultDiff find_differences(const DiffSide& before, const DiffSide& after);

}  // namespace tilewright
