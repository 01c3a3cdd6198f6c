// SPDX-License-Identifier: Apache-2.0
// Several mappings side by side: the best ones, or the front of energy and cycles.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tilewright/format/layout.h"
#include "tilewright/report/search/search_text.h"

namespace tilewright {

/// The one of MapResult::alternatives with the lowest score; there must be one.
const Alternative& best_alternative(const MapResult& mapped);

/// Those that a table shows: all, or so many of a front that are evenly spread, the ends among
/// them.
std::vector<std::size_t> shown_alternatives(const MapResult& mapped);

/// How many there are, and whether they are proved, as one sentence.
std::string alternatives_words(const MapResult& mapped);

/// What `other` does differently, a few words each, by memory and fan-out from the outermost
/// inwards: `GLB m 4->2, k 1->2` (factors), `buf +A -B` (kept or not), `DRAM order`.
std::vector<std::string> find_differences(const MapResult& mapped, const Alternative& other);

/// A table of MapResult::alternatives, and for a front a plot; nothing if there are none.
std::string alternatives_text(const MapResult& mapped, const TextOptions& options);

/// A list of all of them, each with its figures and its mapping in text form.
nlohmann::ordered_json alternatives_json(const MapResult& mapped);

}  // namespace tilewright
