// SPDX-License-Identifier: Apache-2.0
// A planned network as text: what it comes to, a table of its layers, where the time goes. No times
// of the search: equal bytes for equal plans.
#pragma once

#include <string>

#include "tilewright/format/layout.h"
#include "tilewright/result/planned.h"

namespace tilewright {

/// The whole report; see also the parts.
std::string plan_text(const Planned& planned, const TextOptions& options);

/// Name, totals, what was searched and what is proved.
std::string plan_head_text(const Planned& planned, const TextOptions& options);

/// The last part of it: what was searched and what is proved.
std::string plan_search_text(const Planned& planned, const TextOptions& options);

/// One row for each problem; figures of one run, and the share of the time of all.
std::string plan_table_text(const Planned& planned, const TextOptions& options);

/// Where 80 % of the time goes, which edges stay on chip, what is not counted.
std::string plan_notes_text(const Planned& planned, const TextOptions& options);

/// Layers that do something, and how often they run: `22 layers in 54 runs`.
std::string layers_words(const Network& network);

}  // namespace tilewright
