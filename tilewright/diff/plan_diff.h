// SPDX-License-Identifier: Apache-2.0
// Two planned networks that were saved as JSON: what they come to, and which layers differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/format/layout.h"
#include "tilewright/io/result.h"

namespace tilewright {

/// One layer of a saved plan; figures of one run.
struct SavedLayer {
  std::string name;
  std::int64_t count = 1;
  double energy_pj = 0;
  double cycles = 0;
  std::string bottleneck;
};

/// What plan_json wrote, as far as it is compared.
struct SavedPlan {
  std::string network;
  double energy_pj = 0;
  double cycles = 0;
  double utilization = 0;
  double dram_bits = 0;
  bool proved = false;
  std::vector<SavedLayer> layers;
};

/// Nothing if it is something else than plan_json wrote.
std::optional<SavedPlan> read_saved_plan(std::string_view json);

/// One of the two. Refers to values that outlive it.
struct PlanSide {
  std::string name;
  const ResultFile& file;
  const SavedPlan& plan;
};

/// What is the same, what is not, the totals, and a table of the layers that differ, the largest
/// change of energy first.
std::string plan_diff_text(const PlanSide& before, const PlanSide& after,
                           const TextOptions& options);

/// One JSON object, indented, with a line end. `version` is the program's.
std::string plan_diff_json(const PlanSide& before, const PlanSide& after,
                           const std::string& version);

}  // namespace tilewright
