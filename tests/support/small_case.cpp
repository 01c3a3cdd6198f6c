// SPDX-License-Identifier: Apache-2.0
#include "tests/support/small_case.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "tests/support/random_case.h"
#include "tilewright/base/checked.h"
#include "tilewright/mapping/violation.h"

namespace tilewright::testing {
namespace {

using Factors = std::vector<std::vector<std::int64_t>>;  // by place, then by dim

std::size_t pos(std::int64_t i) { return static_cast<std::size_t>(i); }

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  SmallCase make() {
    constexpr SpaceKind kKinds[] = {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT,
                                    SpaceKind::kRuby};
    Problem problem(widen_some(make_workload()), make_arch());
    std::vector<Constraint> constraints;
    for (std::int64_t left = pick(0, 4); left > 0; --left) {
      constraints.push_back(make_constraint(problem));
    }
    return {std::move(problem), kKinds[pick(0, 3)], std::move(constraints)};
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) { return random_.between(low, high); }

  Workload widen_some(const Workload& made) {
    return random_.one_in(3) ? with_wider_sums(made, pick(1, 4)) : made;
  }

  Workload make_workload() {
    const auto rank = [](int dim) { return Rank{{{DimId(dim), 1}}}; };
    const Dim a{"a", pick(1, 6)};
    const Dim b{"b", pick(2, 6)};
    const Dim c{"c", pick(1, 4)};
    switch (pick(0, 3)) {
      case 0:
        return Workload("copy", {a, b},
                        {{.name = "A", .bits = 2, .ranks = {rank(0), rank(1)}},
                         {.name = "Z", .bits = 1, .ranks = {rank(0), rank(1)}}});
      case 1:
        return Workload("gemv", {a, b},
                        {{.name = "A", .bits = 1, .ranks = {rank(0), rank(1)}},
                         {.name = "B", .bits = 2, .ranks = {rank(1)}},
                         {.name = "Z", .bits = 3, .ranks = {rank(0)}}});
      case 2: {
        const Rank window{{{DimId(0), pick(1, 3)}, {DimId(1), pick(1, 2)}}};
        return Workload("conv", {a, b},
                        {{.name = "A", .bits = 1, .ranks = {window}},
                         {.name = "B", .bits = 1, .ranks = {rank(1)}},
                         {.name = "Z", .bits = 2, .ranks = {rank(0)}}});
      }
      default:
        return Workload("gemm", {{"a", pick(1, 4)}, {"b", pick(2, 3)}, c},
                        {{.name = "A", .bits = 1, .ranks = {rank(0), rank(2)}},
                         {.name = "B", .bits = 1, .ranks = {rank(2), rank(1)}},
                         {.name = "Z", .bits = 2, .ranks = {rank(0), rank(1)}}});
    }
  }

  Memory make_memory(const std::string& name, bool outermost) {
    Memory memory{.name = name};
    if (!random_.one_in(outermost ? 8 : 4)) {
      if (!outermost) memory.capacity_bits = pick(1, 24);
    } else if (outermost) {
      memory.capacity_bits = pick(20, 120);
    }
    if (random_.one_in(6)) memory.buffering = 2;
    for (const char* tensor : {"A", "B", "Z"}) {
      if (random_.one_in(outermost ? 30 : 8)) memory.partitions.push_back({tensor, pick(0, 10)});
    }
    if (random_.one_in(outermost ? 16 : 3)) {
      memory.keep.all = false;
      for (const char* tensor : {"A", "B", "Z"}) {
        if (!random_.one_in(3)) memory.keep.names.push_back(tensor);
      }
    }
    return memory;
  }

  Arch make_arch() {
    std::vector<ArchNode> nodes = {make_memory("outer", true)};
    const std::int64_t memories = pick(1, 2);
    const auto add_fanout = [&](const char* name) {
      Fanout fanout{.name = name};
      for (std::int64_t axis = pick(1, 2); axis > 0; --axis) {
        fanout.axes.push_back({axis == 2 ? "X" : "Y", pick(1, 4)});
      }
      nodes.push_back(std::move(fanout));
    };
    if (random_.one_in(2)) add_fanout("array");
    nodes.push_back(make_memory("middle", false));
    if (memories == 2) {
      if (nodes.size() == 2 && random_.one_in(2)) add_fanout("array");
      nodes.push_back(make_memory("inner", false));
    } else if (random_.one_in(3)) {
      add_fanout("lanes");
    }
    return Arch("small", "", std::nullopt, std::move(nodes), Compute{});
  }

  DimId any_dim(const Problem& problem) {
    return DimId(pos(pick(0, std::ssize(problem.workload().dims()) - 1)));
  }

