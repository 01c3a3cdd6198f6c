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

MapspaceSizes measure_spaces(const Problem& problem, std::span<const Constraint> constraints,
                             std::span<const std::string> places, const std::string& wanted) {
  MapspaceSizes sizes;
  for (const std::string& name : space_names()) {
    if (!wanted.empty() && name != wanted) continue;
    const Space space = make_space(problem, name);
    if (wanted.empty() && !is_countable(space)) {
      sizes.spaces.push_back({.space = name,
                              .sizes = static_cast<std::int64_t>(space.problems.size()),
                              .counted = false});
    } else {
      sizes.spaces.push_back(measure(space, constraints));
    }
  }
  const SpaceKind kind = wanted.empty() ? SpaceKind::kRubyS : kind_of_space(wanted);
  sizes.blocks = measure_orders(problem, make_rules(problem, kind, constraints));
  sizes.constrained = space_name(kind);
  sizes.effects =
      name_effects(problem, constraints, places, find_effects(problem, kind, constraints));
  return sizes;
}

}  // namespace tilewright
