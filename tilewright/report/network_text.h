// SPDX-License-Identifier: Apache-2.0
// A network at a glance: its layers with their sizes. Files come from io/write.h.
#pragma once

#include <string>

#include "tilewright/network/network.h"
#include "tilewright/report/layout.h"

namespace tilewright {

/// What it is and its totals, then a line a layer: runs, dims, MACs and parameters of one run.
/// Throws OverflowError.
std::string network_text(const Network& network, const TextOptions& options);

}  // namespace tilewright
