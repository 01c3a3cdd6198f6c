// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/scorer.h"

#include <algorithm>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/model/evaluate.h"

namespace tilewright {

void count(Outcome outcome, SearchResult& result) {
  ++result.seen;
  result.valid += outcome == Outcome::kValid ? 1 : 0;
  result.too_large += outcome == Outcome::kTooLarge ? 1 : 0;
  result.over_cap += outcome == Outcome::kOverCap ? 1 : 0;
}

Scorer::Scorer(const Problem& problem, const SearchOptions& options)
    : options_(options),
      fit_(problem, options.conventions.holes_are_data),
      evaluator_(problem, {.conventions = options.conventions, .detail = false}) {}

Scored Scorer::score_fitting(std::span<const NestNode> nodes) {
  try {
    const Evaluation& evaluation = evaluator_.evaluate(nodes);
    if (!within_caps(evaluation)) return {Outcome::kOverCap};
    return {Outcome::kValid, tilewright::score(options_.objective, evaluation)};
  } catch (const OverflowError&) {
    return {Outcome::kTooLarge};
  }
}

bool Scorer::within_caps(const Evaluation& evaluation) const {
  return std::ranges::all_of(options_.caps, [&](const Cap& cap) {
    switch (cap.figure) {
      case Cap::Figure::kEnergy:
        return evaluation.energy_pj <= cap.limit;
      case Cap::Figure::kCycles:
        return static_cast<double>(evaluation.cycles) <= cap.limit;
      case Cap::Figure::kTraffic:
        return static_cast<double>(outermost_traffic(evaluation)) <= cap.limit;
    }
    return false;
  });
}

Found make_found(const Problem& problem, const SearchOptions& options, std::vector<NestNode> nest) {
  Mapping mapping(std::move(nest));
  Evaluation evaluation = evaluate(problem, mapping, options.conventions);
  const double score = tilewright::score(options.objective, evaluation);
  return {std::move(mapping), std::move(evaluation), score};
}

}  // namespace tilewright
