// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapper/space.h"

#include <algorithm>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/mapspace/choices/keeps.h"
#include "tilewright/mapspace/choices/orders.h"
#include "tilewright/mapspace/counting/tilings.h"
#include "tilewright/mapspace/mapspace.h"
#include "tilewright/mapspace/padding.h"

namespace tilewright {
namespace {

constexpr const char* kPad = "pad";
constexpr std::string_view kEven = "even";
constexpr std::string_view kUneven = "uneven";

std::string_view words_of(EvenBecause why) {
  switch (why) {
    case EvenBecause::kFewTensors:
      return "it may keep only one tensor";
    case EvenBecause::kUnlimited:
      return "its capacity is unlimited, so keeping a tensor further in saves nothing";
    case EvenBecause::kHome:
      return "it is the outermost memory that may keep some tensor";
    case EvenBecause::kConstrained:
      return "a constraint says how the loops in its block, or in a block outside it, stand";
    case EvenBecause::kNone:
      break;
  }
  return "";
}

void refuse_many(const Problem& problem, std::span<const Constraint> constraints,
                 ReadPlacement& read) {
  if (count_arrangements(problem, constraints, read.placement) <= kMostArrangements) return;
  read.faults.push_back("the memories can keep their tensors in more than " +
                        std::to_string(kMostArrangements) +
                        " orders, which are searched one by one: name fewer memories");
}

// The outermost block that may have loops: what is not spread over the array runs there.
std::uint64_t outermost_block(const Rules& rules) {
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    const auto splits = [](const FactorRule& rule) { return rule.most > 1; };
    const Place& place = rules.places[p];
    if (place.is_block() && std::ranges::any_of(place.rules, splits)) return std::uint64_t{1} << p;
  }
  return 0;
}

DimSet splittable(const Workload& workload, const Place& place) {
  DimSet dims = 0;
  for (std::size_t d = 0; d < workload.dims().size(); ++d) {
    const bool may = place.rules[d].most > 1 && workload.dims()[d].size > 1;
    dims |= (may ? DimSet{1} : DimSet{0}) << d;
  }
  return dims;
}

}  // namespace

std::vector<std::string> space_names() {
  std::vector<std::string> names;
  for (const SpaceKind kind :
       {SpaceKind::kPfm, SpaceKind::kRubyS, SpaceKind::kRubyT, SpaceKind::kRuby}) {
    names.emplace_back(space_name(kind));
  }
  names.emplace_back(kPad);
  return names;
}

bool is_space(std::string_view name) { return name == kPad || space_by_name(name).has_value(); }

SpaceKind kind_of_space(std::string_view name) {
  TW_CHECK(is_space(name), "the name is one of space_names()");
  return name == kPad ? SpaceKind::kPfm : *space_by_name(name);
}

Space make_space(const Problem& problem, const std::string& name) {
  const SpaceKind kind = kind_of_space(name);
  if (name == kPad) return {name, kind, padded_problems(problem)};
  return {name, kind, {problem}};
}

NamedPlacement read_placement(std::string_view text, const Arch& arch) {
  NamedPlacement read;
  if (text == kEven) return read;
  if (text == kUneven) {
    read.all = true;
    const auto memories = arch.memories();
    read.memories.uneven.assign(memories.begin(), memories.end());
    return read;
  }
  const std::string_view start = "uneven@";
  if (!text.starts_with(start) || text == start) {
    read.faults.push_back("`" + std::string(text) +
                          "` is no placement: write `even`, `uneven` or `uneven@MEMORY`");
    return read;
  }
  text.remove_prefix(start.size());
  while (!text.empty()) {
    const std::string name(text.substr(0, text.find(',')));
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    const std::optional<NodeId> node = arch.find(name);
    if (!node || !arch.is_memory(*node)) {
      read.faults.push_back("`" + name + "` is no memory of this architecture");
    } else {
      read.memories.uneven.push_back(*node);
    }
  }
  std::ranges::sort(read.memories.uneven);
  const auto twice = std::ranges::unique(read.memories.uneven);
  read.memories.uneven.erase(twice.begin(), twice.end());
  return read;
}

