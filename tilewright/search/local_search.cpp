// SPDX-License-Identifier: Apache-2.0
// Local search after QuickFlow: from some starts downhill, the best of them shaken and again
// downhill, and from the very best a beam that may go uphill for a few moves. Each way depends on
// its start and the seed alone, so any number of threads finds the same.
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/mapspace/feasible.h"
#include "tilewright/search/board.h"
#include "tilewright/search/draws.h"
#include "tilewright/search/moves.h"
#include "tilewright/search/order_choice.h"
#include "tilewright/search/scorer.h"
#include "tilewright/search/search.h"
#include "tilewright/search/threads.h"

namespace tilewright {
namespace {

constexpr std::size_t kShaken = 4;  // starts that are followed after the first way down
constexpr int kChanges = 2;         // in a shake
// A neighbour that costs so many times as much is not worth looking for better orders.
constexpr double kHopeless = 2;

struct Candidate {
  Worth worth;
  Point point;
};

// Where a climb stands.
struct Stand {
  Worth worth;
  Point point;
  std::vector<NestNode> nest;
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

// Goes its way from one point after the other; one per thread. What it finds does not depend on
// where it was before.
class Climber {
 public:
  Climber(const Problem& problem, const Rules& rules, const SearchOptions& options, Board& board)
      : options_(options),
        board_(board),
        scorer_(problem, options),
        moves_(problem, rules),
        orders_(problem, rules, scorer_),
        neighbourhoods_(problem.workload().dims().size() + 2) {}
  Climber(const Climber&) = delete;

  // Down from `first`, or from it well shaken; nothing if that leads nowhere else or costs too much
  // to be counted, or if the search is to end.
  std::optional<Stand> start(const Point& first, bool as_it_is, Random random) {
    orders_.forget();
    if (!report(std::nullopt)) return std::nullopt;
    if (as_it_is) return descend(first, random);
    const int changes = 2 * static_cast<int>(first.tiling.factors.size()) / first.tiling.dims;
    const Point point = moves_.shake(first, changes, random, fits());
    return point == first ? std::nullopt : descend(point, random);
  }

  // Shaken and down again, time after time.
  void shake(Stand& stand, Random random) {
    orders_.forget();
    for (int i = 0; i < options_.shakes && !ended_; ++i) {
      const Point next = moves_.shake(stand.point, kChanges, random, fits());
      if (next == stand.point) continue;
      std::optional<Stand> other = descend(next, random);
      if (other && other->worth < stand.worth) stand = *std::move(other);
    }
  }

  // Follows the best neighbours, even if they are worse.
  void follow(Stand& stand) {
    orders_.forget();
    visited_ = {hash(stand.point)};
    std::iota(neighbourhoods_.begin(), neighbourhoods_.end(), 0);
    std::vector<Candidate> layer{{stand.worth, stand.point}};
    for (int in_vain = 0; in_vain < options_.hops && !layer.empty() && !ended_; ++in_vain) {
      layer = next_layer(layer, stand.worth);
      if (layer.empty() || layer.front().worth >= stand.worth) continue;
      if (!step(stand, layer.front().point)) continue;
      layer.resize(1);
      in_vain = -1;
    }
  }

  SearchResult tally;

 private:
  using Effort = OrderChoice::Effort;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  Moves::Fits fits() {
    return [this](const Point& point) { return orders_.fits(point); };
  }

  // One neighbourhood after the other, the best neighbour of each, until none is better.
  std::optional<Stand> descend(const Point& from, Random& random) {
    std::optional<Stand> stand = stand_on(from);
    if (!stand) return stand;
    visited_ = {hash(from)};
    shuffle(random);
    std::size_t in_vain = 0;
    for (std::size_t i = 0; in_vain < neighbourhoods_.size(); ++i) {
      std::optional<Candidate> best;
      look_around(stand->point, neighbourhoods_[i % neighbourhoods_.size()], Effort::kNew,
                  stand->worth, [&](const Worth& worth, const Point& point) {
                    if (worth < (best ? best->worth : stand->worth)) best = {worth, point};
                  });
      if (!report(stand->worth)) break;
      in_vain = best && step(*stand, best->point) ? 0 : in_vain + 1;
    }
    return stand;
  }

  // Dims come in any order, then swaps and bypass, which there are more of.
  void shuffle(Random& random) {
    std::iota(neighbourhoods_.begin(), neighbourhoods_.end(), 0);
    for (std::size_t left = neighbourhoods_.size() - 2; left > 1; --left) {
      const auto other = random.between(0, static_cast<std::int64_t>(left) - 1);
      std::swap(neighbourhoods_[left - 1], neighbourhoods_[static_cast<std::size_t>(other)]);
    }
  }

  // Neighbours that were not met yet.
  template <typename Consider>
  void look_around(const Point& from, int neighbourhood, Effort effort, const Worth& best,
                   const Consider& consider) {
    const double hopeless = best.excess > 0 ? kNever : kHopeless * best.score;
    const auto visit = [&](const Point& point) {
      if (!visited_.insert(hash(point)).second) return;
      const std::optional<Worth> worth = orders_.choose(point, effort, hopeless, tally);
      if (worth) consider(*worth, point);
    };
    if (neighbourhood < from.tiling.dims) {
      moves_.resplit(from, neighbourhood, visit);
    } else if (neighbourhood == from.tiling.dims) {
      moves_.swap(from, visit);
    } else {
      moves_.bypass(from, visit);
    }
  }

