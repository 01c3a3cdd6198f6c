// SPDX-License-Identifier: Apache-2.0
// What to say about a search that found no mapping, as findings.
#pragma once

#include <span>

#include "tilewright/io/diagnostic.h"
#include "tilewright/mapper/result.h"

namespace tilewright {

/// M0303: it ended too early. There is a witness, or the user stopped it before that was known.
void report_not_found(const MapResult& mapped, Diagnostics& diagnostics);

/// M0304: all mappings were considered and none keeps the caps. `places`: where each was written.
void report_caps(const MapResult& mapped, std::span<const Span> places, Diagnostics& diagnostics);

}  // namespace tilewright
