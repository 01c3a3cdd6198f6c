// SPDX-License-Identifier: Apache-2.0
// Constraints of a file as the layers of a network get them: they speak of dims and tensors, which
// layers may call by other names, and of factors that may be too large for some.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tilewright/io/constraints/constraint_reader.h"
#include "tilewright/network/network.h"

namespace tilewright {

/// What holds for layers of one workload.
struct LayerConstraints {
  Workload workload;
  std::vector<Constraint> constraints;
  std::vector<Span> source;            ///< one per constraint
  std::vector<UnfitConstraint> unfit;  ///< those that hold for other layers only
};

/// One entry for every workload. A constraint that does not fit some layers is dropped for these,
/// with a warning (`strict`: an error); one that fits no layer is an error. Nothing if there were
/// errors.
std::optional<std::vector<LayerConstraints>> read_layer_constraints(
    const std::shared_ptr<const SourceFile>& file, const Network& network, const Arch& arch,
    bool strict, Diagnostics& diagnostics);

/// Null if there is none for that workload.
const LayerConstraints* find_layer_constraints(std::span<const LayerConstraints> all,
                                               const Workload& workload);

}  // namespace tilewright
