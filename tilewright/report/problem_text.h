// SPDX-License-Identifier: Apache-2.0
// A workload and an architecture at a glance. Files come from io/write.h; this is for people.
#pragma once

#include <string>

#include "tilewright/arch/arch.h"
#include "tilewright/report/layout.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// The einsum, the dims' sizes, the tensors' shapes, the number of MACs.
std::string workload_text(const Workload& workload, const TextOptions& options);

/// The nodes from the outermost in, with instances, sizes, bandwidths and energies.
std::string arch_text(const Arch& arch, const TextOptions& options);

}  // namespace tilewright
