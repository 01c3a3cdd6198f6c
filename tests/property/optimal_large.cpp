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
#include "tilewright/files/files.h"
#include "tilewright/library/library.h"
#include "tilewright/mapping/fit.h"
#include "tilewright/mapspace/sampler.h"
#include "tilewright/mapspace/tiling.h"
#include "tilewright/model/evaluator.h"
#include "tilewright/search/search.h"

namespace tilewright {
namespace {

using testing::SearchCase;
using Kind = Constraint::Kind;

constexpr double kRounding = 1e-12;       // sums of the same figures in another order
constexpr double kLargestPart = 300'000;  // mappings at most, most of which break an order or axis

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
    for (const ConvLayer& layer : read_layers(read_repository_file(file))) {
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
  Conventions conventions;
  conventions.holes_are_data = random.one_in(8);
  conventions.drains_are_reads = random.one_in(8);
  made.problem = made.problem.with(conventions);
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

// Ways to split `size` over the first `places` places, or more than kLargestPart.
double count_splits(const Rules& rules, std::size_t dim, std::int64_t size, std::size_t places) {
  if (places == 0) return size == 1 ? 1 : 0;
  const FactorRule& rule = rules.places[places - 1].rules[dim];
  double ways = 0;
  for (std::int64_t factor = rule.least; factor <= std::min(rule.most, size); ++factor) {
    if (!rule.remainder && size % factor != 0) continue;
    ways += count_splits(rules, dim, ceil_div(size, factor), places - 1);
    if (ways > kLargestPart) break;
  }
  return ways;
}

// At least as many mappings as there are. (The tables of a Mapspace grow with its arrays.)
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
    if (size > kLargestPart) return size;
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
    if (estimate_size(made.problem, rules) <= kLargestPart) all = std::move(fewer);
  }
}

// Every mapping of a small space, one by one.
class Everything {
 public:
  explicit Everything(const SearchCase& part)
      : rules_(part.rules()),
        options_(part.options),
        fit_(part.problem),
        evaluator_(part.problem, {.detail = false}) {
    const auto dims = part.problem.workload().dims();
    tiling_.dims = static_cast<int>(dims.size());
    tiling_.factors.assign(dims.size() * rules_.places.size(), 1);
    keeps_.resize(rules_.keeps.size());
    orders_.resize(rules_.places.size());
    for (const Dim& dim : dims) sizes_.push_back(dim.size);
    keep(0);
  }

  std::uint64_t seen = 0;
  std::optional<double> best;

 private:
  void keep(std::size_t k) {
    if (k == keeps_.size()) return split(0, sizes_.front(), rules_.places.size());
    const TensorSet open = rules_.keeps[k].allowed & ~rules_.keeps[k].required;
    if ((rules_.keeps[k].required & ~rules_.keeps[k].allowed) != 0) return;
    for (TensorSet set = open;; set = (set - 1) & open) {
      keeps_[k] = rules_.keeps[k].required | set;
      keep(k + 1);
      if (set == 0) break;
    }
  }

  void split(std::size_t dim, std::int64_t left, std::size_t places) {
    if (places == 0) {
      if (left != 1) return;
      if (dim + 1 < sizes_.size()) return split(dim + 1, sizes_[dim + 1], rules_.places.size());
      if (arrays_suffice()) order(0);
      return;
    }
    const FactorRule& rule = rules_.places[places - 1].rules[dim];
    std::int64_t& factor = tiling_.at(static_cast<int>(places) - 1, static_cast<int>(dim));
    for (std::int64_t f = rule.least; f <= std::min(rule.most, left); ++f) {
      if (!rule.remainder && left % f != 0) continue;
      factor = f;
      split(dim, ceil_div(left, f), places - 1);
    }
    factor = 1;
  }

  bool arrays_suffice() const {
    for (const FanoutRule& fanout : rules_.fanouts) {
      std::int64_t children = 1;
      for (std::size_t p = 0; p < rules_.places.size(); ++p) {
        if (rules_.places[p].node != fanout.fanout) continue;
        std::int64_t used = 1;
        for (int d = 0; d < tiling_.dims; ++d) used *= tiling_.at(static_cast<int>(p), d);
        if (used > fanout.axis_sizes[pos(rules_.places[p].axis)]) return false;
        children *= used;
      }
      if (children < fanout.least_children) return false;
    }
    return true;
  }

  void order(std::size_t p) {
    if (p == rules_.places.size()) return look();
    std::vector<DimId>& loops = orders_[p];
    loops.clear();
    if (!rules_.places[p].is_block()) return order(p + 1);
    for (int d = 0; d < tiling_.dims; ++d) {
      if (tiling_.at(static_cast<int>(p), d) > 1) loops.emplace_back(d);
    }
    if (!loops.empty() && kept_at(rules_.places[p].node) == 0) return;
    do {
      if (obeys(rules_.places[p], loops)) order(p + 1);
    } while (std::next_permutation(loops.begin(), loops.end()));
  }

  TensorSet kept_at(NodeId memory) const {
    std::size_t k = 0;
    while (rules_.keeps[k].memory != memory) ++k;
    return keeps_[k];
  }

  // Only `outermost` is in use: pin() gives whole orders.
  static bool obeys(const Place& place, const std::vector<DimId>& loops) {
    std::size_t at = 0;
    for (const DimId dim : place.outermost) {
      if (std::ranges::find(loops, dim) != loops.end() && loops[at++] != dim) return false;
    }
    return true;
  }

  void look() {
    build_nest(rules_, keeps_, tiling_, orders_, nest_);
    ++seen;
    if (!fit_.fits(nest_)) return;
    const double points = score(options_.objective, evaluator_.evaluate(nest_));
    if (!best || points < *best) best = points;
  }

  const Rules rules_;
  const SearchOptions& options_;
  Fit fit_;
  Evaluator evaluator_;
  std::vector<std::int64_t> sizes_;
  Tiling tiling_;
  Keeps keeps_;
  Orders orders_;
  std::vector<NestNode> nest_;
};

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
  return axes < 2 || problem.arch().compute_units() < 4'000;
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
    if (optimal.bound && *optimal.bound > score * (1 + kRounding)) {
      throw Failure{"bound " + text(*optimal.bound) + ", but a mapping scores " + text(score)};
    }
    if (proved && (!optimal.best || optimal.best->score > score * (1 + kRounding))) {
      throw Failure{"proved " + (optimal.best ? text(optimal.best->score) : "that there is none") +
                    ", but a mapping scores " + text(score)};
    }
  }
  return mapping;
}

void test_part(SearchCase part, const Mapping& mapping, Random& random, Tally& tally) {
  part.constraints = pin(part.problem, part.rules(), mapping);
  loosen(part, random);
  const Everything all(part);
  const SearchResult found = search_optimal(part.problem, part.rules(), part.options);
  tally.mappings += all.seen;
  if (found.ending != Ending::kExhausted) throw Failure("part: not proved");
  const bool same = found.best && all.best
                        ? std::abs(found.best->score - *all.best) <= kRounding * *all.best
                        : found.best.has_value() == all.best.has_value();
  if (same) return;
  throw Failure("part: optimal " + text(found.best ? found.best->score : -1) + ", exhaustive " +
                text(all.best.value_or(-1)) + "\n" + to_yaml(part));
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
