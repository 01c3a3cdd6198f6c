// SPDX-License-Identifier: Apache-2.0
// Branch and bound. Roots are all choices of what is kept and of the loops in space, the most
// promising first; docs/optimal.md tells how each is searched and why nothing is missed.
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <utility>

#include "tilewright/base/stop.h"
#include "tilewright/search/board.h"
#include "tilewright/search/breeding.h"
#include "tilewright/search/optimal/roots/root_list.h"
#include "tilewright/search/optimal/shared/answers.h"
#include "tilewright/search/optimal/tree/root_search.h"
#include "tilewright/search/search.h"
#include "tilewright/search/watch.h"
#include "tilewright/threads/per_worker.h"
#include "tilewright/threads/thread_pool.h"

namespace tilewright {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kFullPrecision = static_cast<int>(BoundPrecision::kFull);
// While more roots than this wait, no others are listed: each takes about 200 bytes.
constexpr std::size_t kMostWaiting = 200'000;

// As which root a local search counts. When it is done again depends on the threads, and the
// mapping must not: a root's that is as good counts.
constexpr std::int64_t kFirst = -1;
constexpr std::int64_t kKnown = -2;  // SearchOptions::known
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

// What was opened before the best was known, and need not have been.
void forget_needless(double best, std::vector<OpenedNode>& opened) {
  std::erase_if(opened, [&](const OpenedNode& node) { return node.bound >= best; });
  for (OpenedNode& node : opened) forget_needless(best, node.open);
}

class Search final : public RootTeam {
 public:
  Search(const Problem& problem, const Rules& rules, const SearchOptions& options)
      : options_(options),
        watch_(options),
        context_(problem, rules, options),
        least_(context_.possible ? least_score(problem, rules, options.objective) : kNever),
        answers_(options),
        // One thread where the nodes themselves matter, or which of several good answers is first.
        pool_(options.max_nodes > 0 || options.proof || options.gap > 0 ? 1 : options.threads),
        workers_(pool_,
                 [this] { return std::make_unique<RootSearch>(context_, answers_, *this); }) {
    context_.stop = [this] { return interrupted(); };
  }

  SearchResult run() {
    for (const Found& known : options_.known) offer(known, kKnown);
    // Only what is below another answer: there may be nothing to look for.
    const bool is_tried = options_.below < kNever;
    if (context_.possible && !is_tried) find_first_answer();
    if (context_.possible && !interrupted()) make_roots();
    if (can_be_below()) {
      if (is_tried) find_first_answer();
      while (!interrupted() && prepare_roots()) {
        pool_.for_each(static_cast<std::size_t>(pool_.size()),
                       [&](int worker, std::size_t) { work(worker); });
      }
    }
    return finish();
  }

  bool report(const SearchResult& tally) override {
    constexpr std::uint64_t kMany = 1U << 17U;
    constexpr std::uint64_t kVeryMany = 1U << 21U;
    const std::optional<std::uint64_t> nodes = tell(tally);
    if (nodes && *nodes >= kMany) search_locally_again(*nodes < kVeryMany ? 1 : 2, 1);
    return nodes.has_value();
  }

  bool wants_branch() const override { return wanted_.load(std::memory_order_relaxed) > 0; }

  void give(RootSearch::Branch branch) override {
    const std::lock_guard lock(mutex_);
    branches_.push_back(std::move(branch));
    --wanted_;
    changed_.notify_one();
  }

 private:
  struct Effort {
    int starts = 0;
    int generations = 0;
    int hops = 0;
    int threads = 0;
    Breeding breeding = kCautiousBreeding;
  };
  // It stays without them if it is to end.
  void make_roots() {
    try {
      roots_.emplace(context_, answers_, pool_);
    } catch (const StoppedError&) {
      roots_.reset();
    }
  }

  void find_first_answer() {
    if (context_.prunes.by_first_answer) search_locally({6, 0, 0, options_.threads}, kFirst);
  }

  // Whether there may be a mapping that is asked for.
  bool can_be_below() const {
    if (!roots_) return false;
    return !context_.prunes.by_cost || roots_->bound() < options_.below;
  }

