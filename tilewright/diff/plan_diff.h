// SPDX-License-Identifier: Apache-2.0
// In what two planned networks that were saved as JSON differ: values; diff_text.h says it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/diff/settings.h"
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

/// A layer of either plan by its name; a layer that one of them lacks costs nothing there.
struct LayerDifference {
  SavedLayer before;
  SavedLayer after;

  /// Of all runs.
  double change_pj() const {
    return after.energy_pj * static_cast<double>(after.count) -
           before.energy_pj * static_cast<double>(before.count);
  }
  bool same() const {
    return before.energy_pj == after.energy_pj && before.cycles == after.cycles &&
           before.count == after.count;
  }
};

struct PlanDiff {
  SettingsDiff settings;
  std::vector<LayerDifference> layers;  ///< those that differ, the largest change first
  std::size_t equal = 0;                ///< layers that do not
};

PlanDiff find_differences(const PlanSide& before, const PlanSide& after);

}  // namespace tilewright
