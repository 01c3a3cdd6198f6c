// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/scorer.h"

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
    : options_(options), fit_(problem), evaluator_(problem, {.detail = false}) {}

Scored Scorer::score_fitting(std::span<const NestNode> nodes) {
  try {
    const Evaluation& evaluation = evaluator_.evaluate(nodes);
    const double over = excess(evaluation);
    return {over > 0 ? Outcome::kOverCap : Outcome::kValid,
            tilewright::score(options_.objective, evaluation), over, evaluation.energy_pj,
            static_cast<double>(evaluation.cycles)};
  } catch (const OverflowError&) {
    return {Outcome::kTooLarge};
  }
}

// The sum over the caps of by how much of itself each is exceeded.
double Scorer::excess(const Evaluation& evaluation) const {
  double sum = 0;
  for (const Cap& cap : options_.caps) {
    const double figure = cap.figure == Cap::Figure::kEnergy ? evaluation.energy_pj
                          : cap.figure == Cap::Figure::kCycles
                              ? static_cast<double>(evaluation.cycles)
                              : static_cast<double>(outermost_traffic(evaluation));
    if (figure > cap.limit) sum += cap.limit > 0 ? (figure - cap.limit) / cap.limit : figure;
  }
  return sum;
}

Found make_found(const Problem& problem, const SearchOptions& options, std::vector<NestNode> nest) {
  Mapping mapping(std::move(nest));
  Evaluation evaluation = evaluate(problem, mapping);
  const double score = tilewright::score(options.objective, evaluation);
  return {std::move(mapping), std::move(evaluation), score};
}

}  // namespace tilewright
