// SPDX-License-Identifier: Apache-2.0
// Where an energy comes from, as a sum of products: for `tilewright explain`.
#pragma once

#include <string>
#include <vector>

#include "tilewright/result/evaluated.h"

namespace tilewright {

/// Lines without ends, the value first: `DRAM.Outputs.energy = 401.4 nJ`, then one for each action.
std::vector<std::string> tensor_energy_lines(const Evaluated& evaluated,
                                             const MemoryEvaluation& memory, TensorId tensor);

/// The same for a memory: by tensor, and its leakage.
std::vector<std::string> memory_energy_lines(const Evaluated& evaluated,
                                             const MemoryEvaluation& memory);

/// The same for the compute units.
std::vector<std::string> compute_energy_lines(const Evaluated& evaluated);

/// `edp = 2.65 mJ*cycle`, and its two factors.
std::vector<std::string> edp_lines(const Evaluated& evaluated);

}  // namespace tilewright
