// SPDX-License-Identifier: Apache-2.0
// Local search after QuickFlow: from some starts downhill, then generation after generation the
// best of them crossed, shaken and again downhill, and from the very best a beam that may go uphill
// for a few moves. Each way depends on its start and the seed alone, and generations are whole, so
// any number of threads finds the same.
#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"
#include "tilewright/mapspace/feasibility/feasible.h"
#include "tilewright/search/board.h"
#include "tilewright/search/breeding.h"
#include "tilewright/search/draws.h"
#include "tilewright/search/local/moves.h"
#include "tilewright/search/local/order_choice.h"
#include "tilewright/search/scorer.h"
#include "tilewright/search/search.h"
#include "tilewright/threads/per_worker.h"
#include "tilewright/threads/thread_pool.h"

namespace tilewright {
namespace {

constexpr std::ptrdiff_t kAlike = 2;  // so many of the pool may keep the same
// Bold breeding:
constexpr std::int64_t kTrades = 4;  // one child of so many has two dims that trade their splits
constexpr std::int64_t kShakes = 3;  // changes of a child, at most
// A neighbour that costs so many times as much is not worth looking for better orders.
constexpr double kHopeless = 2;
// One that takes longer would have to do with so many times less energy; hardly any does.
constexpr double kSlow = 1.3;

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

// Choices times numbers without a pattern, one for each position.
std::uint64_t hash(const Point& point) {
  static constexpr auto kWeights = [] {
    std::array<std::uint64_t, 64> weights{};
    std::uint64_t state = 0x9e3779b97f4a7c15ULL;
    for (std::uint64_t& weight : weights) {
      state = (state ^ (state >> 29U)) * 0xbf58476d1ce4e5b9ULL + 0x94d049bb133111ebULL;
      weight = state | 1U;
    }
    return weights;
  }();
  std::uint64_t sum = 0;
  std::size_t i = 0;
  const auto add = [&](std::uint64_t value) {
    if (i % kWeights.size() == 0) sum *= kWeights.front();
    sum += (value + 1) * kWeights[i++ % kWeights.size()];
  };
  for (const TensorSet kept : point.keeps) add(kept);
  for (const std::int64_t factor : point.tiling.factors) add(static_cast<std::uint64_t>(factor));
  return sum ^ (sum >> 32U);
}

// Hashes that were met. Made for being filled and emptied many times.
class Met {
 public:
  // False if it was met before.
  bool insert(std::uint64_t hash) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    std::uint64_t& slot = find(hash);
    if (slot == hash) return false;
    slot = hash;
    ++count_;
    return true;
  }
  void clear() {
    std::ranges::fill(slots_, kEmpty);
    count_ = 0;
  }

 private:
  static constexpr std::uint64_t kEmpty = 0;  // one point of 2^64 is taken as met: no harm

  std::uint64_t& find(std::uint64_t hash) {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != kEmpty && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow() {
    std::vector<std::uint64_t> old(std::max<std::size_t>(1024, 2 * slots_.size()), kEmpty);
    old.swap(slots_);
    for (const std::uint64_t hash : old) {
      if (hash != kEmpty) find(hash) = hash;
    }
  }

  std::vector<std::uint64_t> slots_;  // as many as a power of two
  std::size_t count_ = 0;
};

// The best that were found, not too many of them alike.
class Pool {
 public:
  explicit Pool(std::size_t size) : size_(size) {}

  // Where nothing was found there is nothing.
  void add(std::vector<std::optional<Stand>>& found) {
    for (std::optional<Stand>& stand : found) {
      if (!stand) continue;
      met_.insert(hash(stand->point));
      stands_.push_back(*std::move(stand));
    }
    std::ranges::stable_sort(stands_, {}, &Stand::worth);
    std::vector<Stand> kept;
    for (Stand& stand : stands_) {
      const auto alike = std::ranges::count_if(
          kept, [&](const Stand& other) { return other.point.keeps == stand.point.keeps; });
      const bool new_worth = kept.empty() || kept.back().worth != stand.worth;
      if (kept.size() < size_ && new_worth && alike < kAlike) kept.push_back(std::move(stand));
    }
    stands_ = std::move(kept);
  }

  bool empty() const { return stands_.empty(); }
  Stand& best() { return stands_.front(); }
  const Stand& draw(Random& random) const {
    const auto last = static_cast<std::int64_t>(stands_.size()) - 1;
    return stands_[static_cast<std::size_t>(random.between(0, last))];
  }
  // Whether a way down ended there, even if it is not among the best.
  bool has_met(const Point& point) const { return met_.contains(hash(point)); }

