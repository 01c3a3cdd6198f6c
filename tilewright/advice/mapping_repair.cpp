// SPDX-License-Identifier: Apache-2.0
#include "tilewright/advice/mapping_repair.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/mapping/sums.h"

namespace tilewright {
namespace {

using Kind = Violation::Kind;
using NodeKind = NestNode::Kind;

bool same_fault(const Violation& a, const Violation& b) {
  return a.kind == b.kind && a.node == b.node && a.other == b.other && a.tensor == b.tensor &&
         a.dim == b.dim && a.axis == b.axis;
}

std::int64_t saturating_mul(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::numeric_limits<std::int64_t>::max();
  return result;
}

/// A mapping in the making: nodes that remember where they stood.
class Draft {
 public:
  Draft(const Problem& problem, const Mapping& mapping) : problem_(&problem) {
    for (const NestNode& node : mapping.nodes()) {
      entries_.push_back({node, static_cast<int>(entries_.size())});
    }
  }

  NestNode& node(int position) { return entries_[index(position)].node; }

  /// Lets a loop in time outside node `boundary` do what is left of `dim`: the outermost one, or a
  /// new one just outside. Fills the rest_ members of `step`.
  void take_rest(DimId dim, int boundary, Step& step) {
    const std::size_t end = index(boundary);
    std::size_t taker = 0;
    while (taker < end &&
           !(entries_[taker].node.kind == NodeKind::kTemporal && entries_[taker].node.dim == dim)) {
      ++taker;
    }
    std::int64_t others = 1;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const NestNode& other = entries_[i].node;
      if (i == taker && taker < end) continue;
      if (other.is_loop() && other.dim == dim) others = saturating_mul(others, other.factor);
    }
    const std::int64_t size = problem_->workload().dim(dim).size;
    const std::int64_t rest = ceil_div(size, others);
    if (taker < end) {
      entries_[taker].node.factor = rest;
    } else if (rest > 1) {
      entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(end),
                      {temporal(dim, rest), -1});
    }
    step.rest = rest;
    step.rest_position = taker < end ? entries_[taker].original : -1;
    step.rest_at = memory_outside(taker);
    step.divides = saturating_mul(others, rest) == size;
  }

  /// Multiplies the loop in time over `dim` that lies just outside node `boundary` (no keep node or
  /// loop in space between) by `factor`, or puts a new one there.
  void multiply_outside(DimId dim, int boundary, std::int64_t factor, Step& step) {
    const std::size_t end = index(boundary);
    std::size_t taker = end;
    while (taker > 0 && entries_[taker - 1].node.kind == NodeKind::kTemporal) {
      --taker;
      if (entries_[taker].node.dim == dim) break;
    }
    const bool found = taker < end && entries_[taker].node.dim == dim;
    if (found) {
      NestNode& loop = entries_[taker].node;
      loop.factor = saturating_mul(loop.factor, factor);
      step.rest_position = entries_[taker].original;
      step.rest = loop.factor;
    } else {
      taker = end;
      entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(end),
                      {temporal(dim, factor), -1});
      step.rest = factor;
    }
    step.rest_at = memory_outside(taker);
  }

  Mapping mapping() const {
    std::vector<NestNode> nodes;
    for (const Entry& entry : entries_) nodes.push_back(entry.node);
    return Mapping(std::move(nodes));
  }

 private:
  struct Entry {
    NestNode node;
    int original = -1;
  };

  std::size_t index(int position) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.original == position; });
    TW_CHECK(found != entries_.end(), "the node was in the mapping");
    return static_cast<std::size_t>(found - entries_.begin());
  }

  NodeId memory_outside(std::size_t end) const {
    NodeId memory;
    for (std::size_t i = 0; i < std::min(end, entries_.size()); ++i) {
      if (entries_[i].node.kind == NodeKind::kKeep) memory = entries_[i].node.node;
    }
    return memory;
  }

  const Problem* problem_;
  std::vector<Entry> entries_;
};

/// The largest divisor of `number` that is at most `limit`; looks at divisors up to a million and
/// their partners.
std::int64_t largest_divisor(std::int64_t number, std::int64_t limit) {
  std::int64_t best = 1;
  for (std::int64_t d = 1; d <= 1'000'000 && d <= number / d; ++d) {
    if (number % d != 0) continue;
    for (const std::int64_t divisor : {d, number / d}) {
      if (divisor <= limit) best = std::max(best, divisor);
    }
  }
  return best;
}

const NestNode& node_at(const Mapping& mapping, int position) {
  return mapping.nodes()[static_cast<std::size_t>(position)];
}

}  // namespace

