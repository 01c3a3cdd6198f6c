// SPDX-License-Identifier: Apache-2.0
#include "tilewright/evaluation/evaluation.h"

namespace tilewright {

Utilization utilization(const Evaluation& evaluation, std::int64_t compute_units) {
  const auto real = [](std::int64_t n) { return static_cast<double>(n); };
  Utilization result;
  result.spatial = real(evaluation.compute_instances) / real(compute_units);
  result.edge = real(evaluation.computes) /
                (real(evaluation.compute_steps) * real(evaluation.compute_instances));
  result.temporal = real(evaluation.compute_steps) / real(evaluation.cycles);
  result.total = real(evaluation.computes) / (real(evaluation.cycles) * real(compute_units));
  return result;
}

}  // namespace tilewright
