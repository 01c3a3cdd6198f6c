// SPDX-License-Identifier: Apache-2.0
// What made a result, in the result: io/result.h reads it back.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tilewright/io/result.h"

namespace tilewright {

/// Sets `run` of a result; nothing if the record is empty.
void add_run(const RunRecord& run, nlohmann::ordered_json& root);

}  // namespace tilewright
