// SPDX-License-Identifier: Apache-2.0
// What to say about a search that found no mapping, as findings.
#pragma once

#include <span>
#include <string>

#include "tilewright/io/diagnostic.h"
#include "tilewright/report/search/search_text.h"

namespace tilewright {

/// A cap, where it was written, and the least value of its figure over all mappings.
struct CapBound {
  Cap cap;
  Span place;
  double least = 0;
};

/// M0303: it ended too early. `witness`: a mapping that fits, in text form.
void report_not_found(const Searched& searched, const std::string& witness,
                      Diagnostics& diagnostics);

/// M0304: all mappings were seen and none keeps the caps.
void report_caps(const Searched& searched, std::span<const CapBound> bounds,
                 Diagnostics& diagnostics);

}  // namespace tilewright
