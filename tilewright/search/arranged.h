// SPDX-License-Identifier: Apache-2.0
// Searches of a problem some of whose memories may keep their tensors at different points of the
// nest (mapspace/arrangement.h): the arrangements, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tilewright/mapspace/arrangement.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/search/search.h"
#include "tilewright/search/strategy.h"

namespace tilewright {

/// The mappings of all arrangements together.
struct ArrangedSpace {
  SpaceKind kind = SpaceKind::kRubyS;
  std::span<const Constraint> constraints;
  std::span<const Arrangement> arrangements;  ///< one at least, the even one first
};

/// Adds to `sum` what one more search has seen, and how it ended.
void add_effort(const SearchResult& next, SearchResult& sum);

/// What each of so many searches may use of what is left of a limit; 0: there is no limit.
std::uint64_t share_limit(std::uint64_t limit, std::uint64_t used, std::size_t searches);

/// Searches every arrangement; limits of `options` are shared out among them. After the first come
/// those whose lower bound is lowest, and those that cannot have the best are left out. A tie goes
/// to the one that is searched first.
SearchResult search(const Problem& problem, const ArrangedSpace& space, Mapper mapper,
                    const SearchOptions& options);

}  // namespace tilewright
