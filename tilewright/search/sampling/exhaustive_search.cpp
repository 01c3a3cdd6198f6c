// SPDX-License-Identifier: Apache-2.0
// Exhaustive search: the pieces of a mapspace, each gone through by one thread.
#include <memory>
#include <tuple>
#include <utility>

#include "tilewright/search/board.h"
#include "tilewright/search/scorer.h"
#include "tilewright/search/search.h"
#include "tilewright/threads/per_worker.h"
#include "tilewright/threads/thread_pool.h"

namespace tilewright {
namespace {

// How many mappings a thread goes through before it tells the others.
constexpr std::uint64_t kReport = 1024;

// A valid mapping and its number in its piece.
struct Candidate {
  double score = 0;
  int piece = 0;
  std::uint64_t number = 0;
  std::vector<NestNode> nest;

  auto order() const { return std::tie(score, piece, number); }
};

// What one thread has seen.
class Worker {
 public:
  Worker(const Mapspace& space, const SearchOptions& options, Board& board)
      : space_(space), options_(options), board_(board), scorer_(space.problem(), options) {}

  // All mappings of a piece, unless the search is to end.
  void go_through(int piece) {
    if (!report()) return;
    std::uint64_t number = 0;
    space_.for_each_in(piece, options_.orders, [&](std::span<const NestNode> nest) {
      look_at(nest, piece, number++);
      return tally_.seen - reported_.seen < kReport || report();
    });
  }

  void add_to(SearchResult& total, std::optional<Candidate>& best) {
    add_counts(tally_, total);
    if (best_ && (!best || best_->order() < best->order())) best = std::move(best_);
  }

 private:
  void look_at(std::span<const NestNode> nest, int piece, std::uint64_t number) {
    const Scored scored = scorer_.score(nest);
    count(scored.outcome, tally_);
    if (scored.outcome != Outcome::kValid) return;
    if (best_ && std::tie(scored.score, piece, number) >= best_->order()) return;
    best_ = {scored.score, piece, number, {nest.begin(), nest.end()}};
  }

  bool report() {
    return board_.report(tally_, best_ ? std::optional(best_->score) : std::nullopt, reported_);
  }

  const Mapspace& space_;
  const SearchOptions& options_;
  Board& board_;
  Scorer scorer_;
  SearchResult tally_;
  Board::Reported reported_;
  std::optional<Candidate> best_;
};

}  // namespace

SearchResult search_exhaustive(const Mapspace& space, const SearchOptions& options) {
  Board board(options);
  ThreadPool pool(options.threads);
  PerWorker<Worker> workers(pool, [&] { return std::make_unique<Worker>(space, options, board); });
  pool.for_each(static_cast<std::size_t>(space.pieces()), [&](int worker, std::size_t piece) {
    workers.of(worker).go_through(static_cast<int>(piece));
  });
  SearchResult result;
  std::optional<Candidate> best;
  workers.for_each([&](Worker& worker) { worker.add_to(result, best); });
  result.ending = board.interruption().value_or(Ending::kExhausted);
  if (best) result.best = make_found(space.problem(), options, std::move(best->nest));
  return result;
}

}  // namespace tilewright
