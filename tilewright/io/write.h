// SPDX-License-Identifier: Apache-2.0
// Values out, as files that read.h reads back to the same values.
#pragma once

#include <string>

#include "tilewright/arch/arch.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

std::string write_workload(const Workload& workload);                       ///< YAML, `workload:`
std::string write_arch(const Arch& arch);                                   ///< YAML, `arch:`
std::string write_mapping(const Problem& problem, const Mapping& mapping);  ///< YAML, `mapping:`
std::string write_nest(const Problem& problem, const Mapping& mapping);     ///< text form, `.nest`

}  // namespace tilewright
