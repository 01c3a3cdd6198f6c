// SPDX-License-Identifier: Apache-2.0
// What a mapping costs and why, for people: sections that stand alone and the whole report.
// No line is longer than TextOptions::width.
#pragma once

#include <string>

#include "tilewright/format/layout.h"
#include "tilewright/result/evaluated.h"

namespace tilewright {

/// Workload, architecture, and the verdict: energy, pJ/MAC, cycles, EDP, utilization.
std::string verdict_text(const Evaluated& evaluated, const TextOptions& options);

/// Cycles that each memory and the compute units need, the bottleneck first.
std::string cycles_text(const Evaluated& evaluated, const TextOptions& options);

/// Energy by memory, largest first, with each tensor's share.
std::string energy_breakdown_text(const Evaluated& evaluated, const TextOptions& options);

/// Utilization as a product of named factors, and what is behind the ones below 1.
std::string utilization_text(const Evaluated& evaluated, const TextOptions& options);

/// Counts per memory and tensor.
std::string traffic_text(const Evaluated& evaluated, const TextOptions& options);

/// The caveats, and what is not modelled.
std::string caveats_text(const Evaluated& evaluated, const TextOptions& options);

/// All of the above and the nest (report/mapping/nest_text.h).
std::string evaluation_text(const Evaluated& evaluated, const TextOptions& options);

}  // namespace tilewright
