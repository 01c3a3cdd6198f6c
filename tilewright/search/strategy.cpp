// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/strategy.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/mapspace/mapspace.h"

namespace tilewright {
namespace {

constexpr Mapper kMappers[] = {Mapper::kOptimal, Mapper::kLocal, Mapper::kRandom,
                               Mapper::kExhaustive};

}  // namespace

std::string mapper_name(Mapper mapper) {
  switch (mapper) {
    case Mapper::kOptimal:
      return "optimal";
    case Mapper::kLocal:
      return "local";
    case Mapper::kRandom:
      return "random";
    case Mapper::kExhaustive:
      break;
  }
  return "exhaustive";
}

std::vector<std::string> mapper_names() {
  std::vector<std::string> names;
  for (const Mapper mapper : kMappers) names.push_back(mapper_name(mapper));
  return names;
}

Mapper mapper_by_name(std::string_view name) {
  const auto* const found = std::ranges::find(kMappers, name, mapper_name);
  TW_CHECK(found != std::end(kMappers), "the name is one of mapper_names()");
  return *found;
}

SearchResult search(const Problem& problem, const Rules& rules, Mapper mapper,
                    const SearchOptions& options) {
  switch (mapper) {
    case Mapper::kOptimal:
      return search_optimal(problem, rules, options);
    case Mapper::kLocal:
      return search_local(problem, rules, options);
    case Mapper::kRandom:
      return search_random(problem, rules, options);
    case Mapper::kExhaustive:
      break;
  }
  return search_exhaustive(Mapspace(problem, rules), options);
}

}  // namespace tilewright
