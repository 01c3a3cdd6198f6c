// SPDX-License-Identifier: Apache-2.0
// Which mappings are searched: a space by its name, how large it is, and what constraints take
// away.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright {

/// Every name of a space: those of SpaceKind, and `pad`.
std::vector<std::string> space_names();

/// True if `name` is one of space_names().
bool is_space(std::string_view name);

/// The kind of the spaces of that name, which must be one of space_names().
SpaceKind kind_of_space(std::string_view name);

/// The mappings of one problem, or of several that differ in the sizes of their dims (`pad`).
struct Space {
  std::string name;
  SpaceKind kind = SpaceKind::kRubyS;
  std::vector<Problem> problems;  ///< the given one first
  /// Which memories may keep their tensors at different points of the nest.
  Placement placement = {};
  std::vector<Arrangement> arrangements = {{}};  ///< list_arrangements(): what is searched
  std::vector<Arrangement> distinct = {{}};      ///< list_distinct_arrangements(): what is counted

  const Problem& given() const { return problems.front(); }
};

/// What a user wrote for a placement: `even`, `uneven`, or `uneven@` and names of memories with
/// commas between them.
struct NamedPlacement {
  Placement memories;               ///< all that are named, whether or not they can be uneven
  bool all = false;                 ///< they were not named one by one
  std::vector<std::string> faults;  ///< a sentence for each
};
NamedPlacement read_placement(std::string_view text, const Arch& arch);

/// What it means for one problem, or why it cannot be.
struct ReadPlacement {
  Placement placement;
  std::vector<std::string> faults;  ///< a sentence for each
};
ReadPlacement read_placement(std::string_view text, const Problem& problem,
                             std::span<const Constraint> constraints);

/// `name` must be one of space_names(). Placement is even.
Space make_space(const Problem& problem, const std::string& name);

/// The same with memories that may be uneven.
Space make_space(const Problem& problem, const std::string& name,
                 std::span<const Constraint> constraints, const Placement& placement);

/// True if some memory could keep its tensors at different points of the nest and may not.
bool leaves_out_uneven(const Space& space, std::span<const Constraint> constraints);

/// The sub-spaces of one space.
struct SpaceSize {
  std::string space;       ///< "ruby-s"
  std::int64_t sizes = 1;  ///< `pad`: choices of the dims' sizes that are added up
  bool counted = true;     ///< false: too many of them, and the rest is not known
  Natural tilings;         ///< ways to split the dims over all places
  Natural assignments;     ///< of these, ways that split only over the array
  Natural keeps;           ///< choices of what is kept where
  Natural mappings;        ///< all of it
};

/// All sub-spaces, added up over the problems. Throws OverflowError if they are too large to count;
/// so do the functions below.
SpaceSize measure(const Space& space, std::span<const Constraint> constraints);

/// True if there are few enough problems to count all of them in no time.
bool is_countable(const Space& space);

/// The mappings of all problems; of the given one alone if the space is not countable. Throws
/// StoppedError once `stop`, which may be null, is true; so does find_effects.
Natural count_mappings(const Space& space, std::span<const Constraint> constraints,
                       const std::atomic<bool>* stop);

/// The loop orders of one block in which every dim that may be split is.
struct BlockOrderSize {
  std::string memory;
  Natural orders;
  Natural classes;  ///< of orders that cost the same
};

/// Every block that has loops, outermost first.
std::vector<BlockOrderSize> measure_orders(const Problem& problem, const Rules& rules);

/// The size of a space with and without one of its constraints, the others staying.
struct ConstraintEffect {
  Natural with;
  Natural without;
};

/// One for each constraint.
std::vector<ConstraintEffect> find_effects(const Problem& problem, SpaceKind kind,
                                           std::span<const Constraint> constraints,
                                           const std::atomic<bool>* stop = nullptr);

}  // namespace tilewright