  // Answers to start from, as if found in `root`.
  void search_locally(const Effort& effort, std::int64_t root) {
    SearchOptions local = options_;
    local.starts = effort.starts;
    local.generations = effort.generations;
    local.threads = effort.threads;
    local.hops = effort.hops;
    local.progress = {};
    if (options_.max_seconds > 0) {
      local.max_seconds = std::max(1e-3, options_.max_seconds - watch_.seconds());
    }
    const SearchResult found =
        search_local(context_.tables.problem, context_.tables.rules, local, effort.breeding);
    if (found.best) offer(*found.best, root);
  }

  void offer(const Found& found, std::int64_t root) {
    const auto nodes = found.mapping.nodes();
    answers_.offer({found.score,
                    found.evaluation.energy_pj,
                    static_cast<double>(found.evaluation.cycles),
                    {root, {}},
                    {nodes.begin(), nodes.end()}});
  }

  // The first answer came from a short local search: the longer this one takes, the more a thorough
  // one helps. At most once for each degree, by one thread at a time.
  void search_locally_again(int degree, int threads) {
    const std::unique_lock only(local_mutex_, std::try_to_lock);
    if (!only || degree <= degree_ || !context_.prunes.by_first_answer) return;
    degree_ = degree;
    if (degree == 1) {
      search_locally({8, 4, options_.hops, threads}, kLast);
    } else {
      const Breeding breeding = is_far_off() ? Breeding() : kCautiousBreeding;
      search_locally({12, 14, options_.hops, threads, breeding}, kLast);
    }
  }

  // Asked by all threads that list.
  bool stops_listing() {
    constexpr int kLong = 16;
    constexpr int kVeryLong = 256;
    const int asked = ++asked_;
    if (asked >= kLong) search_locally_again(asked < kVeryLong ? 1 : 2, 1);
    return interrupted();
  }

  // False if nothing is left.
  bool prepare_roots() {
    if (!is_ready()) list_roots();
    return !waiting_.empty();
  }

  // Whether a root waits that promises more than all that are not listed.
  bool is_ready() const { return !waiting_.empty() && leads_unlisted(waiting_.top()); }

  bool leads_unlisted(const Root& root) const {
    return root.bounds.score <= roots_->bound() || waiting_.size() >= kMostWaiting;
  }

  // At least up to the bound of those that wait.
  void list_roots() {
    const double enough = waiting_.empty() ? kNever : waiting_.top().bounds.score;
    const std::vector<Root> roots = roots_->next(enough, [this] { return stops_listing(); });
    constexpr std::size_t kMany = 300;
    constexpr std::size_t kVeryMany = 10'000;
    if (roots.size() > kMany) {
      search_locally_again(roots.size() > kVeryMany ? 2 : 1, options_.threads);
    }
    for (const Root& root : roots) waiting_.push(root);
  }

  // One thread: takes the most promising root, bounds it better or searches it; where none waits,
  // helps another thread with its.
  void work(int worker) {
    try {
      work_on(workers_.of(worker));
    } catch (...) {  // the others must not wait for this one
      const std::lock_guard lock(mutex_);
      ending_ = Ending::kStopped;
      changed_.notify_all();
      throw;
    }
  }

  void work_on(RootSearch& worker) {
    Answers::View view;
    while (!interrupted() && wait_for_work()) {  // bounds alone may take long
      if (std::optional<RootSearch::Branch> branch = take_branch(worker)) {
        if (worker.search(*branch)) branch.reset();
        report(worker.tally());
        give_back(worker, std::nullopt, std::move(branch));
      } else if (std::optional<Root> root = take_root(worker)) {
        if (look_at(worker, view, *root)) root.reset();
        give_back(worker, root, std::nullopt);
      }
    }
  }

  // False if there is none, or the search is to end.
  bool wait_for_work() {
    std::unique_lock lock(mutex_);
    const auto is_there = [&] { return is_ready() || !branches_.empty(); };
    if (!ending_ && !is_there() && !taken_.empty()) {
      ++wanted_;
      changed_.wait(lock, [&] { return ending_ || is_there() || taken_.empty(); });
      --wanted_;
    }
    return !ending_ && is_there();
  }

  // True if nothing is left of it.
  bool look_at(RootSearch& worker, Answers::View& view, Root& root) {
    answers_.refresh(view);
    if (context_.prunes.by_cost && !answers_.promises(view, root.bounds, {root.number, {}})) {
      return true;
    }
    if (!refine(worker, root)) return root.bounds.score == kNever;
    const bool done = worker.search(root.number);
    report(worker.tally());
    return done;
  }

