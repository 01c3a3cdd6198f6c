// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/arranged.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "tilewright/search/watch.h"

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// From "all was seen" on ever less was.
int severity(Ending ending) {
  constexpr Ending kRising[] = {Ending::kExhausted, Ending::kGap,    Ending::kLocal,
                                Ending::kPatience,  Ending::kBudget, Ending::kMemory,
                                Ending::kStopped};
  return static_cast<int>(std::ranges::find(kRising, ending) - std::begin(kRising));
}

/// One call of `search`.
class ArrangedSearch {
 public:
  ArrangedSearch(const Problem& problem, const ArrangedSpace& space, Mapper mapper,
                 const SearchOptions& limits)
      : problem_(problem), space_(space), mapper_(mapper), limits_(limits), watch_(limits) {}

  SearchResult run() {
    const std::vector<std::size_t> order = find_order();
    rest_ = order.empty() ? kNever : bounds_[order.front()];
    if (watch_.interruption() == Ending::kStopped) {
      sum_.ending = Ending::kStopped;
      if (mapper_ == Mapper::kOptimal) sum_.bound = std::min(floor(0), rest_);
      return std::move(sum_);
    }
    search_one(0, space_.arrangements.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t next = order[i];
      if (const auto why = watch_.interruption(); why || sum_.ending == Ending::kStopped) {
        end_early(why.value_or(Ending::kStopped), bounds_[next]);
        break;
      }
      if (cannot_have_best(next)) break;  // nor can those after it, whose bounds are no lower
      rest_ = i + 1 < order.size() ? bounds_[order[i + 1]] : kNever;
      search_one(next, order.size() - i);
    }
    sum_.bound.reset();
    if (bound_ && *bound_ < kNever) sum_.bound = bound_;
    sum_.answers = std::move(known_);
    return std::move(sum_);
  }

 private:
  bool wants_one() const { return limits_.top <= 1 && !limits_.front; }

  // All but the first, by rising bound.
  std::vector<std::size_t> find_order() {
    bounds_.assign(space_.arrangements.size(), 0);
    std::vector<std::size_t> order;
    for (std::size_t i = 1; i < bounds_.size(); ++i) {
      if (mapper_ == Mapper::kOptimal) {
        bounds_[i] = bound_at_once(problem_, rules(i), limits_,
                                   [&] { return watch_.interruption().has_value(); });
      }
      order.push_back(i);
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return bounds_[i]; });
    return order;
  }

  // What was not searched has this bound or a higher one.
  void end_early(Ending why, double bound) {
    if (severity(why) > severity(sum_.ending)) sum_.ending = why;
    if (mapper_ != Mapper::kOptimal) bound_.reset();  // of some nothing is known
    if (bound_) bound_ = std::min(*bound_, bound);
  }

  bool cannot_have_best(std::size_t arrangement) const {
    return mapper_ == Mapper::kOptimal && limits_.prunes.by_cost && wants_one() && sum_.best &&
           bounds_[arrangement] >= sum_.best->score;
  }

  Rules rules(std::size_t arrangement) const {
    return make_rules(problem_, space_.kind, space_.constraints, space_.arrangements[arrangement]);
  }

  double floor(std::size_t arrangement) const {
    return least_score(problem_, rules(arrangement), limits_.objective);
  }

  void search_one(std::size_t arrangement, std::size_t left) {
    SearchOptions options = limits_;
    if (!known_.empty()) options.known = std::move(known_);
    if (limits_.progress && space_.arrangements.size() > 1) {
      options.progress = [&](const Progress& progress) { limits_.progress(in_all(progress)); };
    }
    if (limits_.max_seconds > 0) {
      const double rest = limits_.max_seconds - watch_.seconds();
      // The first ones are the likely ones.
      options.max_seconds = std::max(1e-9, left > 1 ? rest / 2 : rest);
    }
    options.max_seen = share_limit(limits_.max_seen, sum_.seen, left);
    options.max_nodes = share_limit(limits_.max_nodes, sum_.nodes, left);
    SearchResult next = search(problem_, rules(arrangement), mapper_, options);
    known_ = std::move(next.answers);
    next.answers.clear();
    const std::optional<double> bound =
        next.ending == Ending::kExhausted && !next.best ? std::optional(kNever) : next.bound;
    if (begun_) {
      add_effort(next, sum_);
      std::ranges::move(next.opened, std::back_inserter(sum_.opened));
      bound_ = bound_ && bound ? std::optional(std::min(*bound_, *bound)) : std::nullopt;
      if (next.best && (!sum_.best || next.best->score < sum_.best->score)) {
        sum_.best = std::move(next.best);
      }
    } else {
      sum_ = std::move(next);
      bound_ = bound;
      begun_ = true;
    }
  }

  Progress in_all(Progress progress) const {
    progress.seen += sum_.seen;
    progress.valid += sum_.valid;
    progress.nodes += sum_.nodes;
    if (sum_.best) {
      progress.best = std::min(sum_.best->score, progress.best.value_or(sum_.best->score));
    }
    // Of those that are done as well, which may have been cut short, and those to come.
    if (progress.bound && (bound_ || !begun_)) {
      progress.bound = std::min({*progress.bound, bound_.value_or(kNever), rest_});
    } else {
      progress.bound.reset();
    }
    return progress;
  }

  const Problem& problem_;
  const ArrangedSpace& space_;
  const Mapper mapper_;
  const SearchOptions& limits_;
  const Watch watch_;
  std::vector<Found> known_;  // the answers so far
  SearchResult sum_;
  std::optional<double> bound_;  // of those that were searched
  bool begun_ = false;
  std::vector<double> bounds_;  // by arrangement, of the optimal search
  double rest_ = kNever;        // the least bound of those that have not begun
};

}  // namespace

std::uint64_t share_limit(std::uint64_t limit, std::uint64_t used, std::size_t searches) {
  if (limit == 0) return 0;
  return std::max<std::uint64_t>(1, (limit - std::min(limit, used)) / searches);
}

void add_effort(const SearchResult& next, SearchResult& sum) {
  sum.seen += next.seen;
  sum.valid += next.valid;
  sum.too_large += next.too_large;
  sum.over_cap += next.over_cap;
  sum.nodes += next.nodes;
  if (severity(next.ending) > severity(sum.ending)) sum.ending = next.ending;
}

SearchResult search(const Problem& problem, const ArrangedSpace& space, Mapper mapper,
                    const SearchOptions& options) {
  return ArrangedSearch(problem, space, mapper, options).run();
}

}  // namespace tilewright
