// SPDX-License-Identifier: Apache-2.0
// The `constraints` section of a YAML file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"

namespace tilewright {

/// A constraint that speaks of what a workload lacks: a dim, a tensor, so large a factor.
struct UnfitConstraint {
  std::string words;   ///< as constraint_text has it: `r >= 3 on X of PE`
  Span place;          ///< of the smallest part that does not fit
  Diagnostic finding;  ///< why not
};

/// The value of `constraints:`, item by item and key by key: `keep`, `bypass`, `factors`,
/// `remainders`, `order`, `dims` axis by axis, `utilization`. Nothing if there were errors. Fills
/// `source`, which may be null, with the place of each. With `unfit`, what does not fit the
/// workload goes there and is no error; of a list of tensors, the others hold.
std::optional<std::vector<Constraint>> read_constraints_node(
    const YamlNode& node, const Problem& problem, Diagnostics& diagnostics,
    std::vector<Span>* source, std::vector<UnfitConstraint>* unfit = nullptr);

}  // namespace tilewright
