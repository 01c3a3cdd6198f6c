// SPDX-License-Identifier: Apache-2.0
#include "tilewright/search/questions/gain.h"

#include <gtest/gtest.h>

#include "tilewright/search/questions/status.h"
#include "tilewright/search/search_test_support.h"

namespace tilewright {
namespace {

using Kind = Limit::Kind;
using search_test::gemm;

const NodeId kDram(0), kGlb(1), kPe(2), kRf(3);

Question question(std::int64_t glb_bits = 64) {
  return {gemm(5, 6, 2, glb_bits),
          {{.kind = Constraint::Kind::kAtMost, .node = kGlb, .dim = DimId(1), .value = 1}},
          {{Cap::Figure::kCycles, 1e6}}};
}

SearchResult solve(const Question& asked) {
  SearchOptions options;
  options.caps = asked.caps;
  return search_optimal(asked.problem,
                        make_rules(asked.problem, SpaceKind::kRubyS, asked.constraints), options);
}

// The second way.
double least(const Question& asked) {
  SearchOptions options;
  options.caps = asked.caps;
  const Mapspace space(asked.problem,
                       make_rules(asked.problem, SpaceKind::kRubyS, asked.constraints));
  return search_exhaustive(space, options).best->score;
}

const std::function<bool()> kNever = [] { return false; };

TEST(Limits, AreListedFromTheOutermostInwards) {
  const std::vector<Limit> expected = {
      {.kind = Kind::kReadBandwidth, .node = kDram}, {.kind = Kind::kCapacity, .node = kGlb},
      {.kind = Kind::kReadBandwidth, .node = kGlb},  {.kind = Kind::kAxis, .node = kPe, .axis = 0},
      {.kind = Kind::kCapacity, .node = kRf},        {.kind = Kind::kReadBandwidth, .node = kRf},
      {.kind = Kind::kConstraint, .number = 0},      {.kind = Kind::kCap, .number = 0}};
  EXPECT_EQ(list_limits(question()), expected);
}

TEST(Relax, MovesOneLimitOnly) {
  const Question asked = question(8 << 17);  // 128 KiB
  const auto value = [&](const Limit& limit, Relaxation relaxation) {
    const std::optional<Question> relaxed = relax(asked, limit, relaxation);
    int changed = 0;
    for (const Limit& other : list_limits(*relaxed)) {
      const bool same = limit_value(relaxed->problem, other) == limit_value(asked.problem, other);
      changed += same ? 0 : 1;
    }
    EXPECT_EQ(changed, 1);
    EXPECT_EQ(relaxed->constraints, asked.constraints);
    return limit_value(relaxed->problem, limit)->num;
  };
  const Limit glb{.kind = Kind::kCapacity, .node = kGlb};
  EXPECT_EQ(value(glb, Relaxation::kStep), (8 << 17) + (8 << 10));
  EXPECT_EQ(value(glb, Relaxation::kTwice), 8 << 18);
  EXPECT_EQ(value({.kind = Kind::kCapacity, .node = kRf}, Relaxation::kStep), 48 + 8);
  EXPECT_EQ(value({.kind = Kind::kAxis, .node = kPe, .axis = 0}, Relaxation::kStep), 4);
  EXPECT_EQ(value({.kind = Kind::kAxis, .node = kPe, .axis = 0}, Relaxation::kTwice), 6);
  EXPECT_EQ(value({.kind = Kind::kReadBandwidth, .node = kRf}, Relaxation::kTwice), 64);
}

TEST(Relax, DropsConstraintsAndCaps) {
  const Question asked = question();
  const auto twice = Relaxation::kTwice;
  EXPECT_TRUE(relax(asked, {.kind = Kind::kConstraint, .number = 0}, twice)->constraints.empty());
  EXPECT_TRUE(relax(asked, {.kind = Kind::kCap, .number = 0}, twice)->caps.empty());
  EXPECT_FALSE(relax(asked, {.kind = Kind::kCap, .number = 0}, Relaxation::kStep));
  EXPECT_FALSE(relax(asked, {.kind = Kind::kReadBandwidth, .node = kGlb}, Relaxation::kStep));
}

TEST(Relax, GivesAPartitionMoreRoom) {
  Question asked = question();
  Memory glb = asked.problem.arch().memory(kGlb);
  glb.partitions = {{"input", 80}, {"Z", 40}};  // a role and a tensor
  glb.buffering = 2;
  std::vector<ArchNode> nodes(asked.problem.arch().nodes().begin(),
                              asked.problem.arch().nodes().end());
  nodes[kGlb.pos()] = glb;
  asked.problem =
      Problem(asked.problem.workload(), Arch("test", "", std::nullopt, nodes, Compute{}));
  const Limit a{.kind = Kind::kPartition, .node = kGlb, .tensor = TensorId(0)};
  const std::optional<Question> more = relax(asked, a, Relaxation::kStep);
  EXPECT_EQ(*more->problem.memory(kGlb).partition_bits[0], 80 + 2 * 8);
  EXPECT_EQ(*more->problem.memory(kGlb).partition_bits[2], 40);
}

TEST(FindGains, AreWhatExhaustiveSearchesSay) {
  const Question asked = question();
  const double best = least(asked);
  ASSERT_EQ(solve(asked).best->score, best);
  const std::vector<Gain> gains = find_gains(asked, best, solve, kNever);
  ASSERT_EQ(gains.size(), list_limits(asked).size());
  int binding = 0;
  int idle = 0;
  for (const Gain& gain : gains) {
    ASSERT_FALSE(gain.tries.empty());
    const std::optional<bool> bound = binds(gain, best);
    ASSERT_TRUE(bound.has_value());
    ++(*bound ? binding : idle);
    for (const Relaxed& relaxed : gain.tries) {
      EXPECT_TRUE(relaxed.proved);
      EXPECT_EQ(*relaxed.score, least(*relax(asked, gain.limit, relaxed.relaxation)));
    }
    EXPECT_EQ(gain.tries.back().relaxation, Relaxation::kTwice);
    EXPECT_EQ(*bound, *gain.tries.back().score < best);
  }
  EXPECT_GT(binding, 1);
  EXPECT_GT(idle, 1);
}

TEST(FindGains, SayWhatIsNotKnown) {
  const Question asked = question();
  const double best = 100;
  const auto gains_of = [&](const SearchResult& answer) {
    return find_gains(
        asked, best, [&](const Question&) { return answer; }, kNever);
  };
  SearchResult cut;
  cut.ending = Ending::kBudget;
  cut.bound = 90;
  EXPECT_EQ(binds(gains_of(cut).front(), best), std::nullopt);
  cut.bound = 100;
  EXPECT_EQ(binds(gains_of(cut).front(), best), false);
  cut.bound = 80;
  cut.best = Found{Mapping({}), {}, 95};
  const Gain found = gains_of(cut).front();
  EXPECT_EQ(binds(found, best), true);
  EXPECT_FALSE(found.tries.back().proved);
}

TEST(FindGains, EndWhenTold) {
  int asked_for = 0;
  const std::vector<Gain> gains = find_gains(
      question(), 100, [](const Question&) { return SearchResult{}; },
      [&] { return ++asked_for > 2; });
  EXPECT_FALSE(gains[1].tries.empty());
  EXPECT_TRUE(gains[2].tries.empty());
  EXPECT_EQ(binds(gains[2], 100), std::nullopt);
  EXPECT_EQ(gains.size(), list_limits(question()).size());
}

TEST(Gap, IsAShareOfTheBest) {
  EXPECT_EQ(find_gap(100, 75), 0.25);
  EXPECT_EQ(find_gap(100, 100), 0);
  EXPECT_EQ(find_gap(0, 0), 0);
  EXPECT_EQ(find_gap(1, 0), 1);
  SearchResult result;
  EXPECT_EQ(status_of(result), Status::kInfeasible);
  result.ending = Ending::kGap;
  EXPECT_EQ(status_of(result), Status::kNotFound);
  result.best = Found{Mapping({}), {}, 100};
  result.bound = 99;
  EXPECT_EQ(status_of(result), Status::kWithinGap);
  result.ending = Ending::kBudget;
  EXPECT_EQ(status_of(result), Status::kNotProved);
  result.bound = 100;
  EXPECT_EQ(status_of(result), Status::kProved) << "the bound is reached";
  result.bound.reset();
  result.ending = Ending::kExhausted;
  EXPECT_EQ(status_of(result), Status::kProved);
}

}  // namespace
}  // namespace tilewright
