// SPDX-License-Identifier: Apache-2.0
// No bound may exceed what a mapping costs: all mappings of small spaces against every bound on
// their way from root to leaf.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "tilewright/base/checked.h"
#include "tilewright/mapping/fit.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/model/evaluator.h"
#include "tilewright/verify/tree/member.h"
#include "tilewright/verify/tree/path.h"
#include "tilewright/verify/tree/roots.h"
#include "tilewright/verify/verify_test_support.h"

namespace tilewright::verify {
namespace {

struct BuiltRoot {
  RootKey key;
  std::unique_ptr<Root> root;
  std::vector<Tables> tables;  // by metric
};

class Judge {
 public:
  Judge(const Problem& problem, const Rules& rules)
      : frame_(problem, rules, {1, 1, 1}), evaluator_(problem), fit_(problem) {
    for (int d = 0; d < frame_.dims(); ++d) splits_.emplace_back(frame_, d);
  }

  void judge(std::span<const NestNode> nest) {
    if (!fit_.fits(nest)) return;
    const auto choices = take_apart(frame_.problem, frame_.rules, nest);
    ASSERT_TRUE(choices.has_value());
    BuiltRoot* built = find_root(*choices);
    if (built == nullptr) return;
    const Path whole = find_path(*choices, *built->root);
    if (whole.at.empty()) return;
    const Evaluation& evaluation = evaluator_.evaluate(nest);
    ASSERT_LE(built->root->steps(), static_cast<double>(evaluation.compute_steps) + 0.5);
    for (std::size_t k = 0; k < frame_.metrics.size(); ++k) {
      const Metric& metric = frame_.metrics[k];
      const double real = value(metric, evaluation);
      const auto check = [&](double bound, const std::string& what) {
        if (metric.kind == Metric::Kind::kTime) bound /= built->root->instances(metric.memory);
        ASSERT_LE(bound, real * (1 + 1e-9) + 1e-6)
            << what << ", metric " << k << " of memory " << metric.memory << "\n"
            << text(nest);
      };
      double once = 0;
      for (std::size_t t = 0; t < frame_.tensors.size(); ++t) {
        once += built->root->cost_once(metric, static_cast<int>(t));
      }
      check(once, "moved once");
      check(built->tables[k].bound(), "root");
      Path path{{whole.at[0]}, {}};
      for (int level = 1; level <= frame_.memory_count(); ++level) {
        const double passed = passed_cost(*built->root, metric, path);
        path.at.push_back(whole.at[pos(level)]);
        path.labels.push_back(whole.labels[pos(level) - 1]);
        ASSERT_TRUE(fits_together(*built->root, path)) << text(nest);
        check(path_cost(*built->root, metric, path, passed, built->tables[k]),
              "level " + std::to_string(level));
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
    ++judged_;
  }

  int judged() const { return judged_; }

 private:
  double value(const Metric& metric, const Evaluation& evaluation) const {
    switch (metric.kind) {
      case Metric::Kind::kEnergy:
        return evaluation.energy_pj - frame_.constant -
               frame_.leakage * static_cast<double>(evaluation.cycles);
      case Metric::Kind::kTraffic:
        return static_cast<double>(outermost_traffic(evaluation));
      case Metric::Kind::kTime:
        return static_cast<double>(evaluation.memories[number_of(metric.memory)].cycles);
      case Metric::Kind::kNothing:
        return 0;
    }
    return 0;
  }

  // Of the memory that has this point.
  std::size_t number_of(int point) const {
    const auto memories = frame_.problem.arch().memories();
    const auto found = std::ranges::find(memories, frame_.rules.keeps[pos(point)].memory);
    return static_cast<std::size_t>(found - memories.begin());
  }

  BuiltRoot* find_root(const Choices& choices) {
    std::vector<std::int64_t> factors;
    for (const FanoutView& fanout : frame_.fanouts) {
      for (int d = 0; d < frame_.dims(); ++d) {
        std::int64_t product = 1;
        for (const int place : fanout.places) product *= choices.tiling.at(place, d);
        factors.push_back(product);
      }
    }
    auto& built = roots_[{choices.keeps, factors}];
    if (built) return built.get();
    built = std::make_unique<BuiltRoot>();
    built->key = {choices.keeps, factors};
    std::vector<const Chain*> chains;
    std::vector<std::vector<Stand>> stands(pos(frame_.dims()));
    if (is_option(factors)) stands = spreads_.stands(factors);
    for (int d = 0; d < frame_.dims(); ++d) {
      std::vector<std::int64_t> by_fanout;
      for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
        by_fanout.push_back(factors[f * pos(frame_.dims()) + pos(d)]);
      }
      chains.push_back(
          &splits_[pos(d)].chain(by_fanout, open_blocks(choices.keeps), stands[pos(d)]));
      if (!chains.back()->possible) {
        EXPECT_TRUE(idle(choices)) << "a mapping without a root";
        roots_.erase({choices.keeps, factors});
        return nullptr;
      }
    }
    built->root = std::make_unique<Root>(frame_, built->key, std::move(chains));
    for (const Metric& metric : frame_.metrics) built->tables.emplace_back(*built->root, metric);
    return built.get();
  }

  // Whether the factors are possible, other than by standing for smaller ones.
  bool is_option(const std::vector<std::int64_t>& factors) const {
    for (int d = 0; d < frame_.dims(); ++d) {
      std::vector<std::int64_t> by_fanout;
      for (std::size_t f = 0; f < frame_.fanouts.size(); ++f) {
        by_fanout.push_back(factors[f * pos(frame_.dims()) + pos(d)]);
      }
      const auto& options = splits_[pos(d)].options();
      if (std::ranges::find(options, by_fanout, &Splits::Option::factors) == options.end()) {
        return false;
      }
    }
    return true;
  }

  // Whether more children stand side by side than there are tiles: another root's.
  bool idle(const Choices& choices) const {
    for (int d = 0; d < frame_.dims(); ++d) {
      std::int64_t count = frame_.sizes[pos(d)];
      for (int p = static_cast<int>(frame_.rules.places.size()) - 1; p >= 0; --p) {
        std::int64_t product = 1;
        for (int q = p;
             q >= 0 && frame_.rules.places[pos(q)].node == frame_.rules.places[pos(p)].node; --q) {
          product *= choices.tiling.at(q, d);
        }
        if (!frame_.rules.places[pos(p)].is_block() && product > count) return true;
        count = ceil_div(count, choices.tiling.at(p, d));
      }
    }
    return false;
  }

  // Empty if the mapping is another root's.
  Path find_path(const Choices& choices, const Root& root) const {
    Path path;
    path.at.assign(pos(frame_.memory_count()) + 1, std::vector<int>(pos(frame_.dims()), 0));
    for (int d = 0; d < frame_.dims(); ++d) {
      std::int64_t count = frame_.sizes[pos(d)];
      int level = frame_.memory_count();
      const auto note = [&] {
        const auto& counts = root.chain(d).counts[pos(level)];
        const auto found = std::ranges::find(counts, count);
        path.at[pos(level)][pos(d)] = static_cast<int>(found - counts.begin());
        return found != counts.end();
      };
      bool there = note();
      for (int p = static_cast<int>(frame_.rules.places.size()) - 1; p >= 0; --p) {
        count = ceil_div(count, choices.tiling.at(p, d));
        if (!frame_.rules.places[pos(p)].is_block()) continue;
        --level;
        there = note() && there;
      }
      if (!there) {
        EXPECT_TRUE(idle(choices)) << "a mapping with unknown counts";
        return {};
      }
    }
    for (const MemoryView& memory : frame_.memories) {
      const std::vector<DimId>& order = choices.orders[pos(memory.place)];
      path.labels.push_back(order.empty() ? 0 : DimSet{1} << order.back().value);
    }
    return path;
  }

  std::string text(std::span<const NestNode> nest) const {
    std::string all = to_einsum(frame_.problem.workload()) + "\n";
    for (const NestNode& node : nest) {
      if (node.kind == NestNode::Kind::kKeep) {
        all += "keep " + std::to_string(node.node.value) + ": " + std::to_string(node.tensors);
      } else {
        all += (node.kind == NestNode::Kind::kSpatial ? "space " : "time ") +
               frame_.problem.workload().dim(node.dim).name + " " + std::to_string(node.factor);
      }
      all += "\n";
    }
    return all;
  }

  Frame frame_;
  Evaluator evaluator_;
  Fit fit_;
  std::vector<Splits> splits_;
  Spreads spreads_{frame_, splits_};
  std::map<std::pair<Keeps, std::vector<std::int64_t>>, std::unique_ptr<BuiltRoot>> roots_;
  int judged_ = 0;
};

// How many mappings were judged; spaces with more than `most` are left out.
int judge_space(const SmallProblem& small, std::uint64_t most,
                const Arrangement& arrangement = {}) {
  const Rules rules = make_rules(small.problem, small.kind, small.constraints, arrangement);
  const Mapspace space(small.problem, rules);
  if (space.size() > Natural(most)) return 0;
  Judge judge(small.problem, rules);
  space.for_each(OrderMode::kWhole, [&](std::span<const NestNode> nest) {
    judge.judge(nest);
    return !::testing::Test::HasFailure();
  });
  return judge.judged();
}

// TILEWRIGHT_BOUND_CASES in the environment asks for more.
std::uint64_t cases() {
  const char* const more = std::getenv("TILEWRIGHT_BOUND_CASES");
  return more == nullptr ? 60 : std::strtoull(more, nullptr, 10);
}

TEST(Bounds, NeverExceedWhatAMappingCosts) {
  int judged = 0;
  for (std::uint64_t index = 0; index < cases() && !HasFailure(); ++index) {
    SCOPED_TRACE("case " + std::to_string(index));
    judged += judge_space(make_small_problem(3, index), 4000);
  }
  EXPECT_GT(judged, 5000);
}

// A loop in time splits a dim inside two children whose reads are shared: what they get at a step
// lies two elements apart, as do the tiles along the other dim of the rank, and coincides with it.
TEST(Bounds, KnowThatPiecesCoincide) {
  EXPECT_GT(judge_space(make_constrained_problem(3, 2398), 4000), 100);
}

// T0[3 c + 3 a] with holes as data: a compute unit gets one element, which has no holes.
TEST(Bounds, KnowThatUnitsShareAcrossHoles) {
  EXPECT_GT(judge_space(make_small_problem(3, 7833), 4000), 100);
}

TEST(Bounds, NeverExceedWhatAConstrainedMappingCosts) {
  int judged = 0;
  for (std::uint64_t index = 0; index < cases() && !HasFailure(); ++index) {
    SCOPED_TRACE("case " + std::to_string(index));
    judged += judge_space(make_constrained_problem(3, index), 4000);
  }
  EXPECT_GT(judged, 1000);
}

TEST(Bounds, NeverExceedWhatAnUnevenMappingCosts) {
  int judged = 0;
  for (std::uint64_t index = 0; index < cases() && !HasFailure(); ++index) {
    SCOPED_TRACE("case " + std::to_string(index));
    const SmallProblem small = make_small_problem(3, index);
    const Placement placement = most_uneven(small.problem, {});
    if (count_arrangements(small.problem, {}, placement) > 40) continue;
    for (const Arrangement& arrangement : list_arrangements(small.problem, {}, placement)) {
      if (!arrangement.memories.empty()) judged += judge_space(small, 1000, arrangement);
    }
  }
  EXPECT_GT(judged, 5000);
}

}  // namespace
}  // namespace tilewright::verify
