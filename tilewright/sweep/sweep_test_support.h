// SPDX-License-Identifier: Apache-2.0
// Plans for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/support/test_folder.h"
#include "tilewright/io/render.h"
#include "tilewright/sweep/plan/plan.h"

namespace tilewright {

/// The findings about a sweep; empty if there are none.
inline std::string faults_of(const std::string& text, std::optional<SweepPlan>* plan = nullptr) {
  Diagnostics diagnostics;
  const ReadFile nothing = [](const std::string&) { return std::nullopt; };
  std::optional<SweepPlan> made = read_plan({"s.yaml", text, {}, {}}, nothing, diagnostics);
  if (plan != nullptr) *plan = std::move(made);
  return render_text(diagnostics, /*color=*/false);
}

inline SweepPlan plan_of(const std::string& text) {
  std::optional<SweepPlan> plan;
  const std::string faults = faults_of(text, &plan);
  if (!plan) throw std::invalid_argument(faults);
  return std::move(*plan);
}

/// Products of a few milliseconds on 12 designs, of which two are equal for some of them.
inline SweepPlan small_plan() {
  return plan_of(R"(sweep:
  arch: eyeriss
  parameters: {x: [2, 3, 4], glb: [1 KiB, 2 KiB, 3 KiB, 4 KiB]}
  set: {PE.axes.X: x, PE.axes.Y: 2, GLB.capacity: glb}
  workloads: [gemm 4 6 8, gemm 5 5 5, {workload: gemm 8 8 2, weight: 3}]
  spaces: [pfm, ruby-s]
)");
}

using testing::TestFolder;

}  // namespace tilewright
