// SPDX-License-Identifier: Apache-2.0
// What a mapping costs, for programs. Counts are exact integers; keys keep their order. The schema
// number grows when a key changes its meaning or goes away; new keys may come at any time.
#pragma once

#include <string>

#include "tilewright/report/evaluated.h"

namespace tilewright {

constexpr int kEvaluationSchema = 1;

/// One JSON object, indented, with a line end. `version` is the program's.
std::string evaluation_json(const Evaluated& evaluated, const std::string& version);

}  // namespace tilewright
