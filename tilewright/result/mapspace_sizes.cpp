// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/mapspace_sizes.h"

#include "tilewright/io/constraints/constraint_text.h"

namespace tilewright {

std::vector<NamedEffect> name_effects(const Problem& problem,
                                      std::span<const Constraint> constraints,
                                      std::span<const std::string> places,
                                      std::span<const ConstraintEffect> effects) {
  std::vector<NamedEffect> named;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    named.push_back(
        {places.empty() ? "" : places[i], constraint_text(problem, constraints[i]), effects[i]});
  }
  return named;
}

std::vector<NamedEffect> name_effects(const MapResult& mapped) {
  return name_effects(mapped.given(), mapped.request.constraints, mapped.request.constraint_places,
                      mapped.effects);
}

}  // namespace tilewright
