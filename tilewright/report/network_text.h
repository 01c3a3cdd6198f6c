// SPDX-License-Identifier: Apache-2.0
// A network at a glance: its layers with their sizes. Files come from io/write.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tilewright/network/network.h"
#include "tilewright/report/layout.h"

namespace tilewright {

/// `stride` and `dilation` of a convolution as they differ from 1: `2`, or `1x2` along p and q.
std::vector<std::pair<std::string, std::string>> window_steps(const Workload& workload);

/// What it is and its totals, then a line a layer: runs, dims, MACs and parameters of one run.
/// Throws OverflowError.
std::string network_text(const Network& network, const TextOptions& options);

}  // namespace tilewright
