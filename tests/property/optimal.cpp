// SPDX-License-Identifier: Apache-2.0
// The optimal search against exhaustive search over all explicit loop orders, on random small
// problems of every kind; with each prune off as well.
//   property.optimal [--cases N] [--seed S]
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/random_case.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/search/search.h"

namespace tilewright {
namespace {

constexpr std::uint64_t kLargest = 40'000;  // mappings

// Few and small dims, and memories that may be too small.
Problem shrink(const Problem& problem, Random& random) {
  std::vector<Dim> dims(problem.workload().dims().begin(), problem.workload().dims().end());
  int large = static_cast<int>(random.between(2, 4));
  for (Dim& dim : dims) {
    const bool keep = large > 0 && !random.one_in(4);
    large -= keep ? 1 : 0;
    dim.size = keep ? random.between(2, 7) : 1;
  }
  std::vector<ArchNode> nodes(problem.arch().nodes().begin(), problem.arch().nodes().end());
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    auto* const memory = std::get_if<Memory>(&nodes[i]);
    if (memory == nullptr) continue;
    memory->capacity_bits.reset();
    memory->partitions.clear();
    if (!random.one_in(4)) memory->capacity_bits = 16 * random.between(3, 60);
  }
  const std::vector<Tensor> tensors(problem.workload().tensors().begin(),
                                    problem.workload().tensors().end());
  return Problem(Workload("small", dims, tensors),
                 Arch("small", "", std::nullopt, nodes, problem.arch().compute()));
}

struct Tally {
  std::uint64_t cases = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t mappings = 0;
  std::uint64_t nodes = 0;
  std::uint64_t evaluated = 0;
};

bool test_case(std::uint64_t seed, std::uint64_t index, Tally& tally) {
  Random random(seed * 1'000'003 + index);
  const testing::RandomCase base = testing::make_case(seed, index);
  const Problem problem = shrink(base.problem, random);
  constexpr SpaceKind kinds[] = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                 SpaceKind::kRuby};
  const Rules rules = make_rules(problem, kinds[index % 4], {});
  const Mapspace space(problem, rules);
  if (space.size() > Natural(kLargest) || space.size().is_zero()) return true;
  SearchOptions options;
  options.threads = 1;
  options.conventions = base.conventions;
  options.orders = OrderMode::kWhole;
  options.objective = named_objectives()[index / 4 % named_objectives().size()].objective;
  const SearchResult all = search_exhaustive(space, options);
  ++tally.cases;
  tally.mappings += all.seen;
  tally.infeasible += all.best ? 0 : 1;
  for (const Prunes prunes :
       {Prunes{}, Prunes{.by_first_answer = false}, Prunes{.by_cost = false},
        Prunes{.by_capacity = false}, Prunes{.by_least_factor = false}, Prunes{.by_axes = false}}) {
    options.prunes = prunes;
    const SearchResult found = search_optimal(problem, rules, options);
    const bool same =
        found.best.has_value() == all.best.has_value() &&
        (!all.best || std::abs(found.best->score - all.best->score) <= 1e-12 * all.best->score);
    if (prunes == Prunes{}) {
      tally.nodes += found.nodes;
      tally.evaluated += found.seen;
    }
    if (same && found.ending == Ending::kExhausted) continue;
    std::printf("case %llu of seed %llu: optimal %.17g, exhaustive %.17g (prunes %d %d %d %d %d)\n",
                static_cast<unsigned long long>(index), static_cast<unsigned long long>(seed),
                found.best ? found.best->score : -1, all.best ? all.best->score : -1,
                prunes.by_first_answer, prunes.by_cost, prunes.by_capacity, prunes.by_least_factor,
                prunes.by_axes);
    return false;
  }
  return true;
}

int run(std::uint64_t seed, std::uint64_t wanted) {
  Tally tally;
  int bad = 0;
  for (std::uint64_t index = 0; tally.cases < wanted && bad < 5; ++index) {
    if (!test_case(seed, index, tally)) ++bad;
  }
  std::printf(
      "%llu problems (%llu without a mapping that fits), %llu mappings; the optimal search looked "
      "at %llu nodes and "
      "evaluated %llu\n",
      static_cast<unsigned long long>(tally.cases),
      static_cast<unsigned long long>(tally.infeasible),
      static_cast<unsigned long long>(tally.mappings), static_cast<unsigned long long>(tally.nodes),
      static_cast<unsigned long long>(tally.evaluated));
  std::printf(
      "exhaustive: %llu random problems, %d differ from exhaustive search over all orders\n",
      static_cast<unsigned long long>(tally.cases), bad);
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  std::uint64_t seed = 1;
  std::uint64_t cases = 500;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    (option == "--seed" ? seed : cases) = std::strtoull(argv[i + 1], nullptr, 10);
  }
  return tilewright::run(seed, cases);
}
