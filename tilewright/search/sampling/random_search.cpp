// SPDX-License-Identifier: Apache-2.0
// Random search as a pipeline: batches of draws are numbered, scored by many threads, and replayed
// in order by one, so that the answer is that of a single thread.
#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "tilewright/mapspace/sampler.h"
#include "tilewright/search/draws.h"
#include "tilewright/search/scorer.h"
#include "tilewright/search/search.h"
#include "tilewright/search/watch.h"
#include "tilewright/threads/in_order.h"
#include "tilewright/threads/per_worker.h"
#include "tilewright/threads/thread_pool.h"

namespace tilewright {
namespace {

// A draw that is better than all before it in its batch.
struct Improvement {
  std::size_t draw = 0;  // in the batch
  double score = 0;
  std::vector<NestNode> nest;
};

struct Batch {
  std::uint64_t number = 0;
  std::uint64_t size = 0;
  std::vector<Outcome> outcomes;  // by draw
  std::vector<Improvement> improvements;
};

// Draws and scores batches; one per thread.
class Drawer {
 public:
  Drawer(const Sampler& sampler, const Problem& problem, const SearchOptions& options)
      : sampler_(sampler), scorer_(problem, options), seed_(options.seed) {}

  void fill(Batch& batch) {
    Random random = batch_random(seed_, batch.number);
    batch.outcomes.reserve(batch.size);
    for (std::size_t draw = 0; draw < batch.size; ++draw) {
      if (!scorer_.fits(sampler_.draw_tiling(random))) {  // as most do not
        batch.outcomes.push_back(Outcome::kTooLarge);
        continue;
      }
      const auto nest = sampler_.draw_orders(random);
      const Scored scored = scorer_.score_fitting(nest);
      batch.outcomes.push_back(scored.outcome);
      if (scored.outcome != Outcome::kValid) continue;
      auto& improvements = batch.improvements;
      if (!improvements.empty() && scored.score >= improvements.back().score) continue;
      improvements.push_back({draw, scored.score, {nest.begin(), nest.end()}});
    }
  }

 private:
  Sampler sampler_;
  Scorer scorer_;
  std::uint64_t seed_;
};

// The search as a single thread would go through it.
class Replay {
 public:
  explicit Replay(const SearchOptions& options) : options_(options) {}

  // Takes the next batch, as far as the search gets in it.
  void take(Batch batch) {
    auto next = batch.improvements.begin();
    for (std::size_t draw = 0; draw < batch.outcomes.size() && !ending_; ++draw) {
      count(batch.outcomes[draw], result_);
      const bool first_here = next != batch.improvements.end() && next->draw == draw;
      const bool improves = first_here && (!best_ || next->score < best_->score);
      if (improves) best_ = std::move(*next);
      if (first_here) ++next;
      if (batch.outcomes[draw] == Outcome::kValid) in_vain_ = improves ? 0 : in_vain_ + 1;
      if (options_.trace) options_.trace(result_.seen, best_score());
      const bool barren = result_.valid == 0 && result_.seen == options_.barren;
      if (barren || (options_.patience > 0 && in_vain_ >= options_.patience)) {
        ending_ = Ending::kPatience;
      } else if (result_.seen == options_.max_seen) {
        ending_ = Ending::kBudget;
      }
    }
    if (ending_) ended_.store(true, std::memory_order_relaxed);
  }

  // For another thread than the one that takes.
  bool ended() const { return ended_.load(std::memory_order_relaxed); }

  Progress progress() const { return {result_.seen, result_.valid, best_score()}; }

  // `interruption` ended it if nothing else did.
  SearchResult finish(const Problem& problem, std::optional<Ending> interruption) {
    result_.ending = ending_ ? *ending_ : interruption.value_or(Ending::kBudget);
    if (best_) result_.best = make_found(problem, options_, std::move(best_->nest));
    return std::move(result_);
  }

 private:
  std::optional<double> best_score() const {
    return best_ ? std::optional(best_->score) : std::nullopt;
  }

  const SearchOptions& options_;
  SearchResult result_;
  std::optional<Improvement> best_;
  std::uint64_t in_vain_ = 0;  // valid draws since the best
  std::optional<Ending> ending_;
  std::atomic<bool> ended_ = false;
};

}  // namespace

SearchResult search_random(const Problem& problem, const Rules& rules,
                           const SearchOptions& options) {
  const Sampler sampler(problem, rules);
  if (sampler.empty()) return {};
  Watch watch(options);
  Replay replay(options);
  std::optional<Ending> interruption;
  ThreadPool pool(options.threads);
  PerWorker<Drawer> drawers(pool,
                            [&] { return std::make_unique<Drawer>(sampler, problem, options); });

  std::uint64_t batches = 0;
  const auto issue = [&]() -> std::optional<Batch> {
    interruption = watch.interruption();
    const std::uint64_t first = batches * kBatchSize;
    const bool all = options.max_seen > 0 && first >= options.max_seen;
    if (all || interruption || replay.ended()) return std::nullopt;
    const std::uint64_t left = options.max_seen > 0 ? options.max_seen - first : kBatchSize;
    return Batch{.number = batches++, .size = std::min(left, kBatchSize)};
  };
  const auto draw = [&](int worker, Batch& batch) {
    if (!replay.ended()) drawers.of(worker).fill(batch);
  };
  const auto take = [&](Batch batch) {
    replay.take(std::move(batch));
    watch.tell(replay.progress());
  };
  run_in_order<Batch>(pool, issue, draw, take);
  return replay.finish(problem, interruption);
}

}  // namespace tilewright
