// SPDX-License-Identifier: Apache-2.0
// The whole answer of `map`, put together from its parts: for people, for programs, as a page, or
// why there is none.
#pragma once

#include <span>
#include <string>

#include "tilewright/answers/option_style.h"
#include "tilewright/format/layout.h"
#include "tilewright/io/read.h"
#include "tilewright/io/result.h"
#include "tilewright/mapper/result.h"

namespace tilewright {

/// What was searched, the best mapping, and what else the request asked for; a best must be there,
/// here and below.
std::string map_text(const MapResult& mapped, const TextOptions& options);

/// The same for programs.
std::string map_json(const MapResult& mapped, const RunRecord& run);

/// The same as a page, with best and bound over time if the request asked for a trace.
std::string map_page(const MapResult& mapped);

/// The mapping as a file that `evaluate` reads; `nest`: in text form. A padded workload is part of
/// a YAML file.
std::string map_file(const MapResult& mapped, bool nest);

/// Why there is no mapping. `arch` and `constraints`: where the user wrote them.
void report_no_mapping(const MapResult& mapped, const ArchSource& arch,
                       std::span<const Span> constraints, OptionStyle style,
                       Diagnostics& diagnostics);

}  // namespace tilewright
