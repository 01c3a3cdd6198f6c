// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/search_space.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "tilewright/search/arranged.h"
#include "tilewright/search/optimal/shared/answers.h"

namespace tilewright {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Searches over the problems of a space added up.
class Total {
 public:
  explicit Total(const SearchOptions& options) : options_(options) {}

  void add(SearchResult next, std::size_t problem) {
    SearchResult& sum = search_.result;
    add_effort(next, sum);
    const bool empty = next.ending == Ending::kExhausted && !next.best;
    if (!empty) bounded_ = bounded_ && next.bound;
    if (next.bound) sum.bound = std::min(*next.bound, sum.bound.value_or(*next.bound));
    for (Found& found : next.answers) search_.answers.push_back({std::move(found), problem});
    if (!next.best || (sum.best && sum.best->score <= next.best->score)) return;
    sum.best = std::move(next.best);
    sum.opened = std::move(next.opened);
    search_.problem = problem;
  }

  const SearchResult& sum() const { return search_.result; }

  /// `whole`: no problem was left out.
  SpaceSearch finish(bool whole) && {
    if (!whole || !bounded_) search_.result.bound.reset();
    if (options_.front) {
      choose_front();
    } else {
      std::ranges::stable_sort(search_.answers, {},
                               [](const Alternative& a) { return a.found.score; });
      // One of each score, as the search of one problem has it.
      const double same = 1 + kSameFigure * least_exponent(options_.objective);
      const auto equal = std::ranges::unique(search_.answers, [&](const auto& a, const auto& b) {
        return b.found.score <= a.found.score * same;
      });
      search_.answers.erase(equal.begin(), equal.end());
      const auto wanted = static_cast<std::size_t>(options_.top);
      if (search_.answers.size() > wanted)
        search_.answers.erase(search_.answers.begin() + options_.top, search_.answers.end());
    }
    return std::move(search_);
  }

 private:
  // What no other beats, fastest first.
  void choose_front() {
    std::vector<Alternative> all = std::move(search_.answers);
    std::ranges::stable_sort(all, {}, [](const Alternative& a) {
      return std::pair(a.found.evaluation.cycles, a.found.evaluation.energy_pj);
    });
    search_.answers.clear();
    for (Alternative& next : all) {
      const bool beaten =
          !search_.answers.empty() &&
          search_.answers.back().found.evaluation.energy_pj <= next.found.evaluation.energy_pj;
      if (!beaten) search_.answers.push_back(std::move(next));
    }
  }

  const SearchOptions& options_;
  SpaceSearch search_;
  bool bounded_ = true;
};

}  // namespace

SpaceSearch search_space(const Space& space, std::span<const Constraint> constraints, Mapper mapper,
                         const SearchOptions& limits) {
  const Clock::time_point start = Clock::now();
  Total total(limits);
  SearchOptions options = limits;
  if (limits.progress) {
    options.progress = [&](Progress progress) {
      progress.seen += total.sum().seen;
      progress.valid += total.sum().valid;
      progress.nodes += total.sum().nodes;
      progress.seconds = seconds_since(start);
      if (space.problems.size() > 1) progress.bound.reset();  // of one of them only
      if (const auto& best = total.sum().best) {
        progress.best = std::min(best->score, progress.best.value_or(best->score));
      }
      limits.progress(progress);
    };
  }
  const std::size_t count = space.problems.size();
  std::size_t i = 0;
  for (; i < count && total.sum().ending != Ending::kStopped; ++i) {
    const std::size_t left = count - i;
    if (limits.max_seconds > 0) {
      const double rest = std::max(1e-9, limits.max_seconds - seconds_since(start));
      options.max_seconds = rest / static_cast<double>(left);
    }
    // The last one ended by its budget.
    if (limits.max_seen > 0 && total.sum().seen >= limits.max_seen) break;
    if (limits.max_nodes > 0 && total.sum().nodes >= limits.max_nodes) break;
    options.max_seen = share_limit(limits.max_seen, total.sum().seen, left);
    options.max_nodes = share_limit(limits.max_nodes, total.sum().nodes, left);
    const Problem& problem = space.problems[i];
    // Where every mapping is looked at, each is to be there once.
    const ArrangedSpace arranged{
        space.kind, constraints,
        mapper == Mapper::kExhaustive ? space.distinct : space.arrangements};
    total.add(search(problem, arranged, mapper, options), i);
  }
  return std::move(total).finish(i == count);
}

}  // namespace tilewright
