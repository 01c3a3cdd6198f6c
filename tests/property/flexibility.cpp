// SPDX-License-Identifier: Apache-2.0
// Flexible accelerators against plain enumeration, on random small ones:
//   property.flexibility [--counts N] [--optima N] [--markets N] [--seed S]
//
// Counts: every size of a map space equals that of a set whose members are listed one by one.
// Optima: for all 81 combinations of degrees, the optimum over the configurations equals the best
// of all mappings that the definitions in docs/flexibility.md admit; and no optimum is worse than
// that of a less flexible accelerator.
// Markets: the flexibility to buy within a budget, for one network and for two, and the whole front
// equal those found by going through all combinations, with the optima of plain enumeration.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/property/flexible_case.h"
#include "tests/support/options.h"
#include "tilewright/base/random.h"
#include "tilewright/flexibility/spaces/flexion.h"
#include "tilewright/flexibility/worth/choices.h"
#include "tilewright/flexibility/worth/market.h"
#include "tilewright/flexibility/worth/worth.h"
#include "tilewright/mapping/fit.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/model/evaluate.h"

namespace tilewright {
namespace {

using testing::every_degrees;
using testing::FlexibleCase;
using testing::text_of;
using Names = std::vector<std::string>;

std::uint64_t check_counts(std::uint64_t cases, std::uint64_t seed, std::uint64_t& compared) {
  std::uint64_t faults = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    Random random(seed + i);
    const FlexibleCase made = testing::make_flexible_case(random, 6);
    const Problem problem(made.workload, made.arch);
    for (const Degrees& degrees : every_degrees()) {
      const Flexion flexion = find_flexion(made.flexibility, degrees, problem);
      const auto lists = testing::list_spaces(made, degrees);
      for (std::size_t a = 0; a <= kFlexAxes; ++a) {
        const MapSpaces& spaces = a < kFlexAxes ? flexion.axes[a] : flexion.joint;
        const std::array counts = {&spaces.hardware, &spaces.accelerator, &spaces.workload,
                                   &spaces.hardware_workload, &spaces.accelerator_workload};
        for (std::size_t c = 0; c < counts.size(); ++c) {
          ++compared;
          if (counts[c]->is_exact && counts[c]->exact == Natural(lists[a][c])) continue;
          if (++faults <= 10) {
            std::printf("case %llu, degrees %s, axis %zu, count %zu: %s, listed %llu\n",
                        static_cast<unsigned long long>(seed + i), text_of(degrees).c_str(), a, c,
                        counts[c]->exact.to_string().c_str(),
                        static_cast<unsigned long long>(lists[a][c]));
          }
        }
      }
    }
  }
  return faults;
}

// --- Optima.

/// Which degrees a mapping needs, axis by axis, by the definitions.
class Judge {
 public:
  Judge(const FlexibleCase& made, const Problem& problem)
      : made_(made), problem_(problem), shared_(problem), parted_(with_parts(made, problem)) {}

  // Whether an accelerator with these degrees supports each axis of this nest.
  bool fits(std::span<const NestNode> nest) const { return shared_.fits(nest); }

  bool supports(std::span<const NestNode> nest, FlexAxis axis, Degree degree) const {
    switch (axis) {
      case FlexAxis::kTile:
        return tile(nest, degree);
      case FlexAxis::kOrder:
        return order(nest, degree);
      case FlexAxis::kParallelism:
        return parallelism(nest, degree);
      case FlexAxis::kShape:
        return shape(nest, degree);
    }
    return false;
  }

 private:
  static Problem with_parts(const FlexibleCase& made, const Problem& problem) {
    std::vector<ArchNode> nodes(problem.arch().nodes().begin(), problem.arch().nodes().end());
    for (ArchNode& node : nodes) {
      if (node_name(node) == "GLB") {
        std::get<Memory>(node).partitions = divide_buffer(made.flexibility, problem);
      }
    }
    return problem.with(Arch("parted", "", std::nullopt, nodes, problem.arch().compute()));
  }