  // The best neighbours of a layer, best first.
  std::vector<Candidate> next_layer(const std::vector<Candidate>& layer, const Worth& best) {
    std::vector<Candidate> found;  // a heap, the worst in front
    const auto better = [](const Candidate& a, const Candidate& b) { return a.worth < b.worth; };
    const auto consider = [&](const Worth& worth, const Point& point) {
      if (found.size() >= static_cast<std::size_t>(options_.beam)) {
        if (worth >= found.front().worth) return;
        std::ranges::pop_heap(found, better);
        found.pop_back();
      }
      found.push_back({worth, point});
      std::ranges::push_heap(found, better);
    };
    for (const Candidate& candidate : layer) {
      for (const int i : neighbourhoods_)
        look_around(candidate.point, i, Effort::kAll, best, consider);
      if (!report(best)) break;
    }
    std::ranges::sort_heap(found, better);
    return found;
  }

  // True if that is better.
  bool step(Stand& stand, const Point& to) {
    std::optional<Stand> next = stand_on(to);
    if (!next || next->worth >= stand.worth) return false;
    stand = *std::move(next);
    return true;
  }

  // With all orders tried; nothing if it is too large.
  std::optional<Stand> stand_on(const Point& point) {
    const std::optional<Worth> worth = orders_.choose(point, Effort::kAll, kNever, tally);
    if (!worth) return std::nullopt;
    return Stand{*worth, point, orders_.nest(point)};
  }

  bool report(const std::optional<Worth>& best) {
    const bool valid = best && best->excess == 0;
    ended_ = !board_.report(tally, valid ? std::optional(best->score) : std::nullopt, reported_);
    return !ended_;
  }

  const SearchOptions& options_;
  Board& board_;
  Scorer scorer_;
  Moves moves_;
  OrderChoice orders_;
  std::vector<int> neighbourhoods_;  // dims, then swaps, then bypass
  std::unordered_set<std::uint64_t> visited_;
  Board::Reported reported_;
  bool ended_ = false;
};

// Everything outermost, or what find_feasible found; nothing if nothing fits.
std::optional<Point> find_first(const Problem& problem, const Rules& rules,
                                const SearchOptions& options) {
  Moves moves(problem, rules);
  Scorer scorer(problem, options);
  OrderChoice orders(problem, rules, scorer);
  Keeps all;
  Keeps least;
  for (const KeepRule& keep : rules.keeps) {
    all.push_back(keep.allowed);
    least.push_back(keep.required);
  }
  for (const Keeps& keeps : {all, least}) {
    std::optional<Point> first = moves.outermost(keeps);
    if (first && orders.fits(*first)) return first;
  }
  const auto witness = find_feasible(problem, rules, options.conventions.holes_are_data);
  return witness ? std::optional(moves.read(witness->nodes())) : std::nullopt;
}

// All ways, the best first.
std::vector<Stand> climb(const Point& first, const SearchOptions& options,
                         tbb::enumerable_thread_specific<Climber>& climbers) {
  const auto for_each = [](std::size_t count, const auto& work) {
    tbb::parallel_for(std::size_t{0}, count, work, tbb::simple_partitioner());
  };
  const auto random = [&](std::size_t way) { return batch_random(options.seed, way); };
  const auto starts = static_cast<std::size_t>(options.starts);
  std::vector<std::optional<Stand>> found(starts);
  for_each(starts,
           [&](std::size_t i) { found[i] = climbers.local().start(first, i == 0, random(i)); });
  std::vector<Stand> stands;
  for (std::optional<Stand>& stand : found) {
    if (stand) stands.push_back(*std::move(stand));
  }
  const auto sort = [&] { std::ranges::stable_sort(stands, {}, &Stand::worth); };
  sort();
  stands.resize(std::min(stands.size(), kShaken));
  for_each(stands.size(),
           [&](std::size_t i) { climbers.local().shake(stands[i], random(starts + i)); });
  sort();
  if (!stands.empty()) climbers.local().follow(stands.front());
  return stands;
}

}  // namespace

SearchResult search_local(const Problem& problem, const Rules& rules,
                          const SearchOptions& options) {
  TW_CHECK(options.starts > 0 && options.shakes >= 0 && options.beam > 0 && options.hops >= 0,
           "a local search has a start and a beam");
  Board board(options);
  const std::optional<Point> first = find_first(problem, rules, options);
  if (!first) return {};
  tbb::enumerable_thread_specific<Climber> climbers(
      [&] { return Climber(problem, rules, options, board); });
  std::vector<Stand> stands;
  run_on(options.threads, [&] { stands = climb(*first, options, climbers); });
  SearchResult result;
  for (const Climber& climber : climbers) add_counts(climber.tally, result);
  result.ending = board.interruption().value_or(Ending::kLocal);
  const bool valid = !stands.empty() && stands.front().worth.excess == 0;
  if (valid) result.best = make_found(problem, options, std::move(stands.front().nest));
  return result;
}

}  // namespace tilewright
