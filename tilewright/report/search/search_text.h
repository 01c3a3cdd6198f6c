// SPDX-License-Identifier: Apache-2.0
// What a search went through, how it ended and whether its best is proved: the head of the report
// on the best mapping, and the same for programs. No times and no threads: equal bytes for equal
// searches.
#pragma once

#include <string>

#include "tilewright/format/layout.h"
#include "tilewright/io/result.h"
#include "tilewright/mapper/result.h"
#include "tilewright/result/evaluated.h"

namespace tilewright {

/// What is assumed, space, search, ending, result: a few lines.
std::string search_text(const MapResult& mapped, const TextOptions& options);

/// What the padding costs; empty if no dim of `best` is larger than in `given`.
std::string padding_text(const Problem& given, const Problem& best, const TextOptions& options);

/// evaluation_json of the best, and the search under `search`.
std::string search_json(const MapResult& mapped, const Evaluated& best, const std::string& version,
                        const RunRecord& run = {});

/// One line without an end, for a terminal: `12.3 s  1,234,567 seen  2.1 % fit  best
/// edp 1.234 mJ*cycle`, or of an optimal search `12.3 s  1,234,567 nodes  best edp 1.234 mJ*cycle
/// gap 2.8 %  bound 1.200 mJ*cycle`.
std::string progress_text(const Progress& progress, Mapper mapper, const std::string& objective);

}  // namespace tilewright