  // Bounds it better until another one promises more, or there is nothing in it (then false), or it
  // is ready to be searched.
  bool refine(RootSearch& worker, Root& root) {
    if (!context_.prunes.by_coarse_tables)
      root.precision = std::max(root.precision, kFullPrecision);
    for (bool ready = false; !ready;) {
      const BoundPrecision precision =
          static_cast<BoundPrecision>(std::min(root.precision, kFullPrecision));
      ready = precision == BoundPrecision::kFull;
      const std::uint64_t cells = worker.cells();
      LowerBounds bounds =
          worker.bound(roots_->keeps(root), roots_->spatial(root), precision, root.holds_witness);
      if (ready && !context_.prunes.by_full_tables && bounds.score < kNever) bounds = {};
      search_locally_after(worker.cells() - cells);
      const bool again = root.precision > kFullPrecision;
      root.bounds.score = std::max(root.bounds.score, bounds.score);
      root.bounds.energy = std::max(root.bounds.energy, bounds.energy);
      root.bounds.cycles = std::max(root.bounds.cycles, bounds.cycles);
      root.precision = std::min(root.precision + 1, kFullPrecision + 1);
      if (root.bounds.score == kNever || (!again && !is_next(root))) return false;
    }
    return true;
  }

  // Whether there may be much better ones than the best so far: looking for them is worth more
  // then.
  bool is_far_off() {
    constexpr double kFar = 0.1;
    const std::lock_guard lock(mutex_);
    return open_bound() < (1 - kFar) * answers_.best().value_or(kNever);
  }

  // So many more cells of tables were filled.
  void search_locally_after(std::uint64_t cells) {
    constexpr std::uint64_t kMany = 2'000'000;
    constexpr std::uint64_t kVeryMany = 20'000'000;
    const std::uint64_t all = cells_ += cells;
    if (all >= kMany && is_far_off()) search_locally_again(all < kVeryMany ? 1 : 2, 1);
  }

  std::optional<Root> take_root(const RootSearch& worker) {
    const std::lock_guard lock(mutex_);
    if (ending_ || !is_ready()) return std::nullopt;
    const Root root = waiting_.top();
    waiting_.pop();
    taken_[&worker] = root.bounds.score;
    return root;
  }

  std::optional<RootSearch::Branch> take_branch(const RootSearch& worker) {
    const std::lock_guard lock(mutex_);
    if (ending_ || branches_.empty()) return std::nullopt;
    RootSearch::Branch branch = std::move(branches_.back());
    branches_.pop_back();
    ++wanted_;
    taken_[&worker] = branch.bound();
    return branch;
  }

  // True if no other root promises more, listed or not.
  bool is_next(const Root& root) {
    const std::lock_guard lock(mutex_);
    return leads_unlisted(root) && (waiting_.empty() || waiting_.top() < root);
  }

  // What a thread worked on, if there is still something to look at.
  void give_back(const RootSearch& worker, const std::optional<Root>& root,
                 std::optional<RootSearch::Branch> branch) {
    const std::lock_guard lock(mutex_);
    taken_.erase(&worker);
    if (root) waiting_.push(*root);
    if (branch) {
      branches_.push_back(*std::move(branch));
      --wanted_;
    }
    changed_.notify_all();
  }

  // No mapping that was not looked at scores less. The lock must be held.
  double open_bound() const {
    double bound = roots_ ? roots_->bound() : least_;
    if (!waiting_.empty()) bound = std::min(bound, waiting_.top().bounds.score);
    for (const RootSearch::Branch& branch : branches_) bound = std::min(bound, branch.bound());
    for (const auto& [worker, score] : taken_) bound = std::min(bound, score);
    return bound;
  }

  // The lock must be held.
  void find_ending() {
    if (!ending_) ending_ = watch_.interruption();
    if (ending_) changed_.notify_all();
  }

  bool interrupted() {
    const std::lock_guard lock(mutex_);
    tell();
    find_ending();
    return ending_.has_value();
  }

