// SPDX-License-Identifier: Apache-2.0
// The mapspace that `--space` names, its size, and what each constraint takes from it.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/cli/session.h"
#include "tilewright/io/read.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/report/search/mapspace_text.h"

namespace tilewright {

/// Every name of a space: those of SpaceKind, and `pad`.
std::vector<std::string> space_names();

/// The kind of the spaces of that name, which must be one of space_names().
SpaceKind kind_of_space(const std::string& name);

/// One space of mappings, or PFM over several sizes of the workload (`pad`).
struct Space {
  std::string name;
  SpaceKind kind = SpaceKind::kRubyS;
  std::vector<Problem> problems;  ///< the given one first

  const Problem& given() const { return problems.front(); }
};

/// `name` must be one of space_names().
Space make_space(const Problem& problem, const std::string& name);

/// Calls `work`. If a mapspace in it is too large to be counted, says so and sets the exit code.
void refuse_large_spaces(Session& session, const std::function<void()>& work);

/// All its sub-spaces, added up over the problems.
SpaceSize measure(const Space& space, std::span<const Constraint> constraints);

/// True if there are few enough problems to count all in no time.
bool is_countable(const Space& space);

/// Mappings alone, added up over the problems; over the given one if the space is not countable.
/// Throws StoppedError once `stop`, which may be null, is true; so does find_effects.
Natural count_mappings(const Space& space, std::span<const Constraint> constraints,
                       const std::atomic<bool>* stop);

/// The loop orders of each block in which every dim is split that may be.
std::vector<BlockOrderSize> measure_orders(const Problem& problem, const Rules& rules);

/// What each constraint of `documents` takes from the mappings of the given problem.
std::vector<ConstraintEffect> find_effects(const Documents& documents, SpaceKind kind,
                                           const std::atomic<bool>* stop = nullptr);

}  // namespace tilewright