  // Whether every loop in the buffer and inside it has the factor that is given, or takes all steps
  // that are left.
  bool has_fixed_loops(std::span<const NestNode> nest, DimId dim) const {
    const Dim& figures = problem_.workload().dim(dim);
    std::int64_t left = figures.size;
    std::int64_t factor = 1;  // of the loop in the block that is being read
    for (std::size_t i = nest.size(); i-- > 0;) {
      const NestNode& node = nest[i];
      if (node.kind == NestNode::Kind::kSpatial) {
        if (node.dim == dim) left = ceil_div(left, node.factor);
      } else if (node.kind == NestNode::Kind::kTemporal) {
        if (node.dim == dim) factor = node.factor;
      } else {
        const std::string& memory = problem_.arch().memory(node.node).name;
        std::int64_t given = 1;
        for (const FixedLoop& loop : made_.flexibility.loops) {
          if (loop.memory == memory && loop.dim == figures.name) given = loop.factor;
        }
        if (factor != std::min(given, left)) return false;
        left = ceil_div(left, factor);
        factor = 1;
        if (memory == made_.flexibility.buffer) return true;
      }
    }
    return true;
  }

  bool tile(std::span<const NestNode> nest, Degree degree) const {
    if (degree == Degree::kFull) return true;
    if (degree == Degree::kPartial && parted_.fits(nest)) return true;
    for (std::size_t d = 0; d < problem_.workload().dims().size(); ++d) {
      if (!has_fixed_loops(nest, DimId(d))) return false;
    }
    return true;
  }

  bool order(std::span<const NestNode> nest, Degree degree) const {
    if (degree == Degree::kFull) return true;
    for (const Names& listed : made_.flexibility.orders) {
      bool agrees = true;
      std::ptrdiff_t last = -1;
      for (const NestNode& node : nest) {
        if (node.kind != NestNode::Kind::kTemporal) {
          last = -1;
          continue;
        }
        const std::string& name = problem_.workload().dim(node.dim).name;
        const std::ptrdiff_t place = std::ranges::find(listed, name) - listed.begin();
        agrees = agrees && place > last;
        last = place;
      }
      if (agrees) return true;
      if (degree == Degree::kFixed) return false;
    }
    return false;
  }

  bool parallelism(std::span<const NestNode> nest, Degree degree) const {
    std::array<std::set<std::string>, 2> on;
    for (const NestNode& node : nest) {
      if (node.kind != NestNode::Kind::kSpatial || node.factor == 1) continue;
      on[static_cast<std::size_t>(node.axis)].insert(problem_.workload().dim(node.dim).name);
    }
    const auto agrees = [&](const Names& pair) {
      return std::ranges::all_of(on[0], [&](const auto& dim) { return dim == pair[0]; }) &&
             std::ranges::all_of(on[1], [&](const auto& dim) { return dim == pair[1]; });
    };
    if (degree == Degree::kFull) {
      for (const std::string& a : made_.flexibility.dims) {
        for (const std::string& b : made_.flexibility.dims) {
          if (a != b && agrees({a, b})) return true;
        }
      }
      return false;
    }
    const auto& listed = made_.flexibility.parallelisms;
    return degree == Degree::kFixed ? agrees(listed.front()) : std::ranges::any_of(listed, agrees);
  }

  bool shape(std::span<const NestNode> nest, Degree degree) const {
    std::array<std::int64_t, 2> factors = {1, 1};
    for (const NestNode& node : nest) {
      if (node.kind == NestNode::Kind::kSpatial) {
        factors[static_cast<std::size_t>(node.axis)] *= node.factor;
      }
    }
    const std::vector<std::int64_t> fixed = fixed_shape(made_.flexibility, made_.arch);
    const std::int64_t units = fixed[0] * fixed[1];
    if (factors[0] <= fixed[0] && factors[1] <= fixed[1]) return true;
    if (degree == Degree::kFull) return factors[0] * factors[1] <= units;
    if (degree == Degree::kFixed) return false;
    const std::vector<std::int64_t>& block = made_.flexibility.block;
    return ceil_div(factors[0], block[0]) * ceil_div(factors[1], block[1]) <=
           units / (block[0] * block[1]);
  }