  Constraint make_constraint(const Problem& problem) {
    using Kind = Constraint::Kind;
    const Arch& arch = problem.arch();
    Constraint made{.node = NodeId(pos(pick(0, std::ssize(arch.nodes()) - 1)))};
    const bool memory = arch.is_memory(made.node);
    if (!memory) made.axis = static_cast<int>(pick(0, std::ssize(arch.fanout(made.node).axes) - 1));
    constexpr Kind kFactors[] = {Kind::kEqual, Kind::kAtMost, Kind::kAtLeast, Kind::kPerfect};
    made.dim = any_dim(problem);
    made.value = pick(1, random_.one_in(3) ? 6 : 3);
    if (!random_.one_in(3)) {
      made.kind = kFactors[pick(0, 3)];
    } else if (!memory) {
      made.kind = random_.one_in(3) ? Kind::kAxisDims : Kind::kUtilization;
      if (random_.one_in(2)) made.dims = {any_dim(problem)};
      made.share = make_rational(pick(1, 4), 4);
    } else if (random_.one_in(4)) {
      made.kind = Kind::kOrder;
      made.outermost = {DimId(1)};
      made.innermost = {DimId(0)};
    } else {
      made.kind = random_.one_in(3) ? Kind::kBypass : Kind::kKeep;
      made.tensors = TensorSet{1} << pick(0, std::ssize(problem.workload().tensors()) - 1);
    }
    return made;
  }

  Random random_;
};

// The factors and keeps of a nest, by place and memory.
struct Choices {
  Factors factors;
  std::vector<TensorSet> keeps;
  std::vector<std::vector<DimId>> orders;  // by place
};

Choices read_choices(const Problem& problem, const Rules& rules, const Mapping& mapping) {
  Choices choices;
  choices.factors.assign(rules.places.size(),
                         std::vector<std::int64_t>(problem.workload().dims().size(), 1));
  choices.keeps.assign(rules.keeps.size(), 0);
  choices.orders.resize(rules.places.size());
  const auto place_of = [&](NodeId node, int axis) {
    std::size_t p = 0;
    while (rules.places[p].node != node || rules.places[p].axis != axis) ++p;
    return p;
  };
  std::size_t block = 0;
  for (const NestNode& node : mapping.nodes()) {
    if (node.kind == NestNode::Kind::kKeep) {
      block = place_of(node.node, -1);
      std::size_t k = 0;
      while (rules.keeps[k].memory != node.node) ++k;
      choices.keeps[k] = node.tensors;
      continue;
    }
    const bool spatial = node.kind == NestNode::Kind::kSpatial;
    const std::size_t p = spatial ? place_of(node.node, node.axis) : block;
    choices.factors[p][node.dim.pos()] *= node.factor;
    choices.orders[p].push_back(node.dim);
  }
  return choices;
}

std::string find_broken_order(const Place& place, const std::vector<DimId>& order) {
  std::vector<DimId> wanted;
  const auto add = [&](const std::vector<DimId>& dims) {
    for (const DimId dim : dims) {
      if (std::ranges::find(order, dim) != order.end()) wanted.push_back(dim);
    }
  };
  add(place.outermost);
  const std::size_t first = wanted.size();
  if (first > order.size() || !std::equal(wanted.begin(), wanted.end(), order.begin())) {
    return "order";
  }
  wanted.clear();
  add(place.innermost);
  return std::equal(wanted.rbegin(), wanted.rend(), order.rbegin()) ? "" : "order";
}

bool children_suffice(const Rules& rules, const Factors& factors) {
  for (const FanoutRule& fanout : rules.fanouts) {
    std::int64_t children = 1;
    for (std::size_t p = 0; p < rules.places.size(); ++p) {
      if (rules.places[p].node != fanout.fanout) continue;
      std::int64_t used = 1;
      for (const std::int64_t factor : factors[p]) used *= factor;
      if (used > fanout.axis_sizes[pos(rules.places[p].axis)]) return false;
      children *= used;
    }
    if (children < fanout.least_children) return false;
  }
  return true;
}

// Every way to split a dim over the places that its factor rules allow.
void list_chains(const Rules& rules, std::size_t dim, std::int64_t left, std::size_t places,
                 std::vector<std::int64_t>& chain, std::vector<std::vector<std::int64_t>>& all) {
  if (places == 0) {
    if (left == 1) all.push_back(chain);
    return;
  }
  const FactorRule& rule = rules.places[places - 1].rules[dim];
  for (std::int64_t factor = 1; factor <= left; ++factor) {
    if (factor < rule.least || factor > rule.most) continue;
    if (!rule.remainder && left % factor != 0) continue;
    chain[places - 1] = factor;
    list_chains(rules, dim, ceil_div(left, factor), places - 1, chain, all);
  }
}

// Calls `visit` with every choice of one item of each list, until it returns true.
bool any_choice(const std::vector<std::size_t>& sizes,
                const std::function<bool(const std::vector<std::size_t>&)>& visit) {
  if (std::ranges::find(sizes, 0U) != sizes.end()) return false;
  std::vector<std::size_t> at(sizes.size(), 0);
  while (true) {
    if (visit(at)) return true;
    std::size_t i = 0;
    while (i < at.size() && ++at[i] == sizes[i]) at[i++] = 0;
    if (i == at.size()) return false;
  }
}

// The nest with its loops in the order of dims; nothing if a block without a keep node has loops.
std::optional<Mapping> make_nest(const Rules& rules, const Factors& factors,
                                 const std::vector<TensorSet>& keeps) {
  std::vector<NestNode> nest;
  std::size_t memory = 0;
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    const Place& place = rules.places[p];
    const bool loops = std::ranges::any_of(factors[p], [](std::int64_t f) { return f > 1; });
    if (place.is_block()) {
      const TensorSet kept = keeps[memory++];
      if (kept == 0 && loops) return std::nullopt;
      nest.push_back(keep(place.node, kept));
    }
    for (std::size_t d = 0; d < factors[p].size(); ++d) {
      nest.push_back(place.is_block() ? temporal(DimId(d), factors[p][d])
                                      : spatial(place.node, place.axis, DimId(d), factors[p][d]));
    }
  }
  return Mapping(std::move(nest));
}

}  // namespace

