// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/search_space.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "tilewright/mapspace/mapspace.h"
#include "tilewright/search/optimal/shared/answers.h"

namespace tilewright {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// From "all was seen" on ever less was.
int severity(Ending ending) {
  constexpr Ending kRising[] = {Ending::kExhausted, Ending::kGap,    Ending::kLocal,
                                Ending::kPatience,  Ending::kBudget, Ending::kStopped};
  return static_cast<int>(std::ranges::find(kRising, ending) - std::begin(kRising));
}

// What one more search has seen, and how it ended.
void add_effort(const SearchResult& next, SearchResult& sum) {
  sum.seen += next.seen;
  sum.valid += next.valid;
  sum.too_large += next.too_large;
  sum.over_cap += next.over_cap;
  sum.nodes += next.nodes;
  if (severity(next.ending) > severity(sum.ending)) sum.ending = next.ending;
}

// The search of one more arrangement of a problem on top of those before it, whose answers it knew.
void add_arrangement(SearchResult next, SearchResult& sum) {
  add_effort(next, sum);
  std::ranges::move(next.opened, std::back_inserter(sum.opened));
  sum.bound =
      sum.bound && next.bound ? std::optional(std::min(*sum.bound, *next.bound)) : std::nullopt;
  if (!next.best || (sum.best && sum.best->score <= next.best->score)) return;
  sum.best = std::move(next.best);
}

// What is left of a limit for each of `problems`; 0: no limit.
std::uint64_t part(std::uint64_t limit, std::uint64_t used, std::size_t problems) {
  if (limit == 0) return 0;
  return std::max<std::uint64_t>(1, (limit - std::min(limit, used)) / problems);
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

// All arrangements of one problem, one after the other. A tie goes to the first.
class ProblemSearch {
 public:
  ProblemSearch(const Problem& problem, const Space& space, std::span<const Constraint> constraints)
      : problem_(problem), space_(space), constraints_(constraints) {}

  SearchResult search(Mapper mapper, const SearchOptions& limits) {
    const Clock::time_point start = Clock::now();
    // Where every mapping is looked at, each is to be there once.
    const std::vector<Arrangement>& arrangements =
        mapper == Mapper::kExhaustive ? space_.distinct : space_.arrangements;
    SearchOptions options = limits;
    if (limits.progress && arrangements.size() > 1) {
      options.progress = [&](Progress progress) { limits.progress(in_all(progress)); };
    }
    const std::size_t count = arrangements.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t left = count - i;
      if (limits.max_seconds > 0 && left > 1) {
        const double rest = limits.max_seconds - seconds_since(start);
        options.max_seconds = std::max(1e-9, rest / 2);  // the first ones are the likely ones
      } else if (limits.max_seconds > 0) {
        options.max_seconds = std::max(1e-9, limits.max_seconds - seconds_since(start));
      }
      options.max_seen = part(limits.max_seen, sum_.seen, left);
      options.max_nodes = part(limits.max_nodes, sum_.nodes, left);
      const Rules rules = make_rules(problem_, space_.kind, constraints_, arrangements[i]);
      SearchResult next = tilewright::search(problem_, rules, mapper, options);
      options.known = next.answers;
      answers_ = std::move(next.answers);
      next.answers.clear();
      if (i == 0) {
        sum_ = std::move(next);
      } else {
        add_arrangement(std::move(next), sum_);
      }
      if (sum_.ending == Ending::kStopped && left > 1) {
        sum_.bound.reset();  // the others were not looked at
        break;
      }
    }
    sum_.answers = std::move(answers_);
    return std::move(sum_);
  }

 private:
  Progress in_all(Progress progress) const {
    progress.seen += sum_.seen;
    progress.valid += sum_.valid;
    progress.nodes += sum_.nodes;
    progress.bound.reset();  // of one arrangement only
    if (sum_.best)
      progress.best = std::min(sum_.best->score, progress.best.value_or(sum_.best->score));
    return progress;
  }

  const Problem& problem_;
  const Space& space_;
  std::span<const Constraint> constraints_;
  SearchResult sum_;
  std::vector<Found> answers_;
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
    options.max_seen = part(limits.max_seen, total.sum().seen, left);
    options.max_nodes = part(limits.max_nodes, total.sum().nodes, left);
    const Problem& problem = space.problems[i];
    total.add(ProblemSearch(problem, space, constraints).search(mapper, options), i);
  }
  return std::move(total).finish(i == count);
}

}  // namespace tilewright
