// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/questions/status.h"

#include "tilewright/base/error.h"

namespace tilewright {

std::string_view status_name(Status status) {
  switch (status) {
    case Status::kProved:
      return "proved";
    case Status::kWithinGap:
      return "within-gap";
    case Status::kNotProved:
      return "not-proved";
    case Status::kInfeasible:
      return "infeasible";
    case Status::kContradictory:
      return "contradictory";
    case Status::kNotFound:
      return "not-found";
  }
  throw InternalError("a status without a name");
}

std::string_view ending_name(Ending ending) {
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
    case Ending::kMemory:
      return "memory";
    case Ending::kStopped:
      break;
  }
  return "stopped";
}

Status status_of(const SearchResult& result) {
  const bool complete = result.ending == Ending::kExhausted;
  if (!result.best) return complete ? Status::kInfeasible : Status::kNotFound;
  if (complete || (result.bound && *result.bound >= result.best->score)) return Status::kProved;
  return result.ending == Ending::kGap ? Status::kWithinGap : Status::kNotProved;
}

}  // namespace tilewright
