// SPDX-License-Identifier: Apache-2.0
// The optimal search at real sizes: accelerators of the library and layers of real networks.
// In the whole space, nothing that other searches find may score less than its bound. In a small
// part of it, all factors but a few fixed to those of some mapping, exhaustive search is the judge.
//   property.optimal-large [--cases N] [--seed S] [--first K] [--draws D] [--seconds T]
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "experiments/support/layers.h"
#include "experiments/support/program.h"
#include "tests/support/search_case.h"
#include "tilewright/base/checked.h"
#include "tilewright/base/random.h"
#include "tilewright/library/library.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/mapspace/sampler.h"
#include "tilewright/search/search.h"

namespace tilewright {
namespace {

using testing::SearchCase;
using Kind = Constraint::Kind;

constexpr std::uint64_t kLargestPart = 20'000;  // mappings, loop orders counted
constexpr double kLargestTable = 1e6;           // mappings, before they are counted in earnest

std::size_t pos(std::int64_t i) { return static_cast<std::size_t>(i); }

using Failure = std::runtime_error;

std::string text(double value) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  return digits;
}

// ---- Problems ----

std::vector<Workload> real_workloads() {
  std::vector<Workload> all;
  for (const char* file : {"experiments/data/resnet50.csv", "experiments/data/quickflow.csv"}) {
    for (const Layer& layer : read_layers(read_repository_file(file))) {
      all.push_back(layer_workload(layer));
    }
  }
  const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
  constexpr std::int64_t kGemms[][3] = {{1024, 1024, 1024}, {1, 4096, 4096}, {77, 768, 3072},
                                        {127, 131, 509},    {8, 8, 65536},   {4096, 48, 11008}};
  for (const auto& [m, n, k] : kGemms) {
    all.push_back(Workload("gemm", {{"m", m}, {"n", n}, {"k", k}},
                           {{"A", "input", 8, {rank(0), rank(2)}},
                            {"B", "weight", 8, {rank(2), rank(1)}},
                            {"Z", "output", 8, {rank(0), rank(1)}}}));
  }
  return all;
}

// Another capacity, bandwidth, leakage or sliding here and there.
Arch perturb(const Arch& arch, Random& random) {
  std::vector<ArchNode> nodes(arch.nodes().begin(), arch.nodes().end());
  for (ArchNode& node : nodes) {
    auto* const memory = std::get_if<Memory>(&node);
    if (memory == nullptr) continue;
    if (memory->capacity_bits && random.one_in(3)) {
      memory->capacity_bits = *memory->capacity_bits * random.between(1, 12) / 4 + 32;
    }
    if (random.one_in(4)) memory->read_bandwidth = make_rational(random.between(1, 256), 1);
    if (random.one_in(4)) memory->shared_bandwidth = make_rational(random.between(8, 256), 1);
    if (random.one_in(4)) memory->leakage_pj_per_cycle = 0.25;
    if (random.one_in(4)) memory->sliding.all = !memory->sliding.all;
  }
  return Arch(arch.name(), "", std::nullopt, std::move(nodes), arch.compute());
}

SearchCase make_real_case(std::span<const Workload> workloads, Random& random) {
  constexpr SpaceKind kKinds[] = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                  SpaceKind::kRuby};
  const auto archs = library_archs();
  const Arch arch = library_arch(archs[pos(random.between(0, std::ssize(archs) - 1))].name);
  const Workload& workload = workloads[pos(random.between(0, std::ssize(workloads) - 1))];
  SearchCase made{Problem(workload, random.one_in(2) ? arch : perturb(arch, random)),
                  kKinds[random.between(0, 3)],
                  {},
                  {},
                  {}};
  constexpr const char* kNames[] = {"energy", "latency", "edp", "edp", "ed2p", "traffic"};
  const std::string objective = kNames[random.between(0, 5)];
  made.options.objective = *objective_by_name(objective);
  made.options.threads = 1;
  made.options.orders = OrderMode::kWhole;
  made.options.conventions.holes_are_data = random.one_in(8);
  made.options.conventions.drains_are_reads = random.one_in(8);
  made.features = {"space: " + std::string(space_name(made.kind)), "objective: " + objective,
                   "arch: " + arch.name()};
  return made;
}

// ---- Small parts of large spaces ----

