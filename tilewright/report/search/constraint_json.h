// SPDX-License-Identifier: Apache-2.0
// Constraints with their effects as JSON, for the reports that have them.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "tilewright/report/search/mapspace_text.h"

namespace tilewright {

/// A list of {place, constraint, size_with, size_without}.
nlohmann::ordered_json constraints_json(std::span<const NamedEffect> effects);

}  // namespace tilewright
