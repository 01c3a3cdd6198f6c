// SPDX-License-Identifier: Apache-2.0
// Branch and bound. Roots are all choices of what is kept and of the loops in space, the most
// promising first; docs/optimal.md tells how each is searched and why nothing is missed.
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <mutex>
#include <queue>
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

// Some mappings that are not looked at yet.
struct Root {
  Least least;  // of all of them
  std::uint32_t keeps = 0;
  std::uint32_t spatial = 0;
  std::int64_t number = 0;  // by rising first bound
  bool refined = false;     // the bound is that of RootSearch

  // The one that is looked at later comes first, as a priority queue wants it.
  bool operator<(const Root& other) const {
    return std::tie(least.score, number) > std::tie(other.least.score, other.number);
  }
};

// What was opened before the best was known, and need not have been.
void forget_needless(double best, std::vector<OpenedNode>& opened) {
  std::erase_if(opened, [&](const OpenedNode& node) { return node.bound >= best; });
  for (OpenedNode& node : opened) forget_needless(best, node.open);
}

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
      // One after the other where the nodes themselves matter.
      run_on(options_.max_nodes > 0 || options_.proof ? 1 : options_.threads, [&] {
        const int threads = tbb::this_task_arena::max_concurrency();
        tbb::parallel_for(
            0, threads, [&](int) { work(); }, tbb::simple_partitioner());
      });
    }
    return finish();
  }

 private:
  Tiling spatial_of(std::uint32_t choice) const {
    Tiling tiling;
    tiling.dims = ground_.facts.dims;
    tiling.factors.assign(ground_.facts.rules.places.size() * static_cast<std::size_t>(tiling.dims),
                          1);
    spatial_->set(choice, tiling);
    return tiling;
  }

  // Whether a root that has not been numbered yet is of interest.
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
    CapacityBound capacity(facts, ground_.steps, ground_.tiles, ground_.resources[0],
                           options_.prunes.by_capacity);
    std::vector<double> common;  // by keeps: energy that is the same for all loops in space
    for (const Keeps& keeps : keeps_) {
      common.push_back(ground_.resources[0].fixed + capacity.common(keeps));
    }
    const double floor = common.empty() ? 0 : std::ranges::min(common);
    least_cycles_ = least_cycles();
    const std::function<bool(double)> worth = [&](double steps) {
      return promises(ground_.least(floor, std::max(steps, least_cycles_), 1));
    };
    const std::function<bool()> stop = [&] { return interrupted(); };
    spatial_.emplace(facts, ground_.steps, options_.prunes.by_axes, worth, stop);
    unlisted_ = spatial_->cut_off();
    if (unlisted_ && !interrupted()) ending_ = Ending::kBudget;  // more than can be listed
    std::vector<Root> roots;
    for (std::uint32_t s = 0; s < spatial_->size() && !unlisted_; ++s) {
      if (s % 64 == 0 && interrupted()) unlisted_ = true;
      list_roots_of(s, common, capacity, roots);
    }
    std::ranges::stable_sort(roots, {}, [](const Root& root) { return root.least.score; });
    for (std::size_t i = 0; i < roots.size(); ++i) {
      roots[i].number = static_cast<std::int64_t>(i);
      waiting_.push(roots[i]);
    }
  }

  // Whatever is chosen: every element crosses the bandwidth of memories outside of all fan-outs
  // once, if the tensor has to be kept there.
  double least_cycles() const {
    const Facts& facts = ground_.facts;
    double cycles = 1;
    for (const Resource& resource : ground_.resources) {
      if (resource.kind != Resource::Kind::kTime) continue;
      const std::size_t m = static_cast<std::size_t>(resource.memory);
      bool outside = true;
      for (std::size_t p = 0; p < facts.block[m]; ++p) {
        outside = outside && facts.rules.places[p].is_block();
      }
      if (!outside) continue;
      double time = 0;
      for_bits(facts.rules.keeps[m].required, [&](std::size_t t) {
        const Prices& prices = resource.prices[m][t];
        time += facts.elements[t] * (t == facts.output ? prices.update : prices.read);
      });
      cycles = std::max(cycles, time);
    }
    return cycles;
  }

  // All keeps with one choice of loops in space.
  void list_roots_of(std::uint32_t s, const std::vector<double>& common, CapacityBound& capacity,
                     std::vector<Root>& roots) {
    const Facts& facts = ground_.facts;
    const Tiling tiling = spatial_of(s);
    const double steps = std::max(least_cycles_, Links::steps(facts, tiling));
    capacity.change_spatial();
    // By tensor and the innermost memory that keeps it, as needed.
    std::vector<std::vector<double>> moves(static_cast<std::size_t>(facts.tensors),
                                           std::vector<double>(facts.block.size(), -1));
    for (std::uint32_t k = 0; k < keeps_.size(); ++k) {
      std::array<std::size_t, Workload::kMaxTensors> last{};
      double energy = common[k];
      for (std::size_t t = 0; t < moves.size(); ++t) {
        last[t] = facts.block.size();
        while ((keeps_[k][--last[t]] >> t & 1U) == 0) {
        }
        double& moved = moves[t][last[t]];
        if (moved < 0) moved = Links::inner_moves(facts, tiling, t, last[t]);
        energy += Links::inner_cost(facts, tiling, ground_.resources[0], t, last[t], moved);
      }
      if (!promises(ground_.least(energy, steps, 1))) continue;
      double cycles = steps;
      for (const Resource& resource : ground_.resources) {
        if (resource.kind != Resource::Kind::kTime) continue;
        double time = 0;
        for (std::size_t t = 0; t < moves.size(); ++t) {
          time += Links::inner_cost(facts, tiling, resource, t, last[t], moves[t][last[t]]);
        }
        cycles = std::max(
            cycles,
            time / Links::instances(facts, tiling, static_cast<std::size_t>(resource.memory)));
      }
      if (!promises(ground_.least(energy, cycles, 1))) continue;
      energy += capacity.least(Links(facts, keeps_[k], tiling), true);
      const Least least = ground_.least(energy, cycles, 1);
      if (energy < kNever && promises(least)) roots.push_back({least, k, s});
    }
  }

  // One thread: takes the most promising root, bounds it better or searches it.
  void work() {
    RootSearch& worker = workers_.local();
    Answers::View view;
    while (const std::optional<Root> taken = take()) {
      Root root = *taken;
      answers_.refresh(view);
      if (options_.prunes.by_cost && !answers_.promises(view, root.least, root.number)) {
        give_back(root, false);
        continue;
      }
      const Least least = worker.bound(keeps_[root.keeps], spatial_of(root.spatial));
      root.least.score = std::max(root.least.score, least.score);
      root.least.energy = std::max(root.least.energy, least.energy);
      root.least.cycles = std::max(root.least.cycles, least.cycles);
      if (root.least.score == kNever) {
        give_back(root, false);
        continue;
      }
      const bool first = !root.refined && !is_next(root);
      root.refined = true;
      const bool done = !first && worker.search(root.number);
      report(worker.tally());
      give_back(root, !done);
    }
  }

  std::optional<Root> take() {
    const std::lock_guard lock(mutex_);
    if (ending_ || waiting_.empty()) return std::nullopt;
    const Root root = waiting_.top();
    waiting_.pop();
    taken_.push_back(root.least.score);
    return root;
  }

  // True if no other root promises more.
  bool is_next(const Root& root) {
    const std::lock_guard lock(mutex_);
    return waiting_.empty() || waiting_.top() < root;
  }

  // `open`: there is still something to look at.
  void give_back(const Root& root, bool open) {
    const std::lock_guard lock(mutex_);
    // Threads leave their roots in any order: only the least of them matters, as a bound.
    const auto mine =
        std::ranges::find_if(taken_, [&](double score) { return score <= root.least.score; });
    if (mine != taken_.end()) taken_.erase(mine);
    if (open) waiting_.push(root);
  }

  // No mapping that was not looked at scores less. The lock must be held.
  double open_bound() const {
    double bound = unlisted_ ? 0 : kNever;
    if (!waiting_.empty()) bound = std::min(bound, waiting_.top().least.score);
    for (const double score : taken_) bound = std::min(bound, score);
    return bound;
  }

  bool interrupted() {
    const std::lock_guard lock(mutex_);
    Progress progress;
    progress.best = answers_.best();
    watch_.tell(progress);
    if (!ending_) ending_ = watch_.interruption();
    return ending_.has_value();
  }

  // False if the search is to end.
  bool report(const SearchResult& tally) {
    const std::lock_guard lock(mutex_);
    if (!ending_) ending_ = watch_.interruption();
    if (options_.max_nodes > 0 && tally.nodes >= options_.max_nodes) ending_ = Ending::kBudget;
    Progress progress;
    told_[&tally] = {tally.seen, tally.valid, tally.nodes};  // one tally a thread
    for (const auto& [thread, told] : told_) {
      progress.seen += told[0];
      progress.valid += told[1];
      progress.nodes += told[2];
    }
    progress.best = answers_.best();
    progress.bound = std::min(open_bound(), progress.best.value_or(kNever));
    if (*progress.bound == kNever) progress.bound.reset();
    watch_.tell(progress);
    return !ending_.has_value();
  }

  SearchResult finish() {
    SearchResult result;
    for (RootSearch& worker : workers_) {
      add_counts(worker.tally(), result);
      result.nodes += worker.tally().nodes;
      std::ranges::move(worker.opened(), std::back_inserter(result.opened));
    }
    for (const Answer& answer : answers_.all()) {
      result.answers.push_back(make_found(ground_.facts.problem, options_, answer.nest));
    }
    for (const Found& found : result.answers) {
      if (!result.best || found.score < result.best->score) result.best = found;
    }
    if (result.best) {
      for (OpenedRoot& root : result.opened) forget_needless(result.best->score, root.open);
    }
    result.ending = ending_.value_or(Ending::kExhausted);
    const double open = ending_ ? open_bound() : kNever;
    if (result.best) result.bound = std::min(open, result.best->score);
    if (!result.best && open < kNever) result.bound = open;
    if (!ending_ && result.best && options_.gap > 0) {
      result.bound = result.best->score * (1 - options_.gap);
      result.ending = Ending::kGap;
    }
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
  std::mutex mutex_;
  std::priority_queue<Root> waiting_;
  std::map<const SearchResult*, std::array<std::uint64_t, 3>> told_;  // seen, valid, nodes
  std::vector<double> taken_;  // bounds of the roots that threads work on
  double least_cycles_ = 1;
  bool unlisted_ = false;  // there are roots that were not even listed
  std::optional<Ending> ending_;
};

}  // namespace

SearchResult search_optimal(const Problem& problem, const Rules& rules,
                            const SearchOptions& options) {
  if (!options.prunes.by_first_answer) return Search(problem, rules, options).run(nullptr);
  SearchOptions quick = options;
  quick.starts = 4;
  quick.shakes = 0;
  const SearchResult first = search_local(problem, rules, quick);
  return Search(problem, rules, options).run(first.best ? &*first.best : nullptr);
}

}  // namespace tilewright
