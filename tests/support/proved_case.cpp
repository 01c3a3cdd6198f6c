// SPDX-License-Identifier: Apache-2.0
#include "tests/support/proved_case.h"

#include <chrono>
#include <set>
#include <string>

#include "tests/support/uneven_case.h"
#include "tilewright/mapper/search_space.h"
#include "tilewright/result/json/proof_json.h"

namespace tilewright::testing {
namespace {

// Two orders of one memory, which no file can say.
bool has_two_orders(std::span<const Constraint> constraints) {
  std::set<NodeId> ordered;
  for (const Constraint& constraint : constraints) {
    if (constraint.kind != Constraint::Kind::kOrder) continue;
    if (!ordered.insert(constraint.node).second) return true;
  }
  return false;
}

bool can_be_claimed(const SearchCase& made) {
  return !has_two_orders(made.constraints) && made.options.objective != Objective{0, 0, 0};
}

}  // namespace

std::optional<ProvedCase> prove(SearchCase made) {
  using Clock = std::chrono::steady_clock;
  made.options.proof = true;
  made.options.caps.clear();
  made.options.max_seconds = 120;
  const Clock::time_point start = Clock::now();
  const Space space = make_space(made.problem, std::string(space_name(made.kind)), made.constraints,
                                 made.placement);
  SearchResult result =
      search_space(space, made.constraints, Mapper::kOptimal, made.options).result;
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!result.best || result.ending != Ending::kExhausted) return std::nullopt;
  std::string text = proof_json(made.problem, made.constraints, made.kind, made.placement,
                                made.options.objective, result);
  return ProvedCase{std::move(made), std::move(*result.best), std::move(text), seconds};
}

std::optional<ProvedCase> make_proved_case(std::uint64_t seed, std::uint64_t index, Mix mix) {
  SearchCase made = make_search_case(seed, index, index % 4 == 0 ? 3'000'000 : 20'000, mix);
  if (!can_be_claimed(made)) return std::nullopt;
  return prove(std::move(made));
}

std::optional<ProvedCase> make_uneven_proved_case(std::uint64_t seed, std::uint64_t index) {
  std::optional<SearchCase> made = make_uneven_case(seed, index);
  if (!made || !can_be_claimed(*made)) return std::nullopt;
  return prove(*std::move(made));
}

}  // namespace tilewright::testing
