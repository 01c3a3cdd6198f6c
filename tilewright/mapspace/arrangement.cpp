// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/arrangement.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

// What the memory must and may keep.
struct Kept {
  TensorSet required = 0;
  TensorSet allowed = 0;
};

Kept find_kept(const Problem& problem, std::span<const Constraint> constraints, NodeId memory) {
  Kept kept{0, problem.memory(memory).may_keep};
  for (const Constraint& constraint : constraints) {
    if (constraint.node != memory) continue;
    if (constraint.kind == Constraint::Kind::kKeep) kept.required |= constraint.tensors;
    if (constraint.kind == Constraint::Kind::kBypass) kept.allowed &= ~constraint.tensors;
  }
  return kept;
}

bool is_home(const Problem& problem, NodeId memory) {
  TensorSet outside = 0;
  for (const NodeId other : problem.arch().memories()) {
    if (other < memory) outside |= problem.memory(other).may_keep;
  }
  return (problem.memory(memory).may_keep & ~outside) != 0;
}

bool is_about_loops(const Constraint& constraint) {
  using Kind = Constraint::Kind;
  const bool factor = constraint.kind == Kind::kEqual || constraint.kind == Kind::kAtMost ||
                      constraint.kind == Kind::kAtLeast;
  return (factor && constraint.axis < 0) || constraint.kind == Kind::kPerfect ||
         constraint.kind == Kind::kOrder;
}

// Every order of `left` behind `begun`, if there are two or more in all.
void add_orders(const std::vector<TensorSet>& begun, TensorSet left,
                std::vector<std::vector<TensorSet>>& orders) {
  if (left == 0) {
    if (begun.size() > 1) orders.push_back(begun);
    return;
  }
  for (TensorSet rest = left; rest != 0; rest &= rest - 1) {
    const TensorSet next = rest & -rest;
    std::vector<TensorSet> longer = begun;
    longer.push_back(next);
    add_orders(longer, left & ~next, orders);
  }
}

}  // namespace

std::span<const TensorSet> Arrangement::points_of(NodeId memory) const {
  const auto found = std::ranges::find(memories, memory, &Points::memory);
  return found == memories.end() ? std::span<const TensorSet>() : found->kept;
}

EvenBecause why_even(const Problem& problem, std::span<const Constraint> constraints,
                     NodeId memory) {
  const Kept kept = find_kept(problem, constraints, memory);
  if (std::popcount(kept.allowed) < 2) return EvenBecause::kFewTensors;
  const Memory& hardware = problem.arch().memory(memory);
  if (!hardware.capacity_bits && hardware.partitions.empty()) return EvenBecause::kUnlimited;
  if (is_home(problem, memory)) return EvenBecause::kHome;
  const bool constrained = std::ranges::any_of(constraints, [&](const Constraint& constraint) {
    return constraint.node <= memory && problem.arch().is_memory(constraint.node) &&
           is_about_loops(constraint);
  });
  return constrained ? EvenBecause::kConstrained : EvenBecause::kNone;
}

Placement most_uneven(const Problem& problem, std::span<const Constraint> constraints) {
  Placement placement;
  for (const NodeId memory : problem.arch().memories()) {
    if (why_even(problem, constraints, memory) == EvenBecause::kNone)
      placement.uneven.push_back(memory);
  }
  return placement;
}

std::vector<Arrangement> list_arrangements(const Problem& problem,
                                           std::span<const Constraint> constraints,
                                           const Placement& placement) {
  std::vector<Arrangement> result{{}};
  for (const NodeId memory : placement.uneven) {
    TW_CHECK(why_even(problem, constraints, memory) == EvenBecause::kNone,
             "the memory can be uneven");
    const Kept kept = find_kept(problem, constraints, memory);
    if ((kept.required & ~kept.allowed) != 0) continue;
    std::vector<std::vector<TensorSet>> orders;
    const TensorSet free = kept.allowed & ~kept.required;
    for (TensorSet some = free;; some = (some - 1) & free) {  // all subsets
      add_orders({}, kept.required | some, orders);
      if (some == 0) break;
    }
    const std::size_t before = result.size();
    for (const std::vector<TensorSet>& order : orders) {
      for (std::size_t i = 0; i < before; ++i) {
        Arrangement next = result[i];
        next.memories.push_back({memory, order});
        result.push_back(std::move(next));
      }
    }
  }
  return result;
}

}  // namespace tilewright
