// SPDX-License-Identifier: Apache-2.0
// The layers of a network by their names.
#pragma once

#include <string>

#include "tilewright/io/diagnostic.h"
#include "tilewright/network/network.h"

namespace tilewright {

/// Null, with a finding, if there is no such layer or it is no einsum.
const Workload* find_layer_workload(const Network& network, const std::string& layer,
                                    Diagnostics& diagnostics);

}  // namespace tilewright
