// SPDX-License-Identifier: Apache-2.0
// Orders of one class cost the same: on random problems, tilings and choices of what is kept, every
// explicit order of the loops has the evaluation of its representative, one block at a time and all
// blocks together.
//   property.reuse-classes [--cases N] [--seed S] [--first I]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "tests/support/options.h"
#include "tests/support/random_case.h"
#include "tilewright/mapspace/choices/keeps.h"
#include "tilewright/mapspace/choices/orders.h"
#include "tilewright/model/evaluator.h"

namespace {

using namespace tilewright;

constexpr std::uint64_t kMostOfABlock = 720;   // orders; beyond that as many are drawn
constexpr std::uint64_t kMostTogether = 2000;  // of all blocks at once
constexpr std::uint64_t kDrawnTogether = 300;
constexpr int kQuickFlowClasses = 26;  // "no more than", section IV-B of the paper

using Order = std::vector<DimId>;

struct Totals {
  std::uint64_t orders = 0;  // compared with their representative
  std::uint64_t blocks = 0;  // with two loops or more
  std::uint64_t classes = 0;
  std::uint64_t costs = 0;   // different evaluations among the representatives of a block
  std::uint64_t differ = 0;  // of the orders
  std::uint64_t failed = 0;  // cases
  std::size_t most_classes = 0;
  // Of convolutions: the block with most classes, and its orders.
  std::size_t conv_classes = 0;
  std::uint64_t conv_orders = 0;
};

// Random cases are small enough to be walked; here more loops a block are welcome.
Problem enlarge(const Problem& problem, Random& random) {
  const Workload& w = problem.workload();
  std::vector<Dim> dims(w.dims().begin(), w.dims().end());
  if (random.one_in(2)) {
    for (Dim& dim : dims) dim.size *= random.between(1, 4);
  }
  return Problem(Workload(w.name(), std::move(dims), {w.tensors().begin(), w.tensors().end()}),
                 problem.arch(), problem.conventions());
}

// What a random tiling of a random problem fixes: all but the orders.
struct Drawn {
  Keeps keeps;
  Tiling tiling;
  std::vector<DimSet> active;
};

// Factors from the innermost place outwards (docs/model.md (1)); the outermost takes what is left.
void draw_factors(const Rules& rules, DimId dim, std::int64_t size, Random& random, Drawn& drawn) {
  const bool ragged = random.one_in(2);
  std::int64_t left = size;
  for (int p = static_cast<int>(rules.places.size()); p-- > 0 && left > 1;) {
    const Place& place = rules.places[static_cast<std::size_t>(p)];
    std::int64_t room = left;
    if (place.is_block()) {
      const auto memory = std::ranges::find(rules.keeps, place.node, &KeepRule::memory);
      const bool open = drawn.keeps[static_cast<std::size_t>(memory - rules.keeps.begin())] != 0;
      if (p > 0 && (!open || random.one_in(3))) continue;
      if (p > 0 && !random.one_in(3)) room = std::min<std::int64_t>(left, 3);
    } else {
      if (random.one_in(2)) continue;
      room = std::min(left, place.rules[dim.pos()].most);
      for (int d = 0; d < dim.value; ++d) room /= drawn.tiling.at(p, d);
    }
    std::int64_t factor = p == 0 ? left : random.between(1, std::max<std::int64_t>(1, room));
    while (!ragged && left % factor != 0) --factor;
    drawn.tiling.at(p, dim.value) = factor;
    left = ceil_div(left, factor);
  }
}

Drawn draw(const Problem& problem, const Rules& rules, Random& random) {
  Drawn drawn;
  const KeepChoices choices(rules);
  drawn.keeps = choices.unrank(random_below(choices.size(), random));
  const auto dims = problem.workload().dims();
  drawn.tiling.dims = static_cast<int>(dims.size());
  drawn.tiling.factors.assign(dims.size() * rules.places.size(), 1);
  for (std::size_t d = 0; d < dims.size(); ++d) {
    draw_factors(rules, DimId(d), dims[d].size, random, drawn);
  }
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    drawn.active.push_back(drawn.tiling.active(static_cast<int>(p)));
  }
  return drawn;
}

