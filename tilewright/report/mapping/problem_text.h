// SPDX-License-Identifier: Apache-2.0
// A workload and an architecture at a glance. Files come from io/write.h; this is for people.
#pragma once

#include <string>

#include "tilewright/arch/arch.h"
#include "tilewright/format/layout.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// The einsum, the dims' sizes, the tensors' shapes, the number of MACs.
std::string workload_text(const Workload& workload, const TextOptions& options);

/// The nodes from the outermost in, with copies, sizes, bandwidths, energies and their sources.
std::string arch_text(const Arch& arch, const TextOptions& options);

/// Where the energies come from, as far as the architecture says.
std::string energy_sources_text(const Arch& arch, const TextOptions& options);

}  // namespace tilewright
