// SPDX-License-Identifier: Apache-2.0
// What all searches ask of a mapping: whether it is valid, and what it scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/mapping/fit.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"
#include "tilewright/model/evaluator.h"
#include "tilewright/search/search.h"

namespace tilewright {

/// What became of a mapping, as SearchResult counts it.
enum class Outcome : std::uint8_t { kValid, kTooLarge, kOverCap };

struct Scored {
  Outcome outcome = Outcome::kTooLarge;
  double score = 0;   ///< of all but those that are too large, and so are the next ones
  double excess = 0;  ///< how far it is over the caps, 0 if within
  double energy = 0;
  double cycles = 0;
};

/// Counts one more mapping.
void count(Outcome outcome, SearchResult& result);

/// Scores nests one after the other. Not to be shared by threads; `problem` and `options` must
/// outlive it.
class Scorer {
 public:
  Scorer(const Problem& problem, const SearchOptions& options);
  Scorer(const Problem& problem, const SearchOptions&& options) = delete;

  /// `nodes` must have no structural violation and stay within the axes; likewise below. Does not
  /// depend on the order of loops between two keep nodes.
  bool fits(std::span<const NestNode> nodes) const { return fit_.fits(nodes); }
  /// For a nest that fits. Costs that cannot be counted in 64 bits make it too large.
  Scored score_fitting(std::span<const NestNode> nodes);
  Scored score(std::span<const NestNode> nodes) {
    return fits(nodes) ? score_fitting(nodes) : Scored{Outcome::kTooLarge};
  }

 private:
  double excess(const Evaluation& evaluation) const;

  const SearchOptions& options_;
  Fit fit_;
  Evaluator evaluator_;
};

/// The best mapping of a search with all that is known of it.
Found make_found(const Problem& problem, const SearchOptions& options, std::vector<NestNode> nest);

}  // namespace tilewright
