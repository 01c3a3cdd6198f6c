// SPDX-License-Identifier: Apache-2.0
// Results as bytes, for pickles. Inputs travel as texts, what was found as it is: nothing is
// searched again.
#pragma once

#include <string>
#include <string_view>

#include "answers.h"

namespace tilewright::python {

std::string save(const MapAnswer& answer);
std::string save(const PlanAnswer& answer);

/// Throws InputError if the bytes are something else, or from another version.
MapAnswer load_map(std::string_view bytes);
PlanAnswer load_plan(std::string_view bytes);

}  // namespace tilewright::python
