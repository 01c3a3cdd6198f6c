// SPDX-License-Identifier: Apache-2.0
// Random problems with random constraints, small enough to try every mapping; and the two judges:
// whether a mapping obeys rules, and whether any does and fits, both the plain, slow way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/mapspace/constraint.h"
#include "tilewright/mapspace/rules.h"

namespace tilewright::testing {

struct SmallCase {
  Problem problem;
  SpaceKind kind;
  std::vector<Constraint> constraints;
};

/// The case number `index` of the stream `seed`; always the same one.
SmallCase make_small_case(std::uint64_t seed, std::uint64_t index);

/// What rule `mapping` breaks, in words; empty if none. It must have no structural violation.
std::string find_broken_rule(const Problem& problem, const Rules& rules, const Mapping& mapping);

/// Whether some mapping obeys `rules` and has no violation, by trying all; nothing if there are
/// more than `most`.
std::optional<bool> try_all(const Problem& problem, const Rules& rules, double most = 2e4);

}  // namespace tilewright::testing
