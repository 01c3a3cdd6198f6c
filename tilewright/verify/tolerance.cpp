// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tolerance.h"

namespace tilewright::verify {
namespace {

int figures(const Objective& objective) {
  return (objective.energy > 0 ? 1 : 0) + (objective.latency > 0 ? 1 : 0) +
         (objective.traffic > 0 ? 1 : 0);
}

}  // namespace

Objective ranking(const Objective& objective) {
  if (figures(objective) != 1) return objective;
  return {.energy = objective.energy > 0 ? 1.0 : 0.0,
          .latency = objective.latency > 0 ? 1.0 : 0.0,
          .traffic = objective.traffic > 0 ? 1.0 : 0.0};
}

double tolerance(const Objective& objective) {
  const bool whole = objective.energy == 0 && figures(objective) == 1;
  return (whole ? kWholeRounding : kEnergyRounding) * least_exponent(objective);
}

}  // namespace tilewright::verify