TensorSet counted_tensors(const Problem& problem, const Mapping& mapping,
                          const Violation& violation, int position) {
  const NestNode& node = node_at(mapping, position);
  if (node.kind != NodeKind::kKeep || node.node != violation.node) return 0;
  if (violation.kind == Kind::kPartition) return node.tensors & only(violation.tensor);
  TensorSet tensors = 0;
  const ResolvedMemory& memory = problem.memory(violation.node);
  for (std::size_t t = 0; t < memory.partition_bits.size(); ++t) {
    if (!memory.partition_bits[t]) tensors |= node.tensors & only(TensorId(t));
  }
  return tensors;
}

std::vector<int> keeps_of(const Problem& problem, const Mapping& mapping,
                          const Violation& violation) {
  std::vector<int> positions;
  for (int i = 0; i < static_cast<int>(mapping.nodes().size()); ++i) {
    if (counted_tensors(problem, mapping, violation, i) != 0) positions.push_back(i);
  }
  return positions;
}

std::vector<int> loops_inside(const Problem& problem, const Mapping& mapping,
                              const Violation& violation) {
  std::vector<int> loops;
  const std::vector<int> keeps = keeps_of(problem, mapping, violation);
  if (keeps.empty()) return loops;
  for (const NodeKind kind : {NodeKind::kTemporal, NodeKind::kSpatial}) {
    for (int i = keeps.front() + 1; i < static_cast<int>(mapping.nodes().size()); ++i) {
      if (node_at(mapping, i).kind == kind) loops.push_back(i);
    }
  }
  return loops;
}

std::int64_t bits_needed(const Problem& problem, const Mapping& mapping,
                         const Violation& violation) {
  const ResolvedMemory& memory = problem.memory(violation.node);
  std::int64_t bits = 0;
  for (const int position : keeps_of(problem, mapping, violation)) {
    const TensorSet tensors = counted_tensors(problem, mapping, violation, position);
    for (std::size_t t = 0; t < memory.bits.size(); ++t) {
      if ((tensors & only(TensorId(t))) == 0) continue;
      const std::int64_t elements = tile_elements(problem, mapping, TensorId(t), position);
      bits = checked_add(bits, checked_mul(elements, element_bits(problem, mapping.nodes(),
                                                                  TensorId(t), position)));
    }
  }
  return bits;
}

bool Repairer::cures(const Mapping& changed, const Violation& violation) const {
  const std::vector<Violation> after = find_violations(problem_, changed);
  return std::all_of(after.begin(), after.end(), [&](const Violation& left) {
    if (is_structural(violation.kind) && !is_structural(left.kind)) return true;
    if (same_fault(left, violation)) return false;
    return std::any_of(violations_.begin(), violations_.end(),
                       [&](const Violation& old) { return same_fault(old, left); });
  });
}

Repair Repairer::with_factor(int position, std::int64_t factor, int boundary) const {
  Draft draft(problem_, mapping_);
  Step step{.position = position, .factor = factor};
  draft.node(position).factor = factor;
  draft.take_rest(draft.node(position).dim, boundary, step);
  return Repair{{step}, draft.mapping()};
}

std::optional<Shortening> Repairer::shorten(const Violation& violation, int position) const {
  const std::vector<int> keeps = keeps_of(problem_, mapping_, violation);
  const NestNode& loop = node_at(mapping_, position);
  if (keeps.empty() || position < keeps.front() || !loop.is_loop()) return std::nullopt;
  const int boundary = keeps.front();
  const auto fits = [&](std::int64_t factor) {
    const Repair repair = with_factor(position, factor, boundary);
    return bits_needed(problem_, repair.mapping, violation) <= violation.limit;
  };
  std::int64_t low = 0;  // the largest known to fit; tiles only grow with the factor
  std::int64_t high = loop.factor;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  if (low == 0) return std::nullopt;
  Shortening result{with_factor(position, low, boundary), std::nullopt, std::nullopt};
  if (!cures(result.largest.mapping, violation)) return std::nullopt;
  if (high < loop.factor) result.misses = with_factor(position, high, boundary);

  // What this loop and the one that takes the rest have to make up together.
  const Step& step = result.largest.steps.front();
  std::int64_t others = 1;
  for (int i = 0; i < static_cast<int>(mapping_.nodes().size()); ++i) {
    const NestNode& other = node_at(mapping_, i);
    const bool free = i == position || i == step.rest_position;
    if (!free && other.is_loop() && other.dim == loop.dim) {
      others = saturating_mul(others, other.factor);
    }
  }
  const std::int64_t size = problem_.workload().dim(loop.dim).size;
  if (size % others == 0) {
    Repair exact = with_factor(position, largest_divisor(size / others, low), boundary);
    if (exact.steps.front().divides && cures(exact.mapping, violation)) {
      result.divides = std::move(exact);
    }
  }
  return result;
}

