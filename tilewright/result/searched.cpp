// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/searched.h"

#include <algorithm>

#include "tilewright/base/error.h"

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

std::string ending_name(Ending ending) {
  switch (ending) {
    case Ending::kExhausted:
      return "exhausted";
    case Ending::kPatience:
      return "patience";
    case Ending::kBudget:
      return "budget";
    case Ending::kLocal:
      return "local";
    case Ending::kGap:
      return "gap";
    case Ending::kStopped:
      break;
  }
  return "stopped";
}

std::vector<std::string> mapper_names() {
  std::vector<std::string> names;
  for (const Mapper mapper : kMappers) names.push_back(mapper_name(mapper));
  return names;
}

Mapper mapper_by_name(const std::string& name) {
  const auto* const found =
      std::ranges::find_if(kMappers, [&](Mapper mapper) { return mapper_name(mapper) == name; });
  TW_CHECK(found != std::end(kMappers), "the command line checked the name");
  return *found;
}

}  // namespace tilewright
