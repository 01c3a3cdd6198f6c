// SPDX-License-Identifier: Apache-2.0
#include "tilewright/verify/tree/member.h"

#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/verify/tree/leaf.h"

namespace tilewright::verify {
namespace {

bool obeys_factors(const Problem& problem, const Rules& rules, const Tiling& tiling) {
  for (int d = 0; d < tiling.dims; ++d) {
    std::int64_t count = problem.workload().dim(DimId(d)).size;
    for (int p = static_cast<int>(rules.places.size()) - 1; p >= 0; --p) {
      const FactorRule& rule = rules.places[pos(p)].rules[pos(d)];
      const std::int64_t factor = tiling.at(p, d);
      if (factor < rule.least || factor > rule.most || factor > count) return false;
      if (!rule.remainder && count % factor != 0) return false;
      count = ceil_div(count, factor);
    }
    if (count != 1) return false;
  }
  return true;
}

bool obeys_order(const Place& block, std::vector<DimId> order) {
  DimSet left = 0;
  for (const DimId dim : order) left |= DimSet{1} << dim.value;
  for (; !order.empty(); order.pop_back()) {
    if (!has(innermost_dims(block, left), order.back().value)) return false;
    left &= ~(DimSet{1} << order.back().value);
  }
  return true;
}

bool obeys_fanouts(const Rules& rules, const Tiling& tiling) {
  for (const FanoutRule& rule : rules.fanouts) {
    std::int64_t children = 1;
    for (std::size_t p = 0; p < rules.places.size(); ++p) {
      if (rules.places[p].node != rule.fanout) continue;
      for (int d = 0; d < tiling.dims; ++d) {
        children = checked_mul(children, tiling.at(static_cast<int>(p), d));
      }
    }
    if (children < rule.least_children) return false;
  }
  return true;
}

bool is_member(const Problem& problem, const Rules& rules, const Mapping& mapping) {
  const auto choices = take_apart(problem, rules, mapping.nodes());
  if (!choices || !obeys_factors(problem, rules, choices->tiling) ||
      !obeys_fanouts(rules, choices->tiling)) {
    return false;
  }
  if (!obeys_keeps(rules, choices->keeps)) return false;
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    if (!obeys_order(rules.places[p], choices->orders[p])) return false;
  }
  std::vector<NestNode> nest;
  build_nest(rules, choices->keeps, choices->tiling, choices->orders, nest);
  return Mapping(nest) == mapping;
}

// The first point from `from` on at which the memory may keep the tensor; nothing if there is none.
std::optional<std::size_t> find_point(const Rules& rules, NodeId memory, int tensor,
                                      std::size_t from) {
  for (std::size_t m = from; m < rules.keeps.size(); ++m) {
    if (rules.keeps[m].memory == memory && has(rules.keeps[m].allowed, tensor)) return m;
  }
  return std::nullopt;
}

}  // namespace

bool obeys_keeps(const Rules& rules, const Keeps& keeps) {
  return std::ranges::equal(keeps, rules.keeps, [](TensorSet kept, const KeepRule& rule) {
    return (rule.required & ~kept) == 0 && (kept & ~rule.allowed) == 0;
  });
}

// Whether the nodes stand in this order is seen by building the nest again.
std::optional<Choices> take_apart(const Problem& problem, const Rules& rules,
                                  std::span<const NestNode> nest) {
  Choices choices;
  choices.keeps.assign(rules.keeps.size(), 0);
  choices.orders.resize(rules.places.size());
  choices.tiling.dims = static_cast<int>(problem.workload().dims().size());
  choices.tiling.factors.assign(rules.places.size() * pos(choices.tiling.dims), 1);
  std::vector<int> blocks;  // by point
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    if (rules.places[p].is_block()) blocks.push_back(static_cast<int>(p));
  }
  int block = -1;
  std::size_t last = 0;  // the innermost point so far
  for (const NestNode& node : nest) {
    if (node.kind == NestNode::Kind::kKeep) {
      const std::size_t from = last;
      for (int t = 0; t < Workload::kMaxTensors; ++t) {
        if (!has(node.tensors, t)) continue;
        const auto point = find_point(rules, node.node, t, from);
        if (!point) return std::nullopt;
        choices.keeps[*point] |= TensorSet{1} << t;
        last = std::max(last, *point);
      }
      block = blocks[last];
      continue;
    }
    int place = block;
    if (node.kind == NestNode::Kind::kSpatial) {
      const auto axis = std::ranges::find_if(rules.places, [&](const Place& candidate) {
        return candidate.node == node.node && candidate.axis == node.axis;
      });
      place = static_cast<int>(axis - rules.places.begin());
    } else if (place >= 0) {
      choices.orders[pos(place)].push_back(node.dim);
    }
    if (place < 0 || choices.tiling.at(place, node.dim.value) != 1) return std::nullopt;
    choices.tiling.at(place, node.dim.value) = node.factor;
  }
  return choices;
}

std::string find_fault(const Proof& proof) {
  if (!find_violations(proof.problem, proof.mapping).empty()) {
    return "its mapping is not legal";
  }
  const auto has_it = [&](const Rules& rules) {
    return is_member(proof.problem, rules, proof.mapping);
  };
  return std::ranges::any_of(proof.arrangements, has_it) ? "" : "its mapping is not in the space";
}

}  // namespace tilewright::verify
