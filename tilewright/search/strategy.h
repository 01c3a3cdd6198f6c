// SPDX-License-Identifier: Apache-2.0
// The four ways to search, by name, and the one place that chooses among them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tilewright/search/search.h"

namespace tilewright {

enum class Mapper {
  kOptimal,     ///< proves the best
  kLocal,       ///< quick; proves nothing
  kRandom,      ///< draws
  kExhaustive,  ///< evaluates every mapping
};

/// "optimal", "local", "random", "exhaustive".
std::string mapper_name(Mapper mapper);
std::vector<std::string> mapper_names();
/// `name` must be one of mapper_names().
Mapper mapper_by_name(std::string_view name);

/// The search of that name; options that mean nothing to it are ignored.
SearchResult search(const Problem& problem, const Rules& rules, Mapper mapper,
                    const SearchOptions& options);

}  // namespace tilewright
