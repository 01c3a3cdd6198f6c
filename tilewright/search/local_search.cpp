// SPDX-License-Identifier: Apache-2.0
// Local search after QuickFlow: downhill while a move helps, then a beam that may go uphill for a
// few moves. Starts do not know of each other, so that any number of threads finds the same.
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "tilewright/mapspace/feasible.h"
#include "tilewright/search/moves.h"
#include "tilewright/search/order_choice.h"
#include "tilewright/search/scorer.h"
#include "tilewright/search/search.h"
#include "tilewright/search/threads.h"
#include "tilewright/search/watch.h"

namespace tilewright {
namespace {

// What all threads know.
class Board {
 public:
  explicit Board(const SearchOptions& options) : watch_(options) {}

  // Adds what a start has seen since its last report. False if the search is to end.
  bool report(std::uint64_t seen, std::uint64_t valid, std::optional<double> best) {
    const std::lock_guard lock(mutex_);
    progress_.seen += seen;
    progress_.valid += valid;
    if (best && (!progress_.best || *best < *progress_.best)) progress_.best = best;
    watch_.tell(progress_);
    if (!interruption_) interruption_ = watch_.interruption();
    return !interruption_;
  }

  // Once all threads are done.
  std::optional<Ending> interruption() const { return interruption_; }

 private:
  std::mutex mutex_;
  Watch watch_;
  Progress progress_;
  std::optional<Ending> interruption_;
};

struct Candidate {
  Worth worth;
  Point point;
};

std::uint64_t hash(const Point& point) {
  std::uint64_t sum = 0x9e3779b97f4a7c15ULL;
  const auto add = [&](std::uint64_t value) {
    sum = (sum ^ value) * 0xff51afd7ed558ccdULL;
    sum ^= sum >> 32;
  };
  for (const TensorSet kept : point.keeps) add(kept);
  for (const std::int64_t factor : point.tiling.factors) add(static_cast<std::uint64_t>(factor));
  return sum;
}

// The way from one start.
class Climb {
 public:
  Climb(const Problem& problem, const Rules& rules, const SearchOptions& options, Board& board)
      : options_(options),
        board_(board),
        scorer_(problem, options),
        moves_(problem, rules),
        orders_(problem, rules) {}

  void run(const Point& start) {
    if (!report()) return;
    const std::optional<Worth> worth = orders_.choose(start, true, scorer_, tally);
    if (!worth) return;
    visited_.insert(hash(start));
    take(*worth);
    std::vector<Candidate> layer{{*worth, start}};
    for (int in_vain = 0; in_vain < options_.hops && !layer.empty();) {
      layer = next_layer(layer, in_vain > 0);
      if (ended_) return;
      if (!layer.empty() && layer.front().worth < *best_worth) {
        layer.resize(1);
        refine(layer.front());
        in_vain = 0;
      } else {
        ++in_vain;
      }
    }
  }

  SearchResult tally;
  std::optional<Worth> best_worth;
  std::vector<NestNode> best_nest;

 private:
  // The best neighbours of all points of a layer, best first.
  std::vector<Candidate> next_layer(const std::vector<Candidate>& layer, bool) {
    std::vector<Candidate> found;
    const auto better = [](const Candidate& a, const Candidate& b) { return a.worth < b.worth; };
    const auto visit = [&](const Point& point) {
      if (!visited_.insert(hash(point)).second) return;
      const std::optional<Worth> worth = orders_.choose(point, false, scorer_, tally);
      if (!worth) return;
      if (found.size() == static_cast<std::size_t>(options_.beam)) {
        if (*worth >= found.front().worth) return;
        std::ranges::pop_heap(found, better);
        found.pop_back();
      }
      found.push_back({*worth, point});
      std::ranges::push_heap(found, better);
    };
    for (const Candidate& candidate : layer) {
      moves_.resplit(candidate.point, visit);
      moves_.swap(candidate.point, visit);
      moves_.bypass(candidate.point, visit);
      if (!report()) break;
    }
    std::ranges::sort_heap(found, better);
    return found;
  }

  void refine(Candidate& candidate) {
    const std::optional<Worth> worth = orders_.choose(candidate.point, true, scorer_, tally);
    if (worth) candidate.worth = *worth;
    take(candidate.worth);
  }

  // The nest just looked at is the best so far.
  void take(const Worth& worth) {
    best_worth = worth;
    best_nest.assign(orders_.best().begin(), orders_.best().end());
  }

  bool report() {
    const std::uint64_t seen = tally.seen - reported_seen_;
    const std::uint64_t valid = tally.valid - reported_valid_;
    reported_seen_ = tally.seen;
    reported_valid_ = tally.valid;
    const bool known = best_worth && best_worth->excess == 0;
    ended_ = !board_.report(seen, valid, known ? std::optional(best_worth->score) : std::nullopt);
    return !ended_;
  }

  const SearchOptions& options_;
  Board& board_;
  Scorer scorer_;
  Moves moves_;
  OrderChoice orders_;
  std::unordered_set<std::uint64_t> visited_;
  std::uint64_t reported_seen_ = 0;
  std::uint64_t reported_valid_ = 0;
  bool ended_ = false;
};

// Points to start from: everything outermost, then the same with axes filled and keeps drawn.
std::vector<Point> find_starts(const Problem& problem, const Rules& rules,
                               const SearchOptions& options) {
  Moves moves(problem, rules);
  OrderChoice orders(problem, rules);
  const Scorer scorer(problem, options);
  const auto fits = [&](const Point& point) { return scorer.fits(orders.nest(point)); };
  Keeps all;
  Keeps least;
  for (const KeepRule& keep : rules.keeps) {
    all.push_back(keep.allowed);
    least.push_back(keep.required);
  }
  std::optional<Point> first = moves.outermost(all);
  if (!first || !fits(*first)) first = moves.outermost(least);
  if (!first || !fits(*first)) {
    const auto witness = find_feasible(problem, rules, options.conventions.holes_are_data);
    if (!witness) return {};
    first = moves.read(witness->nodes());
  }
  std::vector<Point> starts{*first};
  Random random(options.seed);
  while (starts.size() < static_cast<std::size_t>(options.starts)) {
    starts.push_back(moves.scatter(*first, random, fits));
  }
  return starts;
}

}  // namespace

SearchResult search_local(const Problem& problem, const Rules& rules,
                          const SearchOptions& options) {
  Board board(options);
  SearchResult result;
  const std::vector<Point> starts = find_starts(problem, rules, options);
  if (starts.empty()) return result;
  std::vector<std::optional<Climb>> climbs(starts.size());
  run_on(options.threads, [&] {
    const auto go = [&](std::size_t i) {
      climbs[i].emplace(problem, rules, options, board).run(starts[i]);
    };
    tbb::parallel_for(std::size_t{0}, starts.size(), go, tbb::simple_partitioner());
  });
  const Climb* best = nullptr;
  for (const std::optional<Climb>& climb : climbs) {
    result.seen += climb->tally.seen;
    result.valid += climb->tally.valid;
    result.too_large += climb->tally.too_large;
    result.over_cap += climb->tally.over_cap;
    if (!climb->best_worth || climb->best_worth->excess > 0) continue;
    if (best == nullptr || climb->best_worth->score < best->best_worth->score) best = &*climb;
  }
  result.ending = board.interruption().value_or(Ending::kLocal);
  if (best != nullptr) result.best = make_found(problem, options, best->best_nest);
  return result;
}

}  // namespace tilewright
