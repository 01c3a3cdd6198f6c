// SPDX-License-Identifier: Apache-2.0
// One search by any mapper: over one problem, or one after the other over the padded ones.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tilewright/mapper/result.h"
#include "tilewright/mapper/space.h"
#include "tilewright/search/search.h"
#include "tilewright/search/strategy.h"

namespace tilewright {

/// The result of all searches together, and to which problem of the space its best belongs.
struct SpaceSearch {
  SearchResult result;  ///< without answers
  std::size_t problem = 0;
  std::vector<Alternative> answers;  ///< if several are wanted; as in SearchResult
};

/// Searches every problem of `space`; limits of `options` are shared out among them. A tie goes to
/// the first.
SpaceSearch search_space(const Space& space, std::span<const Constraint> constraints, Mapper mapper,
                         const SearchOptions& options);

}  // namespace tilewright
