// SPDX-License-Identifier: Apache-2.0
// The `constraints` section of a YAML file.
#pragma once

#include <optional>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml_tree.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"

namespace tilewright {

/// The value of `constraints:`, item by item and key by key: `keep`, `bypass`, `factors`,
/// `remainders`, `order`, `dims` axis by axis, `utilization`. Nothing if there were errors. Fills
/// `source`, which may be null, with the place of each.
std::optional<std::vector<Constraint>> read_constraints_node(const YamlNode& node,
                                                             const Problem& problem,
                                                             Diagnostics& diagnostics,
                                                             std::vector<Span>* source);

}  // namespace tilewright
