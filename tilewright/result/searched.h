// SPDX-License-Identifier: Apache-2.0
// A search that has ended, as every report about it needs it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/base/natural.h"
#include "tilewright/result/mapspace_sizes.h"
#include "tilewright/search/questions/gain.h"
#include "tilewright/search/questions/simplest.h"
#include "tilewright/search/search.h"

namespace tilewright {

enum class Mapper { kOptimal, kLocal, kRandom, kExhaustive };

/// "optimal", "local", "random", "exhaustive".
std::string mapper_name(Mapper mapper);
std::vector<std::string> mapper_names();
/// `name` must be one of mapper_names().
Mapper mapper_by_name(const std::string& name);

/// "exhausted", "budget", ...
std::string ending_name(Ending ending);

/// One of several mappings that were asked for. Refers to a value that outlives it.
struct Alternative {
  const Problem& problem;  ///< the given one, or a padded one
  Found found;
};

/// What came of a wish for the simplest mapping that is good enough.
struct Simple {
  double share = 0;  ///< good enough: at most so much above the best
  Simplicity best;   ///< of the best
  SimplestResult result;
};

/// What came of a wish to know why the best is no better.
struct Why {
  double best = 0;  ///< its score
  std::vector<Gain> gains;
};

/// A search that has ended. Refers to values that outlive it.
struct Searched {
  const Problem& given;        ///< as the user has it; the best may belong to a padded one
  const SearchResult& result;  ///< all searches together where there were several
  std::string space;           ///< "ruby-s"
  Natural size;                ///< mappings in it
  bool sized = true;           ///< false: the user did not wait for `size`
  std::int64_t sizes = 1;      ///< `pad`: choices of the dims' sizes
  bool counted = true;         ///< false: `size` is that of the given sizes alone
  Mapper mapper = Mapper::kRandom;
  std::uint64_t seed = 1;
  std::uint64_t patience = 0;
  std::string objective;          ///< "edp"
  std::vector<std::string> caps;  ///< as the user wrote them
  std::vector<ConstraintEffect> constraints;
  double gap = 0;          ///< that was good enough
  bool repeatable = true;  ///< `result` counts the same every time; only then JSON has it
  std::vector<Alternative> alternatives;  ///< best first, or the front: fastest first
  bool front = false;                     ///< `alternatives` are the front
  std::optional<Simple> simple;           ///< the report is then about that one instead of the best
  std::optional<Why> why;
};

}  // namespace tilewright
