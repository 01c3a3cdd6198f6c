// SPDX-License-Identifier: Apache-2.0
// Internal to zigzag: a list of layers.
#pragma once

#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/network/network.h"

namespace tilewright::zigzag {

/// Layers that are products of two tensors, summed up; others are left out.
Network read_layers(const YamlNode& list, Diagnostics& diagnostics,
                    std::vector<std::string>& left_out);

}  // namespace tilewright::zigzag
