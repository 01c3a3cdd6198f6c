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

using Order = std::vector<TensorSet>;

// Every order of `left` behind `begun` that has two points or more: of single tensors, or of sets.
void add_orders(const Order& begun, TensorSet left, bool of_sets, std::vector<Order>& orders) {
  if (left == 0) {
    if (begun.size() > 1) orders.push_back(begun);
    return;
  }
  for (TensorSet next = left; next != 0; next = (next - 1) & left) {  // all subsets
    if (!of_sets && !std::has_single_bit(next)) continue;
    Order longer = begun;
    longer.push_back(next);
    add_orders(longer, left & ~next, of_sets, orders);
  }
}

std::vector<Arrangement> list_by(const Problem& problem, std::span<const Constraint> constraints,
                                 const Placement& placement, bool distinct) {
  std::vector<Arrangement> result{{{}, distinct}};
  for (const NodeId memory : placement.uneven) {
    TW_CHECK(why_even(problem, constraints, memory) == EvenBecause::kNone,
             "the memory can be uneven");
    const Kept kept = find_kept(problem, constraints, memory);
    if ((kept.required & ~kept.allowed) != 0) continue;
    std::vector<Order> orders;
    const TensorSet free = kept.allowed & ~kept.required;
    for (TensorSet some = free;; some = (some - 1) & free) {  // all subsets
      add_orders({}, kept.required | some, distinct, orders);
      if (some == 0) break;
    }
    const std::size_t before = result.size();
    for (const Order& order : orders) {
      for (std::size_t i = 0; i < before; ++i) {
        Arrangement next = result[i];
        next.memories.push_back({memory, order});
        result.push_back(std::move(next));
      }
    }
  }
  return result;
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
  const auto memories = problem.arch().memories();
  return as_uneven_as_can_be(problem, constraints, {{memories.begin(), memories.end()}});
}

Placement as_uneven_as_can_be(const Problem& problem, std::span<const Constraint> constraints,
                              const Placement& wished) {
  Placement placement = wished;
  std::erase_if(placement.uneven, [&](NodeId memory) {
    return why_even(problem, constraints, memory) != EvenBecause::kNone;
  });
  return placement;
}

std::uint64_t count_arrangements(const Problem& problem, std::span<const Constraint> constraints,
                                 const Placement& placement) {
  std::uint64_t count = 1;
  for (const NodeId memory : placement.uneven) {
    const Kept kept = find_kept(problem, constraints, memory);
    if ((kept.required & ~kept.allowed) != 0) continue;
    const int required = std::popcount(kept.required);
    const int free = std::popcount(kept.allowed & ~kept.required);
    std::uint64_t orders = 1;  // the even one
    std::uint64_t subsets = 1;
    for (int some = 0; some <= free; ++some) {
      std::uint64_t factorial = 1;
      for (int i = 2; i <= required + some; ++i) {
        factorial = std::min(kMostArrangements + 1, factorial * static_cast<std::uint64_t>(i));
      }
      if (required + some > 1) orders += subsets * factorial;
      subsets =
          subsets * static_cast<std::uint64_t>(free - some) / static_cast<std::uint64_t>(some + 1);
    }
    count = std::min(kMostArrangements + 1, count) * std::min(kMostArrangements + 1, orders);
  }
  return count;
}

std::vector<Arrangement> list_arrangements(const Problem& problem,
                                           std::span<const Constraint> constraints,
                                           const Placement& placement) {
  return list_by(problem, constraints, placement, false);
}

std::vector<Arrangement> list_distinct_arrangements(const Problem& problem,
                                                    std::span<const Constraint> constraints,
                                                    const Placement& placement) {
  return list_by(problem, constraints, placement, true);
}

}  // namespace tilewright