// Constraints that leave just one mapping, each of which can be dropped.
std::vector<Constraint> pin(const Problem& problem, const Rules& rules, const Mapping& mapping) {
  std::vector<Constraint> all;
  std::map<std::pair<NodeId, int>, std::map<int, std::int64_t>> factors;
  std::map<NodeId, TensorSet> kept;
  std::map<NodeId, std::vector<DimId>> orders;
  NodeId block;
  for (const NestNode& node : mapping.nodes()) {
    if (node.kind == NestNode::Kind::kKeep) {
      block = node.node;
      kept[node.node] |= node.tensors;
      continue;
    }
    const bool space = node.kind == NestNode::Kind::kSpatial;
    factors[{space ? node.node : block, space ? node.axis : -1}][node.dim.value] = node.factor;
    if (!space) orders[block].push_back(node.dim);
  }
  for (const Place& place : rules.places) {
    for (int d = 0; d < static_cast<int>(problem.workload().dims().size()); ++d) {
      const auto& here = factors[{place.node, place.axis}];
      const auto found = here.find(d);
      all.push_back({.kind = Kind::kEqual,
                     .node = place.node,
                     .dim = DimId(d),
                     .axis = place.axis,
                     .value = found == here.end() ? 1 : found->second});
    }
    if (place.is_block() && orders.contains(place.node)) {
      all.push_back({.kind = Kind::kOrder, .node = place.node, .outermost = orders[place.node]});
    }
  }
  for (const KeepRule& rule : rules.keeps) {
    for (TensorSet open = rule.allowed & ~rule.required; open != 0; open &= open - 1) {
      const TensorSet tensor = open & (~open + 1);
      all.push_back({.kind = (kept[rule.memory] & tensor) != 0 ? Kind::kKeep : Kind::kBypass,
                     .node = rule.memory,
                     .tensors = tensor});
    }
  }
  return all;
}

// Ways to split `size` over the first `places` places, or more than kLargestTable.
double count_splits(const Rules& rules, std::size_t dim, std::int64_t size, std::size_t places) {
  if (places == 0) return size == 1 ? 1 : 0;
  const FactorRule& rule = rules.places[places - 1].rules[dim];
  double ways = 0;
  for (std::int64_t factor = rule.least; factor <= std::min(rule.most, size); ++factor) {
    if (!rule.remainder && size % factor != 0) continue;
    ways += count_splits(rules, dim, ceil_div(size, factor), places - 1);
    if (ways > kLargestTable) break;
  }
  return ways;
}

// At least as many mappings as there are, found without the tables of a Mapspace.
double estimate_size(const Problem& problem, const Rules& rules) {
  double size = 1;
  for (const KeepRule& rule : rules.keeps) {
    size *= std::exp2(std::popcount(rule.allowed & ~rule.required));
  }
  for (const Place& place : rules.places) {
    int free = 0;
    for (const FactorRule& rule : place.rules) free += rule.most > 1 ? 1 : 0;
    free -= static_cast<int>(place.outermost.size());
    for (; place.is_block() && free > 1; --free) size *= free;
  }
  for (std::size_t d = 0; d < problem.workload().dims().size(); ++d) {
    if (size > kLargestTable) return size;
    size *= count_splits(rules, d, problem.workload().dims()[d].size, rules.places.size());
  }
  return size;
}

// Drops constraints as long as the space stays small; of one dim several at a time, because one
// factor cannot change alone.
void loosen(SearchCase& made, Random& random) {
  std::vector<Constraint>& all = made.constraints;
  const int dims = static_cast<int>(made.problem.workload().dims().size());
  for (int tries = 0; tries < 80 && !all.empty(); ++tries) {
    const int dim = static_cast<int>(random.between(0, dims - 1));
    std::vector<Constraint> fewer = all;
    if (random.one_in(2)) {
      std::erase_if(fewer, [&](const Constraint& constraint) {
        return constraint.kind == Kind::kEqual && constraint.dim.value == dim && random.one_in(3);
      });
    } else {
      fewer.erase(fewer.begin() + random.between(0, std::ssize(fewer) - 1));
    }
    const Rules rules = make_rules(made.problem, made.kind, fewer);
    if (estimate_size(made.problem, rules) > kLargestTable) continue;
    if (Mapspace(made.problem, rules).size() <= Natural(kLargestPart)) all = std::move(fewer);
  }
}

// ---- Tests ----

struct Tally {
  std::map<std::string, int> mix;
  int proved = 0;
  int infeasible = 0;
  std::uint64_t mappings = 0;  // of the small parts
};

struct Limits {
  std::uint64_t draws = 200'000;
  double seconds = 2;
};

// The tables of the sampler hold all products of factors on all axes: gigabytes if they are large.
bool can_draw(const Problem& problem) {
  std::size_t axes = 0;
  for (const NodeId id : problem.arch().fanouts()) axes += problem.arch().fanout(id).axes.size();
  return axes < 2 || problem.arch().compute_units() < 10'000;
}

