// SPDX-License-Identifier: Apache-2.0
#include "tests/property/case_splits.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tilewright/base/random.h"
#include "tilewright/search/search.h"

namespace tilewright::testing {
namespace {

using Kind = Constraint::Kind;

constexpr double kNever = std::numeric_limits<double>::infinity();

double optimum(const SearchCase& made, const std::optional<Constraint>& more) {
  std::vector<Constraint> constraints = made.constraints;
  if (more) constraints.push_back(*more);
  const SearchResult result =
      search_optimal(made.problem, make_rules(made.problem, made.kind, constraints), made.options);
  if (result.ending != Ending::kExhausted) throw std::logic_error("a case is not proved");
  return result.best ? result.best->score : kNever;
}

// A factor of one dim at one place: below, at, and above a value.
std::vector<Constraint> split_factor(const SearchCase& made, Random& random) {
  const Rules rules = made.rules();
  const auto pick = [&](std::size_t many) {
    return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(many) - 1));
  };
  const Place& place = rules.places[pick(rules.places.size())];
  const auto dims = made.problem.workload().dims();
  const std::size_t dim = pick(dims.size());
  const std::int64_t value = random.between(1, std::max<std::int64_t>(2, dims[dim].size));
  const auto make = [&](Kind kind, std::int64_t limit) {
    return Constraint{.kind = kind,
                      .node = place.node,
                      .dim = DimId(static_cast<int>(dim)),
                      .axis = place.axis,
                      .value = limit};
  };
  std::vector<Constraint> cases = {make(Kind::kEqual, value), make(Kind::kAtLeast, value + 1)};
  if (value > 1) cases.push_back(make(Kind::kAtMost, value - 1));
  return cases;
}

// A tensor that one memory may keep or not.
std::vector<Constraint> split_keep(const SearchCase& made, Random& random) {
  std::vector<std::vector<Constraint>> choices;
  for (const KeepRule& rule : made.rules().keeps) {
    const TensorSet free = rule.allowed & ~rule.required;
    for (TensorSet left = free; left != 0; left &= left - 1) {
      const TensorSet one = left & (~left + 1);
      choices.push_back({{.kind = Kind::kKeep, .node = rule.memory, .tensors = one},
                         {.kind = Kind::kBypass, .node = rule.memory, .tensors = one}});
    }
  }
  if (choices.empty()) return {};
  return choices[static_cast<std::size_t>(random.between(0, std::ssize(choices) - 1))];
}

}  // namespace

bool check_case_split(const SearchCase& made, std::uint64_t seed) {
  Random random(seed);
  const std::vector<Constraint> cases =
      random.one_in(3) ? split_keep(made, random) : split_factor(made, random);
  if (cases.empty()) return false;
  const double whole = optimum(made, std::nullopt);
  double least = kNever;
  for (const Constraint& constraint : cases) {
    least = std::min(least, optimum(made, constraint));
  }
  if (whole == least || std::abs(whole - least) <= 1e-12 * whole) return whole < kNever;
  char digits[120];
  std::snprintf(digits, sizeof digits,
                "the optimum is %.17g, of the cases of kind %d at node %d %.17g", whole,
                static_cast<int>(cases.front().kind), cases.front().node.value, least);
  throw std::logic_error(digits);
}

}  // namespace tilewright::testing