 private:
  std::size_t size_;
  std::vector<Stand> stands_;  // the best first
  std::unordered_set<std::uint64_t> met_;
};

// Compute steps that a tiling takes at least: as if every unit was busy to the last one.
class LeastSteps {
 public:
  LeastSteps(const Problem& problem, const Rules& rules) {
    for (const Dim& dim : problem.workload().dims()) sizes_.push_back(dim.size);
    for (std::size_t p = 0; p < rules.places.size(); ++p) {
      if (!rules.places[p].is_block()) axes_.push_back(static_cast<int>(p));
    }
  }

  double least(const Tiling& tiling) const {
    double steps = 1;
    for (int d = 0; d < tiling.dims; ++d) {
      std::int64_t units = 1;
      for (const int p : axes_) units *= tiling.at(p, d);
      steps *= static_cast<double>(ceil_div(sizes_[static_cast<std::size_t>(d)], units));
    }
    return steps;
  }

 private:
  std::vector<std::int64_t> sizes_;  // by dim
  std::vector<int> axes_;            // places
};

// Goes its way from one point after the other; one per thread. What it finds does not depend on
// where it was before.
class Climber {
 public:
  Climber(const Problem& problem, const Rules& rules, const SearchOptions& options,
          const Breeding& breeding, Board& board)
      : options_(options),
        breeding_(breeding),
        board_(board),
        scorer_(problem, options),
        moves_(problem, rules),
        steps_(problem, rules),
        orders_(problem, rules, scorer_),
        neighbourhoods_(problem.workload().dims().size() + kOtherMoves) {}
  Climber(const Climber&) = delete;

  // Down from `first`, or from it well shaken; nothing if that leads nowhere else or costs too much
  // to be counted, or if the search is to end.
  std::optional<Stand> start(const Point& first, bool as_it_is, Random random) {
    orders_.forget();
    if (!report(std::nullopt)) return std::nullopt;
    if (as_it_is) return descend(first, random, Take::kBest);
    const int changes = 2 * static_cast<int>(first.tiling.factors.size()) / first.tiling.dims;
    const Point point = moves_.shake(first, changes, random, fits());
    return point == first ? std::nullopt : descend(point, random, Take::kBest);
  }

  // Down from two of the pool crossed and changed; nothing if that leads to what was met before.
  std::optional<Stand> cross(const Pool& pool, Random random) {
    orders_.forget();
    const Point& one = pool.draw(random).point;
    const Point& other = pool.draw(random).point;
    const Point child = change(moves_.cross(one, other, random, fits()), random);
    if (pool.has_met(child) || !report(std::nullopt)) return std::nullopt;
    return descend(child, random, Take::kFirst, &pool);
  }

  // Follows the best neighbours, even if they are worse.
  void follow(Stand& stand) {
    orders_.forget();
    visited_.clear();
    visited_.insert(hash(stand.point));
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
  enum class Take { kBest, kFirst };  // of the better neighbours in a neighbourhood
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr int kOtherMoves = 3;  // than those of one dim: swap, bypass, exchange

  Moves::Fits fits() {
    return [this](const Point& point) { return orders_.fits(point); };
  }

  Point change(const Point& crossed, Random& random) {
    if (!breeding_.bold) return moves_.shake(crossed, 1, random, fits());
    const bool trades = random.one_in(kTrades);
    const Point traded = trades ? moves_.trade(crossed, random, fits()) : crossed;
    const int changes = static_cast<int>(random.between(1, kShakes));
    return moves_.shake(traded, changes, random, fits());
  }

  // One neighbourhood after the other until none has a better neighbour; nothing if that leads to
  // what the pool has met, or is too large.
  std::optional<Stand> descend(const Point& from, Random& random, Take take,
                               const Pool* pool = nullptr) {
    std::optional<Stand> stand = stand_on(from);
    if (!stand) return stand;
    visited_.clear();
    visited_.insert(hash(from));
    shuffle(random);
    std::size_t in_vain = 0;
    for (std::size_t i = 0; in_vain < neighbourhoods_.size(); ++i) {
      std::optional<Candidate> best;
      look_around(stand->point, neighbourhoods_[i % neighbourhoods_.size()], Effort::kNew,
                  stand->worth, [&](const Worth& worth, const Point& point) {
                    if (worth < (best ? best->worth : stand->worth)) best = {worth, point};
                    return !best || take == Take::kBest;
                  });
      if (!report(stand->worth)) break;
      in_vain = best && step(*stand, best->point) ? 0 : in_vain + 1;
      if (in_vain == 0 && pool != nullptr && pool->has_met(stand->point)) return std::nullopt;
    }
    return stand;
  }

  // Dims come in any order, then the other moves, which there are more of.
  void shuffle(Random& random) {
    std::iota(neighbourhoods_.begin(), neighbourhoods_.end(), 0);
    for (std::size_t left = neighbourhoods_.size() - kOtherMoves; left > 1; --left) {
      const auto other = random.between(0, static_cast<std::int64_t>(left) - 1);
      std::swap(neighbourhoods_[left - 1], neighbourhoods_[static_cast<std::size_t>(other)]);
    }
  }

  // Neighbours that were not met yet, until `consider` has seen enough.
  template <typename Consider>
  void look_around(const Point& from, int neighbourhood, Effort effort, const Worth& best,
                   const Consider& consider) {
    const double hopeless = best.excess > 0 ? kNever : kHopeless * best.score;
    const double slow = best.excess > 0 ? kNever : most_steps(best);
    bool more = true;
    const auto visit = [&](const Point& point) {
      if (!more || is_stopped()) return;
      if (!visited_.insert(hash(point)) || steps_.least(point.tiling) > slow) return;
      const std::optional<Worth> worth = orders_.choose(point, effort, hopeless, tally);
      if (worth) more = consider(*worth, point);
    };
    switch (neighbourhood - from.tiling.dims) {
      case 0:
        return moves_.swap(from, visit);
      case 1:
        return moves_.bypass(from, visit);
      case 2:
        return moves_.exchange(from, visit);
      default:
        return moves_.resplit(from, neighbourhood, visit);
    }
  }

  // A neighbourhood can be large; report() then ends what is left.
  bool is_stopped() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }

  // More compute steps than these are not worth it.
  double most_steps(const Worth& best) const {
    const Objective& goal = options_.objective;
    if (goal.latency == 0) return kNever;
    return best.cycles * power(kSlow, (goal.energy + goal.traffic) / goal.latency);
  }

  // The best neighbours of a layer, best first.
  std::vector<Candidate> next_layer(const std::vector<Candidate>& layer, const Worth& best) {
    std::vector<Candidate> found;  // a heap, the worst in front
    const auto better = [](const Candidate& a, const Candidate& b) { return a.worth < b.worth; };
    const auto consider = [&](const Worth& worth, const Point& point) {
      if (found.size() >= static_cast<std::size_t>(options_.beam)) {
        if (worth >= found.front().worth) return true;
        std::ranges::pop_heap(found, better);
        found.pop_back();
      }
      found.push_back({worth, point});
      std::ranges::push_heap(found, better);
      return true;
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
  const Breeding& breeding_;
  Board& board_;
  Scorer scorer_;
  Moves moves_;
  LeastSteps steps_;
  OrderChoice orders_;
  std::vector<int> neighbourhoods_;  // dims, then swap, bypass, exchange
  Met visited_;
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
  const auto witness = find_feasible(problem, rules);
  return witness ? std::optional(moves.read(witness->nodes())) : std::nullopt;
}

// The best of all ways; nothing if none leads anywhere.
std::optional<Stand> climb(const Point& first, const SearchOptions& options,
                           const Breeding& breeding, const Board& board, ThreadPool& threads,
                           PerWorker<Climber>& climbers) {
  std::size_t ways = 0;
  const auto go = [&](std::size_t count, const auto& way) {
    std::vector<std::optional<Stand>> found(count);
    threads.for_each(count, [&](int worker, std::size_t i) {
      found[i] = way(climbers.of(worker), i, batch_random(options.seed, ways + i));
    });
    ways += count;
    return found;
  };
  Pool pool(breeding.pool);
  auto found = go(static_cast<std::size_t>(options.starts),
                  [&](Climber& climber, std::size_t i, const Random& random) {
                    return climber.start(first, i == 0, random);
                  });
  pool.add(found);
  if (pool.empty()) return std::nullopt;
  for (int in_vain = 0; in_vain < options.generations && !board.interruption(); ++in_vain) {
    const Worth before = pool.best().worth;
    found = go(breeding.children, [&](Climber& climber, std::size_t, const Random& random) {
      return climber.cross(pool, random);
    });
    pool.add(found);
    if (pool.best().worth < before) in_vain = -1;
  }
  climbers.of(0).follow(pool.best());
  return std::move(pool.best());
}

}  // namespace

SearchResult search_local(const Problem& problem, const Rules& rules, const SearchOptions& options,
                          const Breeding& breeding) {
  TW_CHECK(options.starts > 0 && options.generations >= 0 && options.beam > 0 && options.hops >= 0,
           "a local search has a start and a beam");
  Board board(options);
  const std::optional<Point> first = find_first(problem, rules, options);
  if (!first) return {};
  ThreadPool threads(options.threads);
  PerWorker<Climber> climbers(
      threads, [&] { return std::make_unique<Climber>(problem, rules, options, breeding, board); });
  std::optional<Stand> best = climb(*first, options, breeding, board, threads, climbers);
  SearchResult result;
  climbers.for_each([&](const Climber& climber) { add_counts(climber.tally, result); });
  result.ending = board.interruption().value_or(Ending::kLocal);
  const bool valid = best && best->worth.excess == 0;
  if (valid) result.best = make_found(problem, options, std::move(best->nest));
  return result;
}

SearchResult search_local(const Problem& problem, const Rules& rules,
                          const SearchOptions& options) {
  return search_local(problem, rules, options, {});
}

}  // namespace tilewright
