// SPDX-License-Identifier: Apache-2.0
// Why the best mapping is no better: the limits that bind, and what each would be worth.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tilewright/format/layout.h"
#include "tilewright/report/search/search_text.h"
#include "tilewright/report/search/why_view.h"

namespace tilewright {

/// The limits that bind, the dearest first, and the names of those that do not; nothing if
/// MapResult::why is not set.
std::string why_text(const MapResult& mapped, const TextOptions& options);

/// {limit, binding, now, tries: [{to, score, bound, proved, change}]} for each.
nlohmann::ordered_json why_json(const MapResult& mapped);

}  // namespace tilewright
