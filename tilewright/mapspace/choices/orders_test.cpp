// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/choices/orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/support/random_case.h"
#include "tilewright/base/error.h"
#include "tilewright/mapspace/mapspace_test_support.h"

namespace tilewright {
namespace {

using Order = std::vector<DimId>;
using OrderList = std::vector<Order>;

Order dims(std::initializer_list<int> values) {
  Order order;
  for (const int value : values) order.push_back(DimId(value));
  return order;
}

TEST(BlockOrders, AreAllOrdersOfTheActiveLoops) {
  const BlockOrders orders(Place{}, 0b1011);
  EXPECT_EQ(orders.size(), Natural(6));
  EXPECT_EQ(orders.all(), (OrderList{dims({0, 1, 3}), dims({0, 3, 1}), dims({1, 0, 3}),
                                     dims({1, 3, 0}), dims({3, 0, 1}), dims({3, 1, 0})}));
  EXPECT_EQ(orders.unrank(3), dims({1, 3, 0}));
  EXPECT_THROW(orders.unrank(6), InternalError);
}

TEST(BlockOrders, KeepFixedLoopsAtTheirEnds) {
  Place block;
  block.outermost = dims({4, 2});
  block.innermost = dims({5, 0});
  const BlockOrders orders(block, 0b011111);  // nothing over 5
  EXPECT_EQ(orders.all(), (OrderList{dims({4, 2, 1, 3, 0}), dims({4, 2, 3, 1, 0})}));
  EXPECT_EQ(orders.rank(dims({4, 2, 3, 1, 0})), Natural(1));
  EXPECT_EQ(orders.rank(dims({2, 4, 3, 1, 0})), std::nullopt);
  EXPECT_EQ(orders.rank(dims({4, 2, 3, 0, 1})), std::nullopt);
  EXPECT_EQ(orders.rank(dims({4, 2, 3, 3, 0})), std::nullopt);
  EXPECT_EQ(orders.rank(dims({4, 2, 3, 0})), std::nullopt);
}

TEST(BlockOrders, AreNumberedInOrder) {
  Place block;
  block.outermost = dims({3});
  const BlockOrders orders(block, 0b111111);
  const OrderList all = orders.all();
  EXPECT_EQ(orders.size(), Natural(all.size()));
  EXPECT_TRUE(std::ranges::is_sorted(all));
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(orders.unrank(i), all[i]);
    EXPECT_EQ(orders.rank(all[i]), Natural(i));
  }
}

TEST(BlockOrders, WithoutLoopsAreOne) {
  const BlockOrders orders(Place{}, 0);
  EXPECT_EQ(orders.size(), Natural(1));
  EXPECT_EQ(orders.all(), (OrderList{{}}));
  EXPECT_EQ(orders.rank({}), Natural(0));
}

// ---- Classes ----

// Places of small_arch without a fan-out: DRAM, GLB, reg.
TEST(OrderClasses, OfAGemmAreTheStationaryTensors) {
  const Problem problem = testing::gemm_problem({8, 8, 8}, {.axes = {}});
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  const OrderClasses classes(problem, rules);
  const std::vector<DimSet> active = {0b111, 0b111, 0b111};
  const Keeps all = {7, 7, 7};
  const OrderList three = {dims({0, 1, 2}), dims({0, 2, 1}), dims({1, 2, 0})};
  EXPECT_EQ(classes.representatives(0, active, all), three);
  EXPECT_EQ(classes.representatives(1, active, all), three);
  // Nothing but compute units inside: they get an element at every step.
  EXPECT_EQ(classes.representatives(2, active, all), (OrderList{dims({0, 1, 2})}));
  EXPECT_EQ(classes.representative(0, active, all, dims({2, 1, 0})), dims({1, 2, 0}));
  EXPECT_THROW(classes.representative(0, active, all, dims({2, 1})), InternalError);
}

TEST(OrderClasses, LookAtTensorsThatAreKeptInsideOnly) {
  const Problem problem = testing::gemm_problem({8, 8, 8}, {.axes = {}});
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  const OrderClasses classes(problem, rules);
  const std::vector<DimSet> active = {0b111, 0b000, 0b111};
  // Only Z[m,n] is kept below DRAM: k is the innermost loop or not.
  EXPECT_EQ(classes.representatives(0, active, {7, 4, 0}),
            (OrderList{dims({0, 1, 2}), dims({0, 2, 1})}));
  // A loop over a relevant dim of Z nearer to reg hides the order of DRAM.
  const auto count = [&](DimSet in_glb) {
    const std::vector<DimSet> nearer = {0b111, in_glb, 0b111};
    return classes.representatives(0, nearer, {7, 0, 4}).size();
  };
  EXPECT_EQ(count(0b001), 1U);
  EXPECT_EQ(count(0b100), 2U);
}

// O[p] += I[p+r] * W[r], and a dim m that only W and O have, on DRAM, GLB, reg with fan-outs
// between.
struct Sliding {
  Problem problem;
  Rules rules;
};

Sliding sliding(bool glb_slides, bool reg_slides) {
  const DimId p(0), r(1), m(2);
  Workload workload("conv", {{"p", 16}, {"r", 16}, {"m", 8}},
                    {{.name = "I", .ranks = {{{{p, 1}, {r, 1}}}}},
                     {.name = "W", .ranks = {{{{r, 1}}}, {{{m, 1}}}}},
                     {.name = "O", .ranks = {{{{p, 1}}}, {{{m, 1}}}}}});
  Memory glb{.name = "GLB"};
  Memory reg{.name = "reg"};
  glb.sliding.all = glb_slides;
  reg.sliding.all = reg_slides;
  const Fanout chips{"chips", {{"X", 4}}};
  const Fanout pes{"PE", {{"X", 4}}};
  Arch arch("a", "", std::nullopt, {Memory{.name = "DRAM"}, chips, glb, pes, reg}, Compute{});
  Problem problem(std::move(workload), std::move(arch));
  Rules rules = make_rules(problem, SpaceKind::kPfm, {});
  return {std::move(problem), std::move(rules)};
}

constexpr TensorSet kI = 1, kO = 4, kAll = 7;
constexpr DimSet kP = 1, kR = 2, kM = 4;

TEST(OrderClasses, FollowFromTheirKey) {
  const Sliding s = sliding(true, true);
  const OrderClasses classes(s.problem, s.rules);
  std::map<std::vector<std::uint64_t>, OrderList> known;
  int choices = 0;
  for (DimSet here = 0; here < 8; ++here) {
    for (DimSet inside = 0; inside < 64; ++inside) {
      for (const TensorSet kept : {0, 1, 5, 7}) {
        const std::vector<DimSet> active = {here, 0, inside & 7U, inside >> 3U, kR};
        std::vector<std::uint64_t> key;
        classes.key(0, active, {kAll, kept, kAll}, key);
        const OrderList found = classes.representatives(0, active, {kAll, kept, kAll});
        EXPECT_EQ(known.try_emplace(key, found).first->second, found);
        ++choices;
      }
    }
  }
  EXPECT_LT(4 * known.size(), static_cast<std::size_t>(choices));
}

TEST(OrderClasses, TellAffineDimsApartWhereTilesOverlap) {
  // I's tiles in GLB overlap if another dim than the one that advances extends inside it.
  for (const bool slides : {false, true}) {
    const Sliding s = sliding(slides, false);
    const OrderClasses classes(s.problem, s.rules);
    const auto count = [&](DimSet inside) {
      const std::vector<DimSet> active = {kP | kR, 0, inside, 0, 0};
      return classes.representatives(0, active, {kAll, kI, 0}).size();
    };
    EXPECT_EQ(count(0), 1U);
    EXPECT_EQ(count(kP), slides ? 2U : 1U);
    EXPECT_EQ(count(kP | kR), slides ? 2U : 1U);
    EXPECT_EQ(count(kM), 1U);
  }
}

TEST(OrderClasses, FollowASweepOutwards) {
  const Sliding s = sliding(/*glb=*/false, /*reg=*/true);
  const OrderClasses classes(s.problem, s.rules);
  // Where reg slides I along p in GLB, the sweep goes on in DRAM if p is inside r there.
  const auto count = [&](std::initializer_list<DimSet> active) {
    return classes.representatives(0, std::vector<DimSet>(active), {kAll, kI, kI}).size();
  };
  EXPECT_EQ(count({kP | kR, 0, kP, 0, kP | kR}), 2U);
  EXPECT_EQ(count({kP | kR, 0, kP | kM, 0, kP | kR}), 2U);
  EXPECT_EQ(count({kP | kR, 0, kP, kP, kP | kR}), 2U);      // in space over p, inside l*: no harm
  EXPECT_EQ(count({kP | kR, kR, kP, kP, kP | kR}), 2U);     // nor over r
  EXPECT_EQ(count({kP | kR, kP, kP, 0, kP | kR}), 1U);      // but outside, over p
  EXPECT_EQ(count({kP | kR, 0, kP | kR, 0, kP | kR}), 1U);  // I moves along r too in GLB
  EXPECT_EQ(count({kP | kR, 0, kP, 0, kP}), 1U);            // no tiles that overlap
  // m, which I does not have, stands inside the sweep's loop or not.
  const auto count_m = [&](DimSet in_reg) {
    const std::vector<DimSet> active = {kP | kM, 0, kP, 0, in_reg};
    return classes.representatives(0, active, {kAll, kO, kI}).size();
  };
  EXPECT_EQ(count_m(kP | kR), 2U);
  EXPECT_EQ(count_m(kP), 1U);
}

// A random choice of keeps and active dims for the problem of a random case.
TEST(OrderClasses, AreRepresentedByTheirFirstOrder) {
  for (std::uint64_t i = 0; i < 60; ++i) {
    const auto c = testing::make_case(11, i);
    const Rules rules = make_rules(c.problem, SpaceKind::kRuby, {});
    const OrderClasses classes(c.problem, rules);
    Random random(i);
    Keeps keeps;
    for (const KeepRule& rule : rules.keeps) {
      keeps.push_back(rule.required | (static_cast<TensorSet>(random.next()) & rule.allowed));
    }
    const std::size_t dim_count = std::min<std::size_t>(5, c.problem.workload().dims().size());
    std::vector<DimSet> active;
    for (std::size_t p = 0; p < rules.places.size(); ++p) {
      active.push_back(static_cast<DimSet>(random.next()) & ((DimSet{1} << dim_count) - 1));
    }
    for (std::size_t p = 0; p < rules.places.size(); ++p) {
      if (!rules.places[p].is_block()) continue;
      const int place = static_cast<int>(p);
      OrderList firsts;
      for (const Order& order : BlockOrders(rules.places[p], active[p]).all()) {
        const Order first = classes.representative(place, active, keeps, order);
        if (first == order) firsts.push_back(order);
        EXPECT_TRUE(std::ranges::find(firsts, first) != firsts.end()) << "case " << i;
      }
      EXPECT_EQ(classes.representatives(place, active, keeps), firsts) << "case " << i;
    }
  }
}

TEST(OrderClasses, ObeyFixedLoops) {
  const Problem problem = testing::gemm_problem({8, 8, 8}, {.axes = {}});
  Constraint order{.kind = Constraint::Kind::kOrder, .node = NodeId(0)};
  order.outermost = dims({2});
  const Rules rules = make_rules(problem, SpaceKind::kPfm, {{order}});
  const OrderClasses classes(problem, rules);
  const std::vector<DimSet> active = {0b111, 0b111, 0b111};
  EXPECT_EQ(classes.representatives(0, active, {7, 7, 7}),
            (OrderList{dims({2, 0, 1}), dims({2, 1, 0})}));
  order.outermost = {};
  order.innermost = dims({2});
  const Rules inner = make_rules(problem, SpaceKind::kPfm, {{order}});
  EXPECT_EQ(OrderClasses(problem, inner).representatives(0, active, {7, 7, 7}),
            (OrderList{dims({0, 1, 2})}));
}

// ---- QuickFlow's classes ----

Workload simple_conv() {
  const DimId m(0), p(1), q(2), c(3), r(4), s(5);
  return Workload("conv", {{"m", 2}, {"p", 3}, {"q", 3}, {"c", 2}, {"r", 3}, {"s", 3}},
                  {{.name = "I", .ranks = {{{{c}}}, {{{p}, {r}}}, {{{q}, {s}}}}},
                   {.name = "W", .ranks = {{{{m}}}, {{{c}}}, {{{r}}}, {{{s}}}}},
                   {.name = "O", .ranks = {{{{m}}}, {{{p}}}, {{{q}}}}}});
}

// The definition word by word, on all permutations.
std::size_t count_by_definition(const Workload& workload) {
  Order order;
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    if (workload.dims()[d].size > 1) order.push_back(DimId(d));
  }
  using Reuse = std::tuple<std::size_t, std::set<DimId>, DimId>;
  std::set<std::vector<Reuse>> classes;
  do {
    std::vector<Reuse> reuse;
    for (const Tensor& tensor : workload.tensors()) {
      Reuse one{order.size(), {}, DimId()};
      for (std::size_t k = 0; k < order.size(); ++k) {  // the first is the innermost loop
        const auto in = [&](DimId dim) {
          return [dim](const Term& term) { return term.dim == dim; };
        };
        const auto rank = std::ranges::find_if(tensor.ranks, [&](const Rank& candidate) {
          return std::ranges::any_of(candidate.terms, in(order[k]));
        });
        if (rank == tensor.ranks.end()) continue;
        const bool affine = std::ranges::count_if(rank->terms, [&](const Term& term) {
                              return workload.dim(term.dim).size > 1;
                            }) > 1;
        one = {k,
               {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k)},
               affine ? order[k] : DimId()};
        break;
      }
      reuse.push_back(one);
    }
    classes.insert(reuse);
  } while (std::ranges::next_permutation(order).found);
  return classes.size();
}

// The paper says "no more than 26" for these; its definition gives 21.
TEST(CountReuseClasses, OfASimpleConvolutionAre21) {
  EXPECT_EQ(count_reuse_classes(simple_conv()), 21);
}

TEST(CountReuseClasses, OfAGemmAreThree) {
  EXPECT_EQ(count_reuse_classes(testing::gemm({4, 4, 4})), 3);
  EXPECT_EQ(count_reuse_classes(testing::gemm({4, 4, 1})), 2);
  EXPECT_EQ(count_reuse_classes(testing::gemm({1, 1, 1})), 1);
}

TEST(CountReuseClasses, FollowTheDefinition) {
  EXPECT_EQ(count_by_definition(simple_conv()), 21U);
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto c = testing::make_case(5, i);
    const Workload& workload = c.problem.workload();
    if (workload.dims().size() > 6) continue;
    EXPECT_EQ(static_cast<std::size_t>(count_reuse_classes(workload)),
              count_by_definition(workload))
        << to_einsum(workload);
  }
}

}  // namespace
}  // namespace tilewright
