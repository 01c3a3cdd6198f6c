// SPDX-License-Identifier: Apache-2.0
// Values out, as files that read.h reads back to the same values.
#pragma once

#include <span>
#include <string>

#include "tilewright/arch/arch.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/network/network.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

std::string write_workload(const Workload& workload);  ///< YAML, `workload:`
/// The value of `bits` for one tensor of a workload.
std::string write_widths(std::int64_t bits, const std::optional<std::int64_t>& partial_bits);
std::string write_arch(const Arch& arch);                                   ///< YAML, `arch:`
std::string write_mapping(const Problem& problem, const Mapping& mapping);  ///< YAML, `mapping:`
std::string constraints_to_yaml(const Problem& problem,
                                std::span<const Constraint> constraints);  ///< `constraints:`
std::string write_nest(const Problem& problem, const Mapping& mapping);    ///< text form, `.nest`

/// YAML, `network:`. Layers and edges must have names, each its own, and a workload that of its
/// layer (InternalError).
std::string write_network(const Network& network);

}  // namespace tilewright
