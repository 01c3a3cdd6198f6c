// SPDX-License-Identifier: Apache-2.0
// Values as files of our own: for `tilewright import`, and for results, which hold the inputs that
// they were made from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tilewright/io/read.h"

namespace tilewright::timeloop {

/// `arch.yaml`, `workload.yaml`, `constraints.yaml` and `mapping.nest`, as far as the documents
/// have them. Read together they give the same values; how costs are counted is an option of the
/// commands.
std::vector<std::shared_ptr<const SourceFile>> write_native(const Documents& documents);

}  // namespace tilewright::timeloop