  const FlexibleCase& made_;
  const Problem& problem_;
  Fit shared_;
  Fit parted_;
};

/// A square array with as many units on each axis as the whole array has; keeps all it may.
Problem roomy_problem(const FlexibleCase& made) {
  std::vector<ArchNode> nodes(made.arch.nodes().begin(), made.arch.nodes().end());
  const std::vector<std::int64_t> fixed = fixed_shape(made.flexibility, made.arch);
  for (ArchNode& node : nodes) {
    if (Fanout* fanout = std::get_if<Fanout>(&node)) {
      for (Axis& axis : fanout->axes) axis.size = fixed[0] * fixed[1];
    }
  }
  return {made.workload, Arch("roomy", "", std::nullopt, nodes, made.arch.compute())};
}

using Best = std::map<Degrees, double>;

// Nothing if there are too many mappings.
std::optional<Best> find_by_enumeration(const FlexibleCase& made, SpaceKind kind,
                                        const Objective& objective) {
  const Problem problem = roomy_problem(made);
  std::vector<Constraint> keeps;
  for (const NodeId memory : problem.arch().memories()) {
    keeps.push_back({.kind = Constraint::Kind::kKeep,
                     .node = memory,
                     .tensors = problem.memory(memory).may_keep});
  }
  const Rules rules = make_rules(problem, kind, keeps);
  if (mapspace_size(problem, rules) > Natural(60'000)) return std::nullopt;
  const Mapspace space(problem, rules);
  const Judge judge(made, problem);
  Best best;
  space.for_each(OrderMode::kWhole, [&](std::span<const NestNode> nest) {
    if (!judge.fits(nest)) return true;
    std::array<std::array<bool, 3>, kFlexAxes> supports{};
    for (const FlexAxis axis : kAllFlexAxes) {
      for (int d = 0; d < 3; ++d) {
        supports[static_cast<std::size_t>(axis)][static_cast<std::size_t>(d)] =
            judge.supports(nest, axis, static_cast<Degree>(d));
      }
    }
    std::optional<double> value;
    for (const Degrees& degrees : every_degrees()) {
      bool all = true;
      for (std::size_t a = 0; a < kFlexAxes; ++a) {
        all = all && supports[a][static_cast<std::size_t>(degrees.of[a])];
      }
      if (!all) continue;
      if (!value) {
        const Mapping mapping({nest.begin(), nest.end()});
        value = score(objective, evaluate(problem, mapping));
      }
      const auto [found, is_new] = best.emplace(degrees, *value);
      if (!is_new) found->second = std::min(found->second, *value);
    }
    return true;
  });
  return best;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

/// Solves random designs for all degrees and compares.
class Optima {
 public:
  void run(std::uint64_t cases, std::uint64_t seed) {
    for (number_ = seed; designs_ < cases; ++number_) try_case();
  }

  std::uint64_t compared = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t steps = 0;  ///< to more flexibility
  std::uint64_t faults = 0;

 private:
  using Found = std::map<Degrees, const LayerOptimum*>;

  void try_case() {
    constexpr std::array kKinds = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                   SpaceKind::kRuby};
    constexpr std::array<const char*, 3> kObjectives = {"latency", "energy", "edp"};
    Random random(number_);
    const FlexibleCase made = testing::make_flexible_case(random, 5);
    WorthOptions options;
    options.threads = 1;
    options.space = kKinds[static_cast<std::size_t>(random.between(0, 3))];
    options.objective.name = kObjectives[static_cast<std::size_t>(random.between(0, 2))];
    options.objective.objective = *objective_by_name(options.objective.name);
    const auto best = find_by_enumeration(made, options.space, options.objective.objective);
    if (!best) return;
    ++designs_;
    Network network;
    network.layers.push_back({.name = "layer", .workload = made.workload});
    const std::vector<Degrees> rows = every_degrees();
    const FlexWorth worth = find_worth(made.flexibility, made.arch, network, rows, options);
    Found found;
    for (const WorthRow& row : worth.rows) {
      found[row.degrees] = &row.layers.front();
      compare(row.degrees, row.layers.front(), *best);
    }
    for (const auto& [degrees, optimum] : found) {
      if (optimum->best) check_more(degrees, optimum->best->score, found);
    }
  }

  void compare(const Degrees& degrees, const LayerOptimum& optimum, const Best& best) {
    const auto expected = best.find(degrees);
    ++compared;
    if (expected == best.end()) {
      ++infeasible;
      if (optimum.status != Status::kInfeasible) fault(degrees, "no mapping exists", optimum, -1);
    } else if (!optimum.best || optimum.status != Status::kProved) {
      fault(degrees, "nothing proved", optimum, expected->second);
    } else if (!close(optimum.best->score, expected->second)) {
      fault(degrees, "optimum", optimum, expected->second);
    }
  }

  void check_more(const Degrees& degrees, double score, const Found& found) {
    for (const FlexAxis axis : kAllFlexAxes) {
      if (degrees[axis] == Degree::kFull) continue;
      Degrees more = degrees;
      more[axis] = degrees[axis] == Degree::kFixed ? Degree::kPartial : Degree::kFull;
      ++steps;
      const LayerOptimum& other = *found.at(more);
      if (!other.best || other.best->score > score * (1 + 1e-12)) {
        fault(more, "worse than with less flexibility", other, score);
      }
    }
  }

  void fault(const Degrees& degrees, const char* what, const LayerOptimum& found, double expected) {
    if (++faults > 10) return;
    std::printf("case %llu, degrees %s: %s: %.17g, not %.17g\n",
                static_cast<unsigned long long>(number_), text_of(degrees).c_str(), what,
                found.best ? found.best->score : -1, expected);
  }

  std::uint64_t number_ = 0;
  std::uint64_t designs_ = 0;
};

// --- Markets.

/// Buys flexibility on random designs, for random prices and budgets.
class Markets {
 public:
  void run(std::uint64_t cases, std::uint64_t seed) {
    for (number_ = seed; markets < cases; ++number_) try_case();
  }

  std::uint64_t markets = 0;
  std::uint64_t offers = 0;
  std::uint64_t solved = 0;
  std::uint64_t faults = 0;

 private:
  // Area and score.
  using Point = std::pair<double, double>;

  static Workload smaller(const Workload& workload) {
    std::vector<Dim> dims(workload.dims().begin(), workload.dims().end());
    for (Dim& dim : dims) dim.size = ceil_div(dim.size, 2);
    return {"smaller", dims, {workload.tensors().begin(), workload.tensors().end()}};
  }

  void try_case() {
    constexpr std::array<const char*, 3> kObjectives = {"latency", "energy", "edp"};
    Random random(number_);
    FlexibleCase made = testing::make_flexible_case(random, 5);
    made.flexibility.costs = FlexCosts{.base_um2 = 1000};
    for (double& price : made.flexibility.costs->full_um2) {
      price = static_cast<double>(random.between(0, 20));
    }
    MarketOptions options;
    options.worth.threads = 1;
    options.worth.space = random.between(0, 1) == 0 ? SpaceKind::kRuby : SpaceKind::kPfm;
    options.worth.objective.name = kObjectives[static_cast<std::size_t>(random.between(0, 2))];
    options.worth.objective.objective = *objective_by_name(options.worth.objective.name);
    if (random.between(0, 3) > 0) {
      options.most_added_um2 = static_cast<double>(random.between(0, 60));
    }
    std::vector<FlexibleCase> layers = {made};
    if (random.between(0, 1) == 1) {
      layers.push_back({smaller(made.workload), made.arch, made.flexibility});
    }
    std::vector<Best> best;
    std::vector<Network> networks;
    for (const FlexibleCase& one : layers) {
      auto found = find_by_enumeration(one, options.worth.space, options.worth.objective.objective);
      if (!found) return;
      best.push_back(std::move(*found));
      networks.emplace_back().layers.push_back({.name = "layer", .workload = one.workload});
    }
    ++markets;
    const std::vector<Point> expected = front_by_enumeration(made, best, options.most_added_um2);
    for (const bool prune : {true, false}) {
      options.prune = prune;
      check(find_flex_market(made.flexibility, made.arch, networks, options), expected, prune);
    }
  }

  static std::vector<Point> front_by_enumeration(const FlexibleCase& made,
                                                 const std::vector<Best>& best, double budget) {
    std::vector<Point> points;
    for (const Degrees& degrees : every_degrees()) {
      const double area = added_area_um2(*made.flexibility.costs, degrees);
      if (area > budget) continue;
      double product = 1;
      bool is_mapped = true;
      for (const Best& one : best) {
        const auto found = one.find(degrees);
        is_mapped = is_mapped && found != one.end();
        if (is_mapped) product *= found->second;
      }
      const double score = std::pow(product, 1.0 / static_cast<double>(best.size()));
      if (is_mapped) points.emplace_back(area, score);
    }
    std::vector<Point> front;
    std::ranges::sort(points);
    for (const Point& point : points) {
      if (front.empty() || point.second < front.back().second * (1 - 1e-9)) front.push_back(point);
    }
    return front;
  }

  void check(const FlexMarket& market, const std::vector<Point>& expected, bool prune) {
    std::vector<Point> found;
    for (const std::size_t i : market.front) {
      found.emplace_back(market.offers[i].added_um2, market.offers[i].score);
    }
    if (prune) {
      offers += market.offers.size();
      solved += static_cast<std::uint64_t>(
          std::ranges::count(market.offers, true, &FlexOffer::is_solved));
    }
    const FlexOffer* bought = best_offer(market);
    const bool right = market.is_proved && (bought == nullptr) == expected.empty() &&
                       std::ranges::equal(found, expected, [](const Point& a, const Point& b) {
                         return close(a.first, b.first) && close(a.second, b.second);
                       });
    if (right || ++faults > 10) return;
    std::printf("case %llu, prune %d: a front of %zu offers, not %zu%s\n",
                static_cast<unsigned long long>(number_), prune ? 1 : 0, found.size(),
                expected.size(), market.is_proved ? "" : ", not proved");
  }

  std::uint64_t number_ = 0;
};

}  // namespace
}  // namespace tilewright

int main(int argc, char** argv) {
  const auto options = tilewright::testing::read_options(
      argc, argv, {{"--counts", 250}, {"--optima", 500}, {"--markets", 100}, {"--seed", 1}});
  std::uint64_t compared = 0;
  const std::uint64_t wrong =
      tilewright::check_counts(options.at("--counts"), options.at("--seed"), compared);
  tilewright::Optima optima;
  optima.run(options.at("--optima"), options.at("--seed"));
  tilewright::Markets markets;
  markets.run(options.at("--markets"), options.at("--seed"));
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::printf(
      "flexibility: %llu counts of %llu cases, %llu differ from the lists; %llu optima of %llu "
      "designs (%llu without a mapping) and %llu steps to more flexibility, %llu faults; %llu "
      "markets (%llu of %llu offers solved), %llu differ from enumeration\n",
      number(compared), number(options.at("--counts")), number(wrong), number(optima.compared),
      number(options.at("--optima")), number(optima.infeasible), number(optima.steps),
      number(optima.faults), number(markets.markets), number(markets.solved),
      number(markets.offers), number(markets.faults));
  return wrong == 0 && optima.faults == 0 && markets.faults == 0 ? 0 : 1;
}
