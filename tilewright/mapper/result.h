// SPDX-License-Identifier: Apache-2.0
// The result of the mapper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/mapper/request.h"
#include "tilewright/mapper/search_trace.h"
#include "tilewright/mapper/space.h"
#include "tilewright/mapspace/feasibility/conflict.h"
#include "tilewright/search/questions/gain.h"
#include "tilewright/search/questions/simplest.h"
#include "tilewright/search/questions/status.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// A mapping, and the problem of the space that it belongs to.
struct Alternative {
  Found found;
  std::size_t problem = 0;  ///< in Space::problems
};

/// The simplest mapping that is good enough.
struct Simple {
  double share = 0;  ///< good enough: at most this much above the best
  Simplicity best;   ///< of the best
  SimplestResult result;
};

/// What limits the best mapping.
struct Why {
  double best = 0;  ///< its score
  std::vector<Gain> gains;
};

/// A cap that no mapping meets, and the least value of its figure over all mappings.
struct CapBound {
  std::size_t cap = 0;  ///< in MapRequest::caps
  double least = 0;
};

/// The answer to a MapRequest. A value: it refers to nothing outside itself.
struct MapResult {
  MapRequest request;  ///< without its callbacks
  Status status = Status::kNotFound;
  Space space;  ///< what was searched

  /// The best mapping and its problem. All searches together, where `pad` takes several.
  SearchResult search;
  std::size_t problem = 0;  ///< of the best, in Space::problems

  std::vector<Alternative> alternatives;  ///< top: best first; front: fastest first
  std::optional<Simple> simple;           ///< within, if the best is proved
  std::optional<Why> why;                 ///< if the best is proved

  std::optional<Natural> size;            ///< count_mappings(); nothing: stopped before
  std::vector<ConstraintEffect> effects;  ///< of each constraint; empty: stopped before

  std::optional<Alternative> witness;  ///< any mapping that fits, caps aside
  std::optional<Conflict> conflict;    ///< kInfeasible, kContradictory: what cannot hold together
  std::vector<CapBound> cap_bounds;    ///< kInfeasible: for each cap whose least figure is known

  SearchTrace trace;   ///< if asked for
  double seconds = 0;  ///< wall time

  const Problem& given() const { return space.given(); }
  const Problem& problem_of(const Alternative& answer) const {
    return space.problems[answer.problem];
  }
  /// The problem that the best mapping belongs to: the given one, or a padded one.
  const Problem& best_problem() const { return space.problems[problem]; }
  /// What reports are about: the simplest good enough one, if requested, or else the best. There
  /// must be one.
  const Found& shown() const { return simple ? simple->result.found : *search.best; }
  /// False if counts of the search differ from run to run: with several threads, how many nodes an
  /// optimal search visits depends on which thread is first.
  bool counts_repeat() const;
};

}  // namespace tilewright