ReadPlacement read_placement(std::string_view text, const Problem& problem,
                             std::span<const Constraint> constraints) {
  NamedPlacement named = read_placement(text, problem.arch());
  ReadPlacement read{{}, std::move(named.faults)};
  for (const NodeId memory : named.memories.uneven) {
    const EvenBecause why = why_even(problem, constraints, memory);
    if (why == EvenBecause::kNone) read.placement.uneven.push_back(memory);
    if (named.all || why == EvenBecause::kNone) continue;
    read.faults.push_back("`" + problem.arch().memory(memory).name +
                          "` cannot be uneven: " + std::string(words_of(why)));
  }
  refuse_many(problem, constraints, read);
  return read;
}

Space make_space(const Problem& problem, const std::string& name,
                 std::span<const Constraint> constraints, const Placement& placement) {
  Space space = make_space(problem, name);
  space.placement = placement;
  space.arrangements = list_arrangements(problem, constraints, placement);
  space.distinct = list_distinct_arrangements(problem, constraints, placement);
  return space;
}

bool leaves_out_uneven(const Space& space, std::span<const Constraint> constraints) {
  return most_uneven(space.given(), constraints) != space.placement;
}

SpaceSize measure(const Space& space, std::span<const Constraint> constraints) {
  SpaceSize size;
  size.space = space.name;
  size.sizes = static_cast<std::int64_t>(space.problems.size());
  for (const Problem& problem : space.problems) {
    const Rules rules = make_rules(problem, space.kind, constraints);
    const Workload& workload = problem.workload();
    size.tilings += Tilings(workload, rules).size();
    size.assignments += Tilings(workload, rules, outermost_block(rules)).size();
    size.keeps = KeepChoices(rules).size();
    size.mappings += mapspace_size(problem, rules);
  }
  return size;
}

bool is_countable(const Space& space) {
  constexpr std::size_t kFew = 64;
  return space.problems.size() <= kFew;
}

Natural count_mappings(const Space& space, std::span<const Constraint> constraints,
                       const std::atomic<bool>* stop) {
  Natural size;
  for (const Problem& problem : space.problems) {
    for (const Arrangement& arrangement : space.distinct) {
      size +=
          mapspace_size(problem, make_rules(problem, space.kind, constraints, arrangement), stop);
    }
    if (!is_countable(space)) break;
  }
  return size;
}

std::vector<BlockOrderSize> measure_orders(const Problem& problem, const Rules& rules) {
  Keeps keeps;
  for (const KeepRule& rule : rules.keeps) keeps.push_back(rule.allowed);
  std::vector<DimSet> active;
  for (const Place& place : rules.places) active.push_back(splittable(problem.workload(), place));
  const OrderClasses classes(problem, rules);
  std::vector<BlockOrderSize> result;
  std::size_t memory = 0;
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    const Place& place = rules.places[p];
    if (!place.is_block() || keeps[memory++] == 0) continue;
    result.push_back({problem.arch().memory(place.node).name, BlockOrders(place, active[p]).size(),
                      classes.representatives(static_cast<int>(p), active, keeps).size()});
  }
  return result;
}

std::vector<ConstraintEffect> find_effects(const Problem& problem, SpaceKind kind,
                                           std::span<const Constraint> constraints,
                                           const std::atomic<bool>* stop) {
  const auto size = [&](std::span<const Constraint> some) {
    return mapspace_size(problem, make_rules(problem, kind, some), stop);
  };
  std::vector<ConstraintEffect> effects;
  if (constraints.empty()) return effects;
  const Natural with = size(constraints);
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    std::vector<Constraint> others(constraints.begin(), constraints.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(c));
    effects.push_back({with, size(others)});
  }
  return effects;
}

}  // namespace tilewright
