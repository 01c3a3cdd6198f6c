// SPDX-License-Identifier: Apache-2.0
// What a mapping costs, for programs. Counts are exact integers; keys keep their order.
#pragma once

#include <string>

#include "tilewright/io/result.h"
#include "tilewright/result/evaluated.h"

namespace tilewright {

/// One JSON object, indented, with a line end. `version` is the program's; `run` is left out if it
/// is empty.
std::string evaluation_json(const Evaluated& evaluated, const std::string& version,
                            const RunRecord& run = {});

}  // namespace tilewright
