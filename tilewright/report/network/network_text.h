// SPDX-License-Identifier: Apache-2.0
// A network at a glance: its layers with their sizes. Files come from io/write.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/format/layout.h"
#include "tilewright/network/network.h"

namespace tilewright {

/// How far windows and their taps lie apart, one number an axis; empty if there are no windows.
struct WindowSteps {
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  bool operator==(const WindowSteps&) const = default;
};
WindowSteps window_steps(const Workload& workload);

/// `stride` and `dilation` where they are not 1: `2`, or `1x2` along p and q.
std::vector<std::pair<std::string, std::string>> window_texts(const Workload& workload);

/// What it is and its totals, then a line a layer: runs, dims, MACs and parameters of one run.
/// Throws OverflowError.
std::string network_text(const Network& network, const TextOptions& options);

}  // namespace tilewright
