// SPDX-License-Identifier: Apache-2.0
// Branch and bound. Roots are all choices of what is kept and of the loops in space, the most
// promising first; docs/optimal.md tells how each is searched and why nothing is missed.
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "tilewright/mapspace/keeps.h"
#include "tilewright/search/answers.h"
#include "tilewright/search/board.h"
#include "tilewright/search/root_search.h"
#include "tilewright/search/roots.h"
#include "tilewright/search/search.h"
#include "tilewright/search/threads.h"
#include "tilewright/search/watch.h"

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Root {
  double score = 0;  // a lower bound
  std::uint32_t keeps = 0;
  std::uint32_t spatial = 0;
};

class Search {
 public:
  Search(const Problem& problem, const Rules& rules, const SearchOptions& options)
      : options_(options),
        watch_(options),
        ground_(problem, rules, options),
        answers_(options),
        workers_([this] {
          return RootSearch(ground_, answers_,
                            [this](const SearchResult& tally) { return report(tally); });
        }) {}

  // `first`: an answer to start from; may be null.
  SearchResult run(const Found* first) {
    if (first != nullptr) {
      const auto nodes = first->mapping.nodes();
      answers_.offer({first->score,
                      first->evaluation.energy_pj,
                      static_cast<double>(first->evaluation.cycles),
                      -1,
                      {nodes.begin(), nodes.end()}});
    }
    if (ground_.possible) {
      list_roots();
      refine_roots();
      search_roots();
    }
    return finish();
  }

 private:
  Tiling spatial_of(const Root& root) const {
    Tiling tiling;
    tiling.dims = ground_.facts.dims;
    tiling.factors.assign(ground_.facts.rules.places.size() * static_cast<std::size_t>(tiling.dims),
                          1);
    spatial_->set(root.spatial, tiling);
    return tiling;
  }

  bool promises(const Least& least) {
    if (!options_.prunes.by_cost) return true;
    answers_.refresh(view_);
    return answers_.promises(view_, least, 0);
  }

  void list_roots() {
    const Facts& facts = ground_.facts;
    const KeepChoices choices(facts.rules);
    for (std::uint64_t i = 0; i < choices.size().to_uint64(); ++i) {
      keeps_.push_back(choices.unrank(i));
    }
    const double floor = ground_.resources[0].fixed;
    const std::function<bool(double)> worth = [&](double steps) {
      return promises(ground_.least(floor, steps, 1));
    };
    spatial_.emplace(facts, ground_.steps, options_.prunes.by_axes, worth);
    CapacityBound capacity(facts, ground_.steps, ground_.tiles, ground_.resources[0],
                           options_.prunes.by_capacity);
    for (std::uint32_t s = 0; s < spatial_->size(); ++s) {
      if (s % 64 == 0 && interrupted()) {
        open_ = 0;
        return;
      }
      const Tiling tiling = spatial_of({0, 0, s});
      for (std::uint32_t k = 0; k < keeps_.size(); ++k) {
        const Links links(facts, keeps_[k], tiling);
        const double inner = links.inner_cost(ground_.resources[0]);
        if (!promises(ground_.least(inner, links.steps(), 1))) continue;
        const double energy = inner + capacity.least(links);
        const Least least = ground_.least(energy, links.steps(), 1);
        if (energy < kNever && promises(least)) roots_.push_back({least.score, k, s});
      }
    }
    std::ranges::stable_sort(roots_, {}, &Root::score);
  }

  // A better bound for each of them.
  void refine_roots() {
    run_on(options_.threads, [&] {
      tbb::parallel_for(std::size_t{0}, roots_.size(), [&](std::size_t i) {
        Root& root = roots_[i];
        if (ending_) return;
        RootSearch& worker = workers_.local();
        const Least least = worker.bound(keeps_[root.keeps], spatial_of(root));
        root.score = std::max(root.score, least.score);
        if (i % 16 == 0) report(worker.tally());
      });
    });
    std::ranges::stable_sort(roots_, {}, &Root::score);
  }

  void search_roots() {
    if (ending_) {
      if (!open_ && !roots_.empty()) open_ = roots_.front().score;
      return;
    }
    std::atomic<std::size_t> next = 0;
    run_on(options_.max_nodes > 0 ? 1 : options_.threads, [&] {
      const int threads = tbb::this_task_arena::max_concurrency();
      tbb::parallel_for(
          0, threads,
          [&](int) {
            RootSearch& worker = workers_.local();
            for (std::size_t i = next++; i < roots_.size(); i = next++) {
              const Root& root = roots_[i];
              if (ending_ || root.score == kNever) return;
              if (!worker.search(keeps_[root.keeps], spatial_of(root),
                                 static_cast<std::int64_t>(i))) {
                const std::lock_guard lock(mutex_);
                open_ = std::min(open_.value_or(kNever), root.score);
              }
            }
          },
          tbb::simple_partitioner());
    });
    if (ending_ && next < roots_.size()) {
      open_ = std::min(open_.value_or(kNever), roots_[next].score);
    }
  }

  bool interrupted() {
    const std::lock_guard lock(mutex_);
    if (!ending_) ending_ = watch_.interruption();
    return ending_.has_value();
  }

  // False if the search is to end.
  bool report(const SearchResult& tally) {
    const std::lock_guard lock(mutex_);
    if (!ending_) ending_ = watch_.interruption();
    if (options_.max_nodes > 0 && tally.nodes >= options_.max_nodes) ending_ = Ending::kBudget;
    Progress progress;
    progress.seen = tally.seen;
    progress.valid = tally.valid;
    progress.nodes = tally.nodes;
    progress.best = answers_.best();
    watch_.tell(progress);
    return !ending_.has_value();
  }

  SearchResult finish() {
    SearchResult result;
    for (const RootSearch& worker : workers_) {
      add_counts(worker.tally(), result);
      result.nodes += worker.tally().nodes;
    }
    result.ending = ending_.value_or(Ending::kExhausted);
    for (const Answer& answer : answers_.all()) {
      result.answers.push_back(make_found(ground_.facts.problem, options_, answer.nest));
    }
    for (const Found& found : result.answers) {
      if (!result.best || found.score < result.best->score) result.best = found;
    }
    if (result.best) result.bound = std::min(open_.value_or(kNever), result.best->score);
    if (!result.best && open_) result.bound = open_;
    return result;
  }

  const SearchOptions& options_;
  Watch watch_;
  Ground ground_;
  Answers answers_;
  Answers::View view_;
  tbb::enumerable_thread_specific<RootSearch> workers_;
  std::vector<Keeps> keeps_;
  std::optional<SpatialChoices> spatial_;
  std::vector<Root> roots_;
  std::mutex mutex_;
  std::optional<Ending> ending_;
  std::optional<double> open_;  // a bound of what was not looked at
};

}  // namespace

SearchResult search_optimal(const Problem& problem, const Rules& rules,
                            const SearchOptions& options) {
  if (!options.prunes.by_first_answer) return Search(problem, rules, options).run(nullptr);
  SearchOptions quick = options;
  quick.starts = 4;
  quick.shakes = 0;
  quick.progress = {};
  const SearchResult first = search_local(problem, rules, quick);
  return Search(problem, rules, options).run(first.best ? &*first.best : nullptr);
}

}  // namespace tilewright
