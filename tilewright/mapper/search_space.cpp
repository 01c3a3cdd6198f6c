// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/search_space.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "tilewright/search/arranged.h"
#include "tilewright/search/optimal/shared/answers.h"
#include "tilewright/search/watch.h"

namespace tilewright {
namespace {

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

  /// Of all so far.
  const SearchResult& sum() const { return search_.result; }

  /// Problems whose mappings score no less than this, if anything is known, were not searched.
  void leave_out(Ending why, std::optional<double> bound) {
    SearchResult& sum = search_.result;
    add_effort({.ending = why}, sum);
    bounded_ = bounded_ && bound;
    if (bound) sum.bound = std::min(*bound, sum.bound.value_or(*bound));
  }

  SpaceSearch finish() && {
    if (!bounded_) search_.result.bound.reset();
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

/// One call of `search_space`.
class SpaceRun {
 public:
  SpaceRun(const Space& space, std::span<const Constraint> constraints, Mapper mapper,
           const SearchOptions& limits)
      : space_(space),
        // Where every mapping is looked at, each is to be there once.
        arranged_{space.kind, constraints,
                  mapper == Mapper::kExhaustive ? space.distinct : space.arrangements},
        mapper_(mapper),
        limits_(limits),
        watch_(limits),
        total_(limits) {}

  SpaceSearch run() && {
    find_order();
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::optional<double> least = least_from(i);
      if (const auto why = ending_before(i)) {
        total_.leave_out(*why, least);
        break;
      }
      if (least && wants_less() && *least >= best()) break;  // nor do the others have less
      search_one(i);
    }
    return std::move(total_).finish();
  }

 private:
  bool is_optimal() const { return mapper_ == Mapper::kOptimal; }

  // Whether one mapping is asked for, and only if it is better than those of other problems.
  bool wants_less() const {
    return is_optimal() && limits_.prunes.by_cost && limits_.top <= 1 && !limits_.front;
  }

  double best() const {
    const auto& best = total_.sum().best;
    return best ? best->score : std::numeric_limits<double>::infinity();
  }

  // By rising bound, if bounds are of use.
  void find_order() {
    for (std::size_t i = 0; i < space_.problems.size(); ++i) order_.push_back(i);
    if (!is_optimal()) return;
    for (const Problem& problem : space_.problems) {
      const Rules rules = make_rules(problem, space_.kind, arranged_.constraints);
      least_.push_back(least_score(problem, rules, limits_.objective));
    }
    std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return least_[i]; });
  }

  // No mapping of the problems from the i-th on scores less; nothing if that is not known.
  std::optional<double> least_from(std::size_t i) const {
    if (!is_optimal() || i >= order_.size()) return std::nullopt;
    return least_[order_[i]];
  }

  // Why the i-th problem is not searched any more.
  std::optional<Ending> ending_before(std::size_t i) const {
    const SearchResult& sum = total_.sum();
    const std::optional<Ending> why = watch_.interruption();
    if (why == Ending::kStopped || sum.ending == Ending::kStopped) return Ending::kStopped;
    if (i == 0) return std::nullopt;  // some mapping is better than none
    if (limits_.max_seen > 0 && sum.seen >= limits_.max_seen) return Ending::kBudget;
    if (limits_.max_nodes > 0 && sum.nodes >= limits_.max_nodes) return Ending::kBudget;
    return why;
  }

  void search_one(std::size_t i) {
    const std::size_t left = order_.size() - i;
    SearchOptions options = limits_;
    if (limits_.progress && order_.size() > 1) {
      options.progress = [&, i](const Progress& progress) {
        limits_.progress(in_all(progress, i));
      };
    }
    if (limits_.max_seconds > 0) {
      const double rest = std::max(1e-9, limits_.max_seconds - watch_.seconds());
      // With bounds the likely ones come first, and most others take no time.
      const std::size_t shares = is_optimal() ? std::min<std::size_t>(2, left) : left;
      options.max_seconds = rest / static_cast<double>(shares);
    }
    options.max_seen = share_limit(limits_.max_seen, total_.sum().seen, left);
    options.max_nodes = share_limit(limits_.max_nodes, total_.sum().nodes, left);
    if (wants_less()) options.below = best();
    const std::size_t problem = order_[i];
    total_.add(search(space_.problems[problem], arranged_, mapper_, options), problem);
  }

  Progress in_all(Progress progress, std::size_t i) const {
    const SearchResult& sum = total_.sum();
    progress.seen += sum.seen;
    progress.valid += sum.valid;
    progress.nodes += sum.nodes;
    progress.seconds = watch_.seconds();
    if (sum.best) progress.best = std::min(best(), progress.best.value_or(best()));
    if (progress.bound) {  // of this one; the others have one as well
      progress.bound = std::min({*progress.bound, sum.bound.value_or(*progress.bound),
                                 least_from(i + 1).value_or(*progress.bound)});
    }
    return progress;
  }

  const Space& space_;
  const ArrangedSpace arranged_;
  const Mapper mapper_;
  const SearchOptions& limits_;
  const Watch watch_;
  std::vector<double> least_;       // by problem, of the optimal search
  std::vector<std::size_t> order_;  // of the problems
  Total total_;
};

}  // namespace

SpaceSearch search_space(const Space& space, std::span<const Constraint> constraints, Mapper mapper,
                         const SearchOptions& limits) {
  return SpaceRun(space, constraints, mapper, limits).run();
}

}  // namespace tilewright
