// SPDX-License-Identifier: Apache-2.0
// Small spaces of every kind, gone through one by one: as many distinct members as the size says,
// ranks that lead back, draws that stay inside and are fair (chi-square).
//   property.spaces [--spaces N] [--seed S]
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/options.h"
#include "tests/support/random_case.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/mapspace/choices/keeps.h"
#include "tilewright/mapspace/choices/orders.h"
#include "tilewright/mapspace/choices/placements.h"
#include "tilewright/mapspace/counting/tilings.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/mapspace/sampler.h"

namespace tilewright {
namespace {

constexpr std::uint64_t kLargest = 3000;  // members
constexpr std::uint64_t kDrawsEach = 20;  // per member
constexpr double kWorstDeviation = 6;     // of chi-square, in standard deviations

struct Failure {
  std::string what;
};

void expect(bool holds, const std::string& what) {
  if (!holds) throw Failure{what};
}

/// How far observed counts are from expected ones, in standard deviations of chi-square.
class Fairness {
 public:
  void add(const std::vector<std::uint64_t>& seen, const std::vector<double>& expected) {
    double statistic = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const double off = static_cast<double>(seen[i]) - expected[i];
      statistic += off * off / expected[i];
    }
    const double freedom = static_cast<double>(seen.size()) - 1;
    if (freedom < 1) return;
    const double deviation = (statistic - freedom) / std::sqrt(2 * freedom);
    worst_ = std::max(worst_, deviation);
    statistic_ += statistic;
    freedom_ += freedom;
    // A short table is skewed: far out on the upper side is no news there.
    expect(freedom < 20 || deviation < kWorstDeviation,
           "draws are not fair: chi-square " + std::to_string(deviation) + " deviations off");
  }
  double worst() const { return worst_; }
  /// All tables together.
  double overall() const { return (statistic_ - freedom_) / std::sqrt(2 * freedom_); }

 private:
  double worst_ = 0;
  double statistic_ = 0;
  double freedom_ = 0;
};

/// A space with `size` members that are told apart as Keys.
template <typename Member>
struct SmallSpace {
  std::uint64_t size = 0;
  std::function<Member(std::uint64_t)> unrank;
  std::function<std::optional<Natural>(const Member&)> rank;
};

/// Ranks 0 .. size - 1 all have a member of their own.
template <typename Member>
void check_ranks(const SmallSpace<Member>& space) {
  for (std::uint64_t i = 0; i < space.size; ++i) {
    const std::optional<Natural> rank = space.rank(space.unrank(i));
    expect(rank && *rank == Natural(i), "rank(unrank(i)) is not i");
  }
}

void check_draws(std::uint64_t size, const std::function<std::optional<Natural>(Random&)>& draw,
                 Random& random, Fairness& fairness) {
  std::vector<std::uint64_t> seen(size, 0);
  for (std::uint64_t i = 0; i < size * kDrawsEach; ++i) {
    const std::optional<Natural> rank = draw(random);
    expect(rank.has_value() && *rank < Natural(size), "a draw lies outside");
    ++seen[rank->to_uint64()];
  }
  fairness.add(seen, std::vector<double>(size, static_cast<double>(kDrawsEach)));
}

class Tester {
 public:
  explicit Tester(std::uint64_t seed) : random_(seed) {}

  /// False if the case makes no space of a size to go through.
  bool test_whole(const Problem& problem, const Rules& rules, const std::string& kind) {
    const Mapspace space(problem, rules);
    if (space.size() > Natural(kLargest)) return false;
    std::set<Natural> ranks;
    std::uint64_t visited = 0;
    space.for_each(OrderMode::kWhole, [&](std::span<const NestNode> nest) {
      const Mapping mapping(std::vector<NestNode>(nest.begin(), nest.end()));
      for (const Violation& violation : find_violations(problem, mapping)) {
        expect(!is_structural(violation.kind) && violation.kind != Violation::Kind::kAxis,
               "an illegal mapping");
      }
      const std::optional<Natural> rank = space.rank(mapping);
      expect(rank && *rank < space.size(), "a mapping without a rank");
      expect(space.unrank(*rank) == mapping, "unrank(rank(m)) is not m");
      ranks.insert(*rank);
      ++visited;
      return true;
    });
    expect(Natural(visited) == space.size(), "enumeration and size differ");
    expect(ranks.size() == visited, "a mapping came twice");
    ++count_[kind];
    members_ += visited;
    if (visited == 0) return true;
    check_draws(
        visited, [&](Random& random) { return space.rank(space.sample(random)); }, random_,
        fairness_);
    test_sampler(space);
    return true;
  }

