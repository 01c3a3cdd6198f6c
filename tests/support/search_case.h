// SPDX-License-Identifier: Apache-2.0
// Random problems with constraints, objectives and caps for tests of searches, small enough to try
// every mapping in every loop order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/random_case.h"
#include "tilewright/evaluation/evaluation.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/mapspace/rules.h"
#include "tilewright/search/search.h"

namespace tilewright::testing {

struct SearchCase {
  Problem problem;
  SpaceKind kind = SpaceKind::kPfm;
  std::vector<Constraint> constraints;
  SearchOptions options;              ///< objective, caps; one thread
  std::vector<std::string> features;  ///< what this case exercises, for printing the mix
  Placement placement = {};

  /// With even placement.
  Rules rules() const { return make_rules(problem, kind, constraints); }
  /// Of each arrangement, the even one first.
  std::vector<Rules> arrangements() const;
};

/// The case number `index` of the stream `seed`; always the same one. Its space has at most `most`
/// mappings, loop orders counted; now and then it is empty, or nothing in it fits.
SearchCase make_search_case(std::uint64_t seed, std::uint64_t index, std::uint64_t most = 10'000,
                            Mix mix = Mix::kAny);

/// True if a mapping of this cost exceeds none of the caps.
bool meets_caps(const SearchCase& made, const Evaluation& cost);

/// All digits of a score.
std::string text(double value);

/// The case as one YAML file that `tilewright map` reads; objective, caps and conventions are in a
/// comment.
std::string to_yaml(const SearchCase& made);

/// Cases that are simpler than `made` in one way each: a smaller dim, a demand less, a memory
/// without one of its limits, a node less.
std::vector<SearchCase> simpler_cases(const SearchCase& made);

/// `made` made simpler as long as it `fails`.
SearchCase simplify(SearchCase made, const std::function<bool(const SearchCase&)>& fails);

}  // namespace tilewright::testing