SmallCase make_small_case(std::uint64_t seed, std::uint64_t index) {
  return Maker(Random(seed * 1'000'003 + index).next()).make();
}

std::string find_broken_rule(const Problem& problem, const Rules& rules, const Mapping& mapping) {
  const Choices choices = read_choices(problem, rules, mapping);
  for (std::size_t k = 0; k < rules.keeps.size(); ++k) {
    const KeepRule& rule = rules.keeps[k];
    if ((rule.required & ~choices.keeps[k]) != 0) return "a required tensor is not kept";
    if ((choices.keeps[k] & ~rule.allowed) != 0) return "a tensor is kept that may not be";
  }
  for (std::size_t d = 0; d < problem.workload().dims().size(); ++d) {
    std::int64_t left = problem.workload().dims()[d].size;
    for (std::size_t p = rules.places.size(); p-- > 0;) {
      const FactorRule& rule = rules.places[p].rules[d];
      const std::int64_t factor = choices.factors[p][d];
      if (factor < rule.least || factor > rule.most) return "a factor is out of its range";
      if (!rule.remainder && left % factor != 0) return "a factor leaves a remainder";
      left = ceil_div(left, factor);
    }
  }
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    if (!rules.places[p].is_block()) continue;
    const std::string broken = find_broken_order(rules.places[p], choices.orders[p]);
    if (!broken.empty()) return broken;
  }
  return children_suffice(rules, choices.factors) ? "" : "children";
}

std::optional<bool> try_all(const Problem& problem, const Rules& rules, double most) {
  const std::size_t dims = problem.workload().dims().size();
  std::vector<std::vector<std::vector<std::int64_t>>> chains(dims);
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> subsets;
  double count = 1;
  for (std::size_t d = 0; d < dims; ++d) {
    std::vector<std::int64_t> chain(rules.places.size(), 1);
    list_chains(rules, d, problem.workload().dims()[d].size, rules.places.size(), chain, chains[d]);
    sizes.push_back(chains[d].size());
    count *= static_cast<double>(sizes.back());
  }
  for (std::size_t k = 0; k < rules.keeps.size(); ++k) {
    subsets.push_back(std::size_t{1} << problem.workload().tensors().size());
    count *= static_cast<double>(
        std::size_t{1} << std::popcount(rules.keeps[k].allowed & ~rules.keeps[k].required));
  }
  if (count > most) return std::nullopt;
  const auto fits = [&](const Factors& factors, const std::vector<std::size_t>& keeps) {
    std::vector<TensorSet> kept(keeps.begin(), keeps.end());
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if ((rules.keeps[k].required & ~kept[k]) != 0) return false;
      if ((kept[k] & ~rules.keeps[k].allowed) != 0) return false;
    }
    const std::optional<Mapping> mapping = make_nest(rules, factors, kept);
    return mapping && find_violations(problem, *mapping).empty();
  };
  return any_choice(sizes, [&](const std::vector<std::size_t>& at) {
    Factors factors(rules.places.size(), std::vector<std::int64_t>(dims));
    for (std::size_t p = 0; p < rules.places.size(); ++p) {
      for (std::size_t d = 0; d < dims; ++d) factors[p][d] = chains[d][at[d]][p];
    }
    if (!children_suffice(rules, factors)) return false;
    return any_choice(subsets, [&](const auto& keeps) { return fits(factors, keeps); });
  });
}

}  // namespace tilewright::testing
