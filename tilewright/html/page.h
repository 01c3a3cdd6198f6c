// SPDX-License-Identifier: Apache-2.0
// A result as a page to look at: one HTML file that needs nothing else. Equal results give equal
// bytes; times are in it only where a trace is given. docs/report.md shows what is on it.
#pragma once

#include <string>

#include "tilewright/mapper/search_trace.h"
#include "tilewright/report/search/search_text.h"
#include "tilewright/result/evaluated.h"
#include "tilewright/result/planned.h"

namespace tilewright {

struct PageOptions {
  std::string version;                ///< of the program
  const MapResult* mapped = nullptr;  ///< where the mapping comes from; may be null
};

/// One mapping: what it costs, and why. `trace` may be null.
std::string mapping_page(const Evaluated& evaluated, const PageOptions& options,
                         const SearchTrace* trace = nullptr);

/// A network: where its time and energy go, layer by layer. `version` is that of the program.
std::string plan_page(const Planned& planned, const std::string& version);

}  // namespace tilewright