// Returns some mapping of the space, if one was found.
std::optional<Mapping> test_whole(const SearchCase& made, const Limits& limits, Random& random,
                                  Tally& tally) {
  const Rules rules = made.rules();
  SearchOptions options = made.options;
  options.max_seconds = limits.seconds;
  const SearchResult optimal = search_optimal(made.problem, rules, options);
  const bool proved = optimal.ending == Ending::kExhausted;
  tally.proved += proved ? 1 : 0;
  options = made.options;
  options.patience = 0;
  options.max_seen = limits.draws;
  options.seed = random.next();
  const SearchResult drawn =
      can_draw(made.problem) ? search_random(made.problem, rules, options) : SearchResult{};
  options.starts = 8;
  const SearchResult local = search_local(made.problem, rules, options);
  if (proved && !optimal.best) ++tally.infeasible;
  std::optional<Mapping> mapping;
  for (const SearchResult* found : {&drawn, &local, &optimal}) {
    if (!found->best) continue;
    mapping = found->best->mapping;
    const double score = found->best->score;
    if (optimal.bound && *optimal.bound > score) {
      throw Failure{"bound " + text(*optimal.bound) + ", but a mapping scores " + text(score)};
    }
    if (proved && (!optimal.best || optimal.best->score > score)) {
      throw Failure{"proved " + (optimal.best ? text(optimal.best->score) : "that there is none") +
                    ", but a mapping scores " + text(score)};
    }
  }
  return mapping;
}

void test_part(SearchCase part, const Mapping& mapping, Random& random, Tally& tally) {
  part.constraints = pin(part.problem, part.rules(), mapping);
  loosen(part, random);
  const Mapspace space(part.problem, part.rules());
  const SearchResult all = search_exhaustive(space, part.options);
  const SearchResult found = search_optimal(part.problem, part.rules(), part.options);
  tally.mappings += all.seen;
  if (found.ending != Ending::kExhausted) throw Failure{"part: not proved"};
  if (found.best.has_value() == all.best.has_value() &&
      (!all.best || found.best->score == all.best->score)) {
    return;
  }
  throw Failure{"part: optimal " + text(found.best ? found.best->score : -1) + ", exhaustive " +
                text(all.best ? all.best->score : -1) + "\n" + to_yaml(part)};
}

bool test_case(std::uint64_t seed, std::uint64_t index, const Limits& limits,
               std::span<const Workload> workloads, Tally& tally) {
  Random random(Random(seed ^ (index * 0x9e3779b97f4a7c15ULL)).next());
  const SearchCase made = make_real_case(workloads, random);
  for (const std::string& feature : made.features) ++tally.mix[feature];
  try {
    std::optional<Mapping> mapping = test_whole(made, limits, random, tally);
    if (!mapping && !can_draw(made.problem)) return true;
    if (!mapping || (random.one_in(4) && can_draw(made.problem))) {
      Sampler sampler(made.problem, made.rules());
      if (sampler.empty()) return true;
      const auto nest = sampler.draw(random);
      mapping = Mapping({nest.begin(), nest.end()});
    }
    test_part(made, *mapping, random, tally);
    return true;
  } catch (const std::exception& failure) {
    std::printf("case %llu of seed %llu: %s\n%s", static_cast<unsigned long long>(index),
                static_cast<unsigned long long>(seed), failure.what(), to_yaml(made).c_str());
    std::fflush(stdout);
    return false;
  }
}

int run(std::uint64_t seed, std::uint64_t first, std::uint64_t cases, const Limits& limits) {
  const std::vector<Workload> workloads = real_workloads();
  Tally tally;
  int bad = 0;
  for (std::uint64_t index = first; index < first + cases && bad < 5; ++index) {
    if (!test_case(seed, index, limits, workloads, tally)) ++bad;
  }
  for (const auto& [feature, count] : tally.mix) std::printf("%8d  %s\n", count, feature.c_str());
  std::printf(
      "optimal-large: %llu real problems, %d proved (%d that nothing fits), parts of %llu mappings "
      "gone through; %d contradictions\n",
      static_cast<unsigned long long>(cases), tally.proved, tally.infeasible,
      static_cast<unsigned long long>(tally.mappings), bad);
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  std::map<std::string, std::string> options = {{"--seed", "1"},
                                                {"--first", "0"},
                                                {"--cases", "100"},
                                                {"--draws", "200000"},
                                                {"--seconds", "2"}};
  for (int i = 1; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  const auto number = [&](const char* name) {
    return std::strtoull(options[name].c_str(), nullptr, 10);
  };
  return tilewright::run(number("--seed"), number("--first"), number("--cases"),
                         {number("--draws"), std::strtod(options["--seconds"].c_str(), nullptr)});
}