std::string describe(const Problem& problem, std::span<const NestNode> nest) {
  const Workload& w = problem.workload();
  std::string text = to_einsum(w) + "\n ";
  for (const Dim& dim : w.dims()) text += " " + dim.name + "=" + std::to_string(dim.size);
  for (const NestNode& node : nest) {
    text += node.is_loop() ? "\n    " : "\n  ";
    text += node.node.valid() ? node_name(problem.arch().nodes()[node.node.pos()]) : "for";
    if (node.is_loop()) text += " " + w.dim(node.dim).name + " " + std::to_string(node.factor);
    for (std::size_t t = 0; t < w.tensors().size(); ++t) {
      if ((node.tensors >> t & 1U) != 0) text += " " + w.tensors()[t].name;
    }
  }
  return text + "\n";
}

class Case {
 public:
  Case(std::uint64_t seed, std::uint64_t index, Totals& totals)
      : random_(seed + index),
        case_(testing::make_case(seed, index)),
        problem_(enlarge(case_.problem, random_)),
        rules_(make_rules(problem_, SpaceKind::kRuby, {})),
        classes_(problem_, rules_),
        drawn_(draw(problem_, rules_, random_)),
        evaluator_(problem_),
        totals_(totals) {
    is_conv_ = problem_.workload().name() == "conv";
    for (std::size_t p = 0; p < rules_.places.size(); ++p) {
      const Place& place = rules_.places[p];
      const BlockOrders orders(place, place.is_block() ? drawn_.active[p] : 0);
      blocks_.push_back(orders);
      orders_.push_back(draw_order(orders));
    }
  }

  // A nest that does not cost what its representative does, as text; empty if there is none.
  std::string check() {
    for (std::size_t p = 0; p < blocks_.size(); ++p) {
      if (blocks_[p].size() > 1) check_block(p);
    }
    check_together();
    return wrong_;
  }

 private:
  Order draw_order(const BlockOrders& orders) {
    return orders.unrank(random_below(orders.size(), random_));
  }

  Order representative(std::size_t place, const Order& order) const {
    return classes_.representative(static_cast<int>(place), drawn_.active, drawn_.keeps, order);
  }

  Evaluation evaluate(const Orders& orders) {
    build_nest(rules_, drawn_.keeps, drawn_.tiling, orders, nest_);
    return evaluator_.evaluate(nest_);
  }

  void compare(const Orders& orders, const Evaluation& wanted) {
    ++totals_.orders;
    if (evaluate(orders) == wanted) return;
    ++totals_.differ;
    if (wrong_.empty()) wrong_ = describe(problem_, nest_);
  }

  // The other blocks keep the orders that were drawn for them.
  void check_block(std::size_t place) {
    const BlockOrders& block = blocks_[place];
    Orders orders = orders_;
    std::map<Order, Evaluation> wanted;
    std::vector<Evaluation> costs;
    for (const Order& order :
         classes_.representatives(static_cast<int>(place), drawn_.active, drawn_.keeps)) {
      orders[place] = order;
      const Evaluation cost = evaluate(orders);
      if (std::ranges::find(costs, cost) == costs.end()) costs.push_back(cost);
      wanted.emplace(order, cost);
    }
    count_block(wanted.size(), costs.size(), block.size().to_uint64());
    const bool whole = block.size() <= kMostOfABlock;
    const std::uint64_t tries = whole ? block.size().to_uint64() : kMostOfABlock;
    for (std::uint64_t i = 0; i < tries; ++i) {
      orders[place] = whole ? block.unrank(i) : draw_order(block);
      compare(orders, wanted.at(representative(place, orders[place])));
    }
  }

  void count_block(std::size_t classes, std::size_t costs, std::uint64_t orders) {
    ++totals_.blocks;
    totals_.classes += classes;
    totals_.costs += costs;
    totals_.most_classes = std::max(totals_.most_classes, classes);
    if (!is_conv_ || classes < totals_.conv_classes) return;
    totals_.conv_orders =
        std::max(classes > totals_.conv_classes ? 0 : totals_.conv_orders, orders);
    totals_.conv_classes = classes;
  }