  bool test_tilings(const Problem& problem, const Rules& rules, const std::string& kind) {
    const Tilings tilings(problem.workload(), rules);
    if (tilings.size() > Natural(kLargest)) return false;
    std::uint64_t next = 0;
    tilings.for_each([&](const Tiling& tiling) {
      const std::optional<Natural> rank = tilings.rank(tiling);
      expect(rank && *rank == Natural(next++), "tilings out of order");
      expect(tilings.unrank(*rank) == tiling, "unrank(rank(t)) is not t");
      return true;
    });
    expect(Natural(next) == tilings.size(), "enumeration and size differ");
    ++count_[kind];
    members_ += next;
    if (next == 0) return true;
    Tiling tiling;
    const auto draw = [&](Random& random) {
      tilings.sample(random, tiling);
      return tilings.rank(tiling);
    };
    check_draws(next, draw, random_, fairness_);
    return true;
  }

  template <typename Member, typename Space>
  bool test_ranked(const Space& space, const std::string& kind) {
    if (space.size() > Natural(kLargest)) return false;
    const SmallSpace<Member> small{space.size().to_uint64(),
                                   [&](std::uint64_t i) { return space.unrank(i); },
                                   [&](const Member& member) { return space.rank(member); }};
    check_ranks(small);
    ++count_[kind];
    members_ += small.size;
    if (small.size == 0) return true;
    const auto draw = [&](Random& random) {
      return space.rank(space.unrank(random_below(space.size(), random)));
    };
    check_draws(small.size, draw, random_, fairness_);
    return true;
  }

  std::uint64_t spaces() const {
    std::uint64_t sum = 0;
    for (const auto& [kind, count] : count_) sum += count;
    return sum;
  }
  std::uint64_t count(const std::string& kind) { return count_[kind]; }
  void print() const {
    std::printf("%-40s %8s\n", "kind", "spaces");
    for (const auto& [kind, count] : count_) {
      std::printf("%-40s %8llu\n", kind.c_str(), static_cast<unsigned long long>(count));
    }
    std::printf("members in all %llu; chi-square over all tables %.2f deviations off, worst %.2f\n",
                static_cast<unsigned long long>(members_), fairness_.overall(), fairness_.worst());
  }
  double overall() const { return fairness_.overall(); }

 private:
  // Sampler: tilings with keeps uniformly, then orders: a mapping's chance is 1 / (their number) /
  // (its orders).
  void test_sampler(const Mapspace& space) {
    Sampler sampler(space.problem(), space.rules());
    expect(!sampler.empty(), "the sampler finds a space empty that is not");
    std::map<std::vector<NestNode>, std::uint64_t, NestLess> orders;  // by nest with sorted blocks
    std::vector<std::vector<NestNode>> key_of(space.size().to_uint64());
    space.for_each(OrderMode::kWhole, [&](std::span<const NestNode> nest) {
      const Mapping mapping(std::vector<NestNode>(nest.begin(), nest.end()));
      const std::vector<NestNode> key = sorted_blocks(nest);
      ++orders[key];
      key_of[space.rank(mapping)->to_uint64()] = key;
      return true;
    });
    const double draws = static_cast<double>(key_of.size() * kDrawsEach);
    std::vector<double> expected;
    for (const auto& key : key_of) {
      expected.push_back(draws / static_cast<double>(orders.size()) /
                         static_cast<double>(orders[key]));
    }
    std::vector<std::uint64_t> seen(key_of.size(), 0);
    for (std::uint64_t i = 0; i < key_of.size() * kDrawsEach; ++i) {
      const std::span<const NestNode> nest = sampler.draw(random_);
      const auto rank = space.rank(Mapping(std::vector<NestNode>(nest.begin(), nest.end())));
      expect(rank.has_value(), "the sampler draws outside");
      ++seen[rank->to_uint64()];
    }
    fairness_.add(seen, expected);
  }

  struct NestLess {
    static auto fields(const NestNode& n) {
      return std::tuple(n.kind, n.node, n.tensors, n.axis, n.dim, n.factor);
    }
    bool operator()(const std::vector<NestNode>& a, const std::vector<NestNode>& b) const {
      return std::lexicographical_compare(
          a.begin(), a.end(), b.begin(), b.end(),
          [](const NestNode& x, const NestNode& y) { return fields(x) < fields(y); });
    }
  };

  static std::vector<NestNode> sorted_blocks(std::span<const NestNode> nest) {
    std::vector<NestNode> result(nest.begin(), nest.end());
    const auto temporal = [](const NestNode& n) { return n.kind == NestNode::Kind::kTemporal; };
    for (auto first = result.begin(); first != result.end();) {
      first = std::find_if(first, result.end(), temporal);
      const auto last = std::find_if_not(first, result.end(), temporal);
      std::sort(first, last, [](const NestNode& a, const NestNode& b) { return a.dim < b.dim; });
      first = last;
    }
    return result;
  }

