// SPDX-License-Identifier: Apache-2.0
// Uneven placement: the optimal search against every nest that keeps the tensors of a memory at any
// points, built here loop by loop without the code of the mapspace, on random small problems of all
// four spaces; with each prune off as well, and with two threads; and the sizes of the spaces.
//   property.uneven [--cases N] [--seed S] [--first K] [--failures F] [--most M]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/options.h"
#include "tests/support/uneven_case.h"
#include "tilewright/base/checked.h"
#include "tilewright/base/random.h"
#include "tilewright/io/write.h"
#include "tilewright/mapper/search_space.h"
#include "tilewright/mapping/fit.h"
#include "tilewright/mapspace/arrangement.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/model/evaluator.h"

namespace tilewright {
namespace {

using testing::SearchCase;
using testing::text;

constexpr std::size_t kSharesOfPrunes = 8;  // a case turns off every eighth of them, one at a time

struct Failure {
  std::string what;
};

/// Every nest, from the innermost node outwards: loops in any order, each dim at most once between
/// two keep nodes, and the tensors of an uneven memory one set after the other.
class AllNests {
 public:
  AllNests(const SearchCase& made, std::uint64_t most)
      : made_(made),
        most_(most),
        rules_(made.rules()),
        fit_(made.problem),
        evaluator_(made.problem, {.detail = false}) {
    for (const Dim& dim : made.problem.workload().dims()) left_.push_back(dim.size);
    choose_keeps(0);
  }

  bool is_complete() const { return seen_ <= most_; }
  std::uint64_t seen() const { return seen_; }
  std::uint64_t uneven() const { return uneven_; }
  double best() const { return best_; }
  double best_even() const { return best_even_; }

 private:
  bool is_uneven(NodeId memory) const {
    return std::ranges::find(made_.placement.uneven, memory) != made_.placement.uneven.end();
  }

  void choose_keeps(std::size_t memory) {
    if (memory == rules_.keeps.size()) return go_outwards(rules_.places.size());
    const KeepRule& rule = rules_.keeps[memory];
    if ((rule.required & ~rule.allowed) != 0) return;
    const TensorSet free = rule.allowed & ~rule.required;
    for (TensorSet some = free;; some = (some - 1) & free) {
      keeps_.push_back(rule.required | some);
      choose_keeps(memory + 1);
      keeps_.pop_back();
      if (some == 0) break;
    }
  }

  // All places from `end` on are done.
  void go_outwards(std::size_t end) {
    if (seen_ > most_) return;
    if (end == 0) return look_at();
    const std::size_t p = end - 1;
    const Place& place = rules_.places[p];
    if (!place.is_block())
      return spread(p, 0, made_.problem.arch().fanout(place.node).axes[axis(place)].size);
    std::size_t memory = 0;
    for (std::size_t q = 0; q < p; ++q) memory += rules_.places[q].is_block() ? 1 : 0;
    const TensorSet kept = keeps_[memory];
    if (kept == 0) return go_outwards(p);
    add_block(p, kept, 0, false);
  }
  static std::size_t axis(const Place& place) { return static_cast<std::size_t>(place.axis); }

  // Loops over dims from `dim` on along the axis, which has room for so many more children.
  void spread(std::size_t p, std::size_t dim, std::int64_t room) {
    const Place& place = rules_.places[p];
    if (dim == left_.size()) return go_outwards(p);
    spread(p, dim + 1, room);
    for (std::int64_t factor = 2; factor <= std::min(room, left_[dim]); ++factor) {
      if (!may_split(place, dim, factor)) continue;
      nest_.push_back(spatial(place.node, place.axis, DimId(dim), factor));
      const std::int64_t before = std::exchange(left_[dim], ceil_div(left_[dim], factor));
      spread(p, dim + 1, room / factor);
      left_[dim] = before;
      nest_.pop_back();
    }
  }

  bool may_split(const Place& place, std::size_t dim, std::int64_t factor) const {
    const FactorRule& rule = place.rules[dim];
    return factor <= rule.most && (rule.remainder || left_[dim] % factor == 0);
  }

  // One more loop of a block that has loops over `used`, or its keep node: of all that is `kept`,
  // or of some if the memory is uneven.
  void add_block(std::size_t p, TensorSet kept, DimSet used, bool must_loop) {
    if (seen_ > most_) return;
    const Place& place = rules_.places[p];
    if (!must_loop || used != 0) {
      for (TensorSet some = kept; some != 0; some = (some - 1) & kept) {
        if (some != kept && !is_uneven(place.node)) continue;
        nest_.push_back(keep(place.node, some));
        if (some == kept) {
          go_outwards(p);
        } else {
          ++points_;
          add_block(p, kept & ~some, 0, true);
          --points_;
        }
        nest_.pop_back();
      }
    }
    for (std::size_t dim = 0; dim < left_.size(); ++dim) {
      if ((used >> dim & 1U) != 0) continue;
      for (std::int64_t factor = 2; factor <= left_[dim]; ++factor) {
        if (!may_split(place, dim, factor)) continue;
        nest_.push_back(temporal(DimId(dim), factor));
        const std::int64_t before = std::exchange(left_[dim], ceil_div(left_[dim], factor));
        add_block(p, kept, used | DimSet{1} << dim, must_loop);
        left_[dim] = before;
        nest_.pop_back();
      }
    }
  }

  void look_at() {
    if (std::ranges::any_of(left_, [](std::int64_t left) { return left != 1; })) return;
    ++seen_;
    uneven_ += points_ > 0 ? 1 : 0;
    const std::vector<NestNode> nest(nest_.rbegin(), nest_.rend());
    if (!fit_.fits(nest)) return;
    const Evaluation& cost = evaluator_.evaluate(nest);
    if (!meets_caps(made_, cost)) return;
    const double value = score(made_.options.objective, cost);
    best_ = std::min(best_, value);
    if (points_ == 0) best_even_ = std::min(best_even_, value);
  }