std::optional<Repair> Repairer::shorten_several(const Violation& violation) const {
  const std::vector<int> keeps = keeps_of(problem_, mapping_, violation);
  std::vector<int> loops = loops_inside(problem_, mapping_, violation);
  std::stable_sort(loops.begin(), loops.end(), [&](int a, int b) {
    const NestNode& one = node_at(mapping_, a);
    const NestNode& two = node_at(mapping_, b);
    return one.kind == two.kind ? one.factor > two.factor : one.kind < two.kind;
  });
  Draft draft(problem_, mapping_);
  Repair repair{{}, mapping_};
  std::int64_t needed = violation.value;
  for (const int position : loops) {
    // The smallest factor first: if even that is too large, it stays and the next loop follows.
    std::int64_t low = 1;
    std::int64_t high = node_at(mapping_, position).factor;
    const auto attempt = [&](std::int64_t factor, Step& step) {
      Draft changed = draft;
      changed.node(position).factor = factor;
      changed.take_rest(changed.node(position).dim, keeps.front(), step);
      repair.mapping = changed.mapping();
      needed = bits_needed(problem_, repair.mapping, violation);
      return changed;
    };
    const std::int64_t before = needed;
    Step step{.position = position, .factor = 1};
    Draft least = attempt(1, step);
    if (needed == before) continue;  // a dim that none of the tensors has
    if (needed <= violation.limit) {
      while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        attempt(middle, step);
        (needed <= violation.limit ? low : high) = middle;
      }
      step.factor = low;
      attempt(low, step);
      repair.steps.push_back(step);
      if (!cures(repair.mapping, violation)) return std::nullopt;
      return repair;
    }
    draft = std::move(least);
    repair.steps.push_back(step);
  }
  return std::nullopt;
}

std::optional<Repair> Repairer::spread(const Violation& violation, int position,
                                       bool exactly) const {
  std::int64_t others = 1;
  int boundary = position;
  for (int i = 0; i < static_cast<int>(mapping_.nodes().size()); ++i) {
    const NestNode& node = node_at(mapping_, i);
    if (node.kind != NodeKind::kSpatial || node.node != violation.node) continue;
    boundary = std::min(boundary, i);
    if (node.axis == violation.axis && i != position) others = saturating_mul(others, node.factor);
  }
  const NestNode& loop = node_at(mapping_, position);
  std::int64_t factor = violation.limit / others;
  if (factor < 1 || factor >= loop.factor) return std::nullopt;
  if (exactly && factor > 1) {
    factor = largest_divisor(loop.factor, factor);
    if (factor == 1) return std::nullopt;  // giving the axis up is no way to split the loop
  }
  Draft draft(problem_, mapping_);
  Step step{.position = position, .factor = factor, .divides = loop.factor % factor == 0};
  draft.node(position).factor = factor;
  draft.multiply_outside(loop.dim, boundary, ceil_div(loop.factor, factor), step);
  Repair repair{{step}, draft.mapping()};
  if (cures(repair.mapping, violation)) return repair;
  repair = with_factor(position, factor, boundary);  // the loops outside may be too long now
  if (!cures(repair.mapping, violation)) return std::nullopt;
  return repair;
}

std::optional<Repair> Repairer::set_factor(const Violation& violation, int position,
                                           std::int64_t factor) const {
  NestNode node = node_at(mapping_, position);
  node.factor = factor;
  auto changed = replace(violation, position, {node});
  if (!changed) return std::nullopt;
  return Repair{{Step{.position = position, .factor = factor}}, std::move(*changed)};
}

std::optional<Mapping> Repairer::replace(const Violation& violation, int position,
                                         std::vector<NestNode> replacement) const {
  std::vector<NestNode> nodes(mapping_.nodes().begin(), mapping_.nodes().end());
  const auto at = nodes.begin() + position;
  const auto after = at == nodes.end() ? at : nodes.erase(at);
  nodes.insert(after, replacement.begin(), replacement.end());
  Mapping changed(std::move(nodes));
  if (!cures(changed, violation)) return std::nullopt;
  return changed;
}

std::optional<Mapping> Repairer::move(const Violation& violation, int from, int behind) const {
  std::vector<NestNode> nodes(mapping_.nodes().begin(), mapping_.nodes().end());
  const NestNode node = nodes[static_cast<std::size_t>(from)];
  nodes.insert(nodes.begin() + behind + 1, node);
  nodes.erase(nodes.begin() + (from > behind ? from + 1 : from));
  Mapping changed(std::move(nodes));
  if (!cures(changed, violation)) return std::nullopt;
  return changed;
}

}  // namespace tilewright