  // Orders of all blocks at once against all their representatives.
  void check_together() {
    Natural all = 1;
    for (const BlockOrders& block : blocks_) all *= block.size();
    const bool whole = all <= kMostTogether;
    const std::uint64_t tries = whole ? all.to_uint64() : kDrawnTogether;
    std::map<Orders, Evaluation> wanted;
    for (std::uint64_t i = 0; i < tries; ++i) {
      Orders orders;
      Orders firsts;
      Natural number = i;
      for (std::size_t p = 0; p < blocks_.size(); ++p) {
        const Natural::Division digit = number.divide(blocks_[p].size());
        number = digit.quotient;
        orders.push_back(whole ? blocks_[p].unrank(digit.remainder) : draw_order(blocks_[p]));
        const Order& order = orders.back();
        firsts.push_back(order.empty() ? order : representative(p, order));
      }
      auto known = wanted.find(firsts);
      if (known == wanted.end()) known = wanted.emplace(firsts, evaluate(firsts)).first;
      compare(orders, known->second);
    }
  }

  Random random_;
  testing::RandomCase case_;
  Problem problem_;
  Rules rules_;
  OrderClasses classes_;
  Drawn drawn_;
  Evaluator evaluator_;
  Totals& totals_;
  bool is_conv_ = false;
  std::vector<BlockOrders> blocks_;  // by place; those of axes have no loops
  Orders orders_;
  std::vector<NestNode> nest_;
  std::string wrong_;
};

std::int64_t classes_of_simple_conv() {
  const DimId m(0), p(1), q(2), c(3), r(4), s(5);
  return count_reuse_classes(
      Workload("conv", {{"m", 8}, {"p", 8}, {"q", 8}, {"c", 8}, {"r", 3}, {"s", 3}},
               {{.name = "I", .ranks = {{{{c}}}, {{{p}, {r}}}, {{{q}, {s}}}}},
                {.name = "W", .ranks = {{{{m}}}, {{{c}}}, {{{r}}}, {{{s}}}}},
                {.name = "O", .ranks = {{{{m}}}, {{{p}}}, {{{q}}}}}}));
}

unsigned long long number(std::uint64_t value) { return value; }

double per_block(std::uint64_t value, const Totals& totals) {
  return static_cast<double>(value) /
         static_cast<double>(std::max<std::uint64_t>(1, totals.blocks));
}

void print(const Totals& totals, std::uint64_t cases) {
  std::printf("%12llu  cases\n", number(cases));
  std::printf("%12llu  orders compared with their representative\n", number(totals.orders));
  std::printf("%12llu  blocks of two loops or more\n", number(totals.blocks));
  std::printf("%12llu  classes\n", number(totals.classes));
  std::printf("%12.2f  classes a block on average\n", per_block(totals.classes, totals));
  std::printf("%12.2f  ... of which so many do differ in cost\n", per_block(totals.costs, totals));
  std::printf("%12llu  classes a block at most in a convolution, of %llu orders\n",
              number(totals.conv_classes), number(totals.conv_orders));
  std::printf(
      "%12lld  equi-reuse classes of a simple convolution, of 720 (QuickFlow: at most %d)\n",
      static_cast<long long>(classes_of_simple_conv()), kQuickFlowClasses);
  std::printf("%12llu  cases with a mismatch\n", number(totals.failed));
  std::printf(
      "reuse-classes: %llu cases, %llu orders, %llu differ from their representative; at most %llu "
      "classes a block\n",
      number(cases), number(totals.orders), number(totals.differ), number(totals.most_classes));
}

}  // namespace

int main(int argc, char** argv) {
  const testing::Options options =
      testing::read_options(argc, argv, {{"--cases", 2000}, {"--seed", 1}, {"--first", 0}});
  const std::uint64_t cases = options.at("--cases");
  const std::uint64_t seed = options.at("--seed");
  const std::uint64_t first = options.at("--first");
  Totals totals;
  for (std::uint64_t i = first; i < first + cases; ++i) {
    std::string wrong;
    try {
      wrong = Case(seed, i, totals).check();
    } catch (const std::exception& error) {
      wrong = std::string("exception: ") + error.what() + "\n";
    }
    if (wrong.empty()) continue;
    if (++totals.failed <= 3) {
      std::printf("case %llu of seed %llu: this does not cost what its representative does\n%s",
                  number(i), number(seed), wrong.c_str());
    }
  }
  print(totals, cases);
  return totals.failed == 0 ? 0 : 1;
}