  // Nodes of all threads; nothing if the search is to end.
  std::optional<std::uint64_t> tell(const SearchResult& tally) {
    const std::lock_guard lock(mutex_);
    find_ending();
    if (options_.max_nodes > 0 && tally.nodes >= options_.max_nodes) ending_ = Ending::kBudget;
    told_[&tally] = {tally.seen, tally.valid, tally.nodes};  // one tally a thread
    const std::uint64_t nodes = tell();
    if (ending_) return std::nullopt;
    return nodes;
  }

  // The user; returns the nodes of all threads. The lock must be held.
  std::uint64_t tell() {
    Progress progress;
    for (const auto& [thread, told] : told_) {
      progress.seen += told[0];
      progress.valid += told[1];
      progress.nodes += told[2];
    }
    progress.best = answers_.best();
    progress.bound = std::min(open_bound(), progress.best.value_or(kNever));
    if (*progress.bound == kNever) progress.bound.reset();
    watch_.tell(progress);
    return progress.nodes;
  }

  SearchResult finish() {
    SearchResult result;
    workers_.for_each([&](RootSearch& worker) {
      add_counts(worker.tally(), result);
      result.nodes += worker.tally().nodes;
      std::ranges::move(worker.opened(), std::back_inserter(result.opened));
    });
    for (const Answer& answer : answers_.all()) {
      result.answers.push_back(make_found(context_.tables.problem, options_, answer.nest));
    }
    for (const Found& found : result.answers) {
      if (!result.best || found.score < result.best->score) result.best = found;
    }
    if (result.best) {
      for (OpenedRoot& root : result.opened) forget_needless(result.best->score, root.open);
    }
    const double open = ending_ ? open_bound() : kNever;
    if (open == kNever) ending_.reset();  // stopped when nothing was left: that is the end
    result.ending = ending_.value_or(Ending::kExhausted);
    if (context_.witness) check_witness(result);
    if (result.best) result.bound = std::min(open, result.best->score);
    if (!result.best && open < kNever) result.bound = open;
    if (!ending_ && result.best && options_.gap > 0) {
      result.bound = result.best->score * (1 - options_.gap);
      result.ending = Ending::kGap;
    }
    return result;
  }

  // What no check has seen.
  void check_witness(const SearchResult& result) const {
    const WitnessPath& witness = *context_.witness;
    if (result.ending != Ending::kExhausted) return;
    if (witness.alone() && !witness.is_reached()) {
      witness.lose("choices in space", "no root has it");
    }
    if (!witness.alone()) {
      witness.check_drop("an unknown prune", result.best ? result.best->score : kNever);
    }
  }

  const SearchOptions& options_;
  Watch watch_;
  OptimalContext context_;
  const double least_;  // of all mappings, before there are roots
  Answers answers_;
  ThreadPool pool_;
  PerWorker<RootSearch> workers_;
  std::optional<RootList> roots_;  // if there can be any
  std::mutex mutex_;
  std::priority_queue<Root> waiting_;
  std::map<const SearchResult*, std::array<std::uint64_t, 3>> told_;  // seen, valid, nodes
  std::map<const RootSearch*, double> taken_;  // bounds of what threads work on
  std::vector<RootSearch::Branch> branches_;   // given away
  std::atomic<int> wanted_ = 0;           // threads that have nothing to do, less branches for them
  std::condition_variable changed_;       // any of waiting_, taken_, branches_, ending_
  std::atomic<int> asked_ = 0;            // how often the list of roots asked whether to stop
  std::atomic<std::uint64_t> cells_ = 0;  // of all tables of roots so far
  std::mutex local_mutex_;
  int degree_ = 0;  // of the local searches so far; under local_mutex_
  std::optional<Ending> ending_;
};

}  // namespace

SearchResult search_optimal(const Problem& problem, const Rules& rules,
                            const SearchOptions& options) {
  return Search(problem, rules, options).run();
}

double bound_at_once(const Problem& problem, const Rules& rules, const SearchOptions& options,
                     const std::function<bool()>& stop) {
  if (stop && stop()) return least_score(problem, rules, options.objective);
  OptimalContext context(problem, rules, options);
  context.stop = stop;
  if (!context.possible) return kNever;
  const Answers answers(options);
  ThreadPool pool(1);
  try {
    return RootList(context, answers, pool).bound();
  } catch (const StoppedError&) {
    return least_score(problem, rules, options.objective);
  }
}

}  // namespace tilewright