  const SearchCase& made_;
  const std::uint64_t most_;
  const Rules rules_;
  Fit fit_;
  Evaluator evaluator_;
  std::vector<std::int64_t> left_;  // by dim: what the loops so far leave
  std::vector<TensorSet> keeps_;    // by memory
  std::vector<NestNode> nest_;      // innermost first
  int points_ = 0;                  // of uneven memories, beyond the first of each
  std::uint64_t seen_ = 0;
  std::uint64_t uneven_ = 0;
  double best_ = HUGE_VAL;
  double best_even_ = HUGE_VAL;
};

// Sizes of all arrangements that have each mapping once, and a few of their members.
void check_count(const SearchCase& made, std::uint64_t seen, std::uint64_t seed) {
  Natural size;
  Random random(seed);
  for (const Arrangement& arrangement :
       list_distinct_arrangements(made.problem, made.constraints, made.placement)) {
    const Mapspace space(made.problem,
                         make_rules(made.problem, made.kind, made.constraints, arrangement));
    size += space.size();
    if (space.size().is_zero()) continue;
    const Natural rank = random_below(space.size(), random);
    if (space.rank(space.unrank(rank)) != rank) throw Failure{"a member has another rank"};
    std::uint64_t listed = 0;
    space.for_each(OrderMode::kWhole, [&](std::span<const NestNode>) { return ++listed > 0; });
    if (Natural(listed) != space.size())
      throw Failure{"an arrangement is listed otherwise than counted"};
  }
  if (size != Natural(seen)) {
    throw Failure{"counted " + size.to_string() + ", there are " + std::to_string(seen)};
  }
}

struct Tally {
  std::uint64_t cases = 0;
  std::uint64_t nests = 0;
  std::uint64_t uneven = 0;   // nests that are
  std::uint64_t better = 0;   // cases whose best is uneven
  std::uint64_t nothing = 0;  // cases in which nothing fits
};

class Tester {
 public:
  Tester(const SearchCase& made, const AllNests& all, std::uint64_t which)
      : space_(make_space(made.problem, std::string(space_name(made.kind)), made.constraints,
                          made.placement)),
        made_(made),
        all_(all),
        which_(which) {}

  void test() const {
    const SpaceSearch plain = search(made_.options, "all prunes");
    std::size_t number = 0;
    for (const auto& [name, prune, is_bound] : kPruneNames) {
      if (++number % kSharesOfPrunes != which_ % kSharesOfPrunes) continue;
      SearchOptions options = made_.options;
      options.prunes.*prune = false;
      search(options, std::string(name) + " off");
    }
    SearchOptions options = made_.options;
    options.threads = 2;
    const SpaceSearch two = search(options, "two threads");
    if (plain.result.best && two.result.best->mapping != plain.result.best->mapping) {
      throw Failure{"two threads: another mapping of the same score"};
    }
  }

 private:
  SpaceSearch search(const SearchOptions& options, const std::string& how) const {
    SpaceSearch found = search_space(space_, made_.constraints, Mapper::kOptimal, options);
    const SearchResult& result = found.result;
    const double score = result.best ? result.best->score : HUGE_VAL;
    if (result.ending != Ending::kExhausted) throw Failure{how + ": not proved"};
    if (score != all_.best() && !(std::abs(score - all_.best()) <= 1e-12 * score)) {
      throw Failure{how + ": found " + text(score) + ", all nests " + text(all_.best()) +
                    (result.best ? "\n" + write_nest(made_.problem, result.best->mapping) : "")};
    }
    return found;
  }

  const Space space_;
  const SearchCase& made_;
  const AllNests& all_;
  const std::uint64_t which_;
};

int run(const testing::Options& options) {
  Tally tally;
  int bad = 0;
  for (std::uint64_t index = options.at("--first"); tally.cases < options.at("--cases"); ++index) {
    if (bad >= static_cast<int>(options.at("--failures"))) break;
    const auto found = testing::make_uneven_case(options.at("--seed"), index);
    if (!found) continue;
    const SearchCase& made = *found;
    const AllNests all(made, options.at("--most"));
    if (!all.is_complete()) continue;
    ++tally.cases;
    tally.nests += all.seen();
    tally.uneven += all.uneven();
    tally.better += all.best() < all.best_even() * (1 - 1e-12) ? 1 : 0;
    tally.nothing += all.best() == HUGE_VAL ? 1 : 0;
    std::string fault;
    try {
      check_count(made, all.seen(), index);
      Tester(made, all, index).test();
    } catch (const Failure& failure) {
      fault = failure.what;
    } catch (const std::exception& error) {
      fault = std::string("exception: ") + error.what();
    }
    if (fault.empty()) continue;
    ++bad;
    std::printf("case %llu: %s\n%s\n", static_cast<unsigned long long>(index), fault.c_str(),
                to_yaml(made).c_str());
    std::fflush(stdout);
  }
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf("%llu problems, %llu nests, %llu of them uneven; %llu problems have no mapping\n",
              number(tally.cases), number(tally.nests), number(tally.uneven),
              number(tally.nothing));
  std::printf(
      "uneven: %llu random problems, counts and optima; in %llu of them the best is uneven; %d "
      "mismatches\n",
      number(tally.cases), number(tally.better), bad);
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  return tilewright::run(tilewright::testing::read_options(
      argc, argv,
      {{"--seed", 1}, {"--first", 0}, {"--cases", 500}, {"--failures", 5}, {"--most", 60'000}}));
}