  Random random_;
  Fairness fairness_;
  std::map<std::string, std::uint64_t> count_;
  std::uint64_t members_ = 0;
};

// The workload of a random case with dims small enough to go through all mappings.
Problem shrink(const Problem& problem, Random& random) {
  std::vector<Dim> dims(problem.workload().dims().begin(), problem.workload().dims().end());
  int large = static_cast<int>(random.between(1, 3));
  for (Dim& dim : dims) {
    const bool keep = large > 0 && !random.one_in(3);
    large -= keep ? 1 : 0;
    dim.size = keep ? random.between(2, 7) : 1;
  }
  const std::vector<Tensor> tensors(problem.workload().tensors().begin(),
                                    problem.workload().tensors().end());
  return Problem(Workload("small", dims, tensors), problem.arch());
}

std::vector<Constraint> random_constraints(const Problem& problem, Random& random) {
  using Kind = Constraint::Kind;
  const Arch& arch = problem.arch();
  std::vector<Constraint> result;
  const std::int64_t many = random.between(0, 4);
  for (std::int64_t i = 0; i < many; ++i) {
    Constraint c;
    c.node = NodeId(
        static_cast<int>(random.between(0, static_cast<std::int64_t>(arch.nodes().size()) - 1)));
    const bool memory = arch.is_memory(c.node);
    const auto last_dim = static_cast<std::int64_t>(problem.workload().dims().size()) - 1;
    c.dim = DimId(static_cast<int>(random.between(0, last_dim)));
    c.value = random.between(1, 3);
    if (memory) {
      constexpr Kind kinds[] = {Kind::kKeep,    Kind::kBypass,  Kind::kEqual, Kind::kAtMost,
                                Kind::kAtLeast, Kind::kPerfect, Kind::kOrder};
      c.kind = kinds[random.between(0, 6)];
      c.tensors = only(TensorId(static_cast<int>(
          random.between(0, static_cast<std::int64_t>(problem.workload().tensors().size()) - 1))));
      if (c.kind == Kind::kKeep) c.tensors &= problem.memory(c.node).may_keep;
      if (c.kind == Kind::kOrder) c.outermost = {c.dim};
      if (c.kind == Kind::kOrder && last_dim > 0 && random.one_in(2)) {
        c.innermost = {DimId((c.dim.value + 1) % static_cast<int>(last_dim + 1))};
      }
    } else {
      const auto axes = static_cast<std::int64_t>(arch.fanout(c.node).axes.size());
      if (axes == 0) continue;
      constexpr Kind kinds[] = {Kind::kEqual,   Kind::kAtMost,   Kind::kAtLeast,
                                Kind::kPerfect, Kind::kAxisDims, Kind::kUtilization};
      c.kind = kinds[random.between(0, 5)];
      c.axis = static_cast<int>(random.between(0, axes - 1));
      c.dims = {c.dim};
      c.share = make_rational(random.between(1, 3), 4);
    }
    result.push_back(std::move(c));
  }
  return result;
}

void test_case(std::uint64_t seed, std::uint64_t index, Tester& tester) {
  Random random(seed * 1'000'003 + index);
  const testing::RandomCase base = testing::make_case(seed, index);
  const Problem problem = shrink(base.problem, random);
  constexpr SpaceKind kinds[] = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                 SpaceKind::kRuby};
  const SpaceKind kind = kinds[index % 4];
  const std::vector<Constraint> constraints =
      index % 8 < 4 ? std::vector<Constraint>{} : random_constraints(problem, random);
  const Rules rules = make_rules(problem, kind, constraints);
  const std::string suffix =
      std::string(space_name(kind)) + (constraints.empty() ? "" : ", constrained");
  tester.test_whole(problem, rules, "mappings, " + suffix);
  if (tester.count("tilings, " + suffix) < 20)
    tester.test_tilings(problem, rules, "tilings, " + suffix);
  if (tester.count("keeps") < 20) tester.test_ranked<Keeps>(KeepChoices(rules), "keeps");
  if (tester.count("orders") < 20) {
    const DimSet active = (DimSet{1} << problem.workload().dims().size()) - 1;
    tester.test_ranked<std::vector<DimId>>(BlockOrders(rules.places.front(), active), "orders");
  }
  if (tester.count("placements") < 20) {
    tester.test_ranked<Mapping>(Placements(base.problem, base.mapping), "placements");
  }
}

int run(std::uint64_t seed, std::uint64_t wanted) {
  Tester tester(seed);
  for (std::uint64_t index = 0; tester.spaces() < wanted; ++index) {
    try {
      test_case(seed, index, tester);
    } catch (const Failure& failure) {
      std::printf("case %llu of seed %llu: %s\n", static_cast<unsigned long long>(index),
                  static_cast<unsigned long long>(seed), failure.what.c_str());
      return 1;
    }
  }
  tester.print();
  const bool fair = std::abs(tester.overall()) < 5;
  std::printf(
      "spaces: %llu small spaces, each with exactly size() distinct members, ranks that "
      "lead back, %s draws\n",
      static_cast<unsigned long long>(tester.spaces()), fair ? "fair" : "UNFAIR");
  return fair ? 0 : 1;
}

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  const tilewright::testing::Options options =
      tilewright::testing::read_options(argc, argv, {{"--seed", 1}, {"--spaces", 400}});
  return tilewright::run(options.at("--seed"), options.at("--spaces"));
}
