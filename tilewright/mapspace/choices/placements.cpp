// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/choices/placements.h"

#include <algorithm>
#include <utility>

#include "tilewright/base/error.h"

namespace tilewright {
namespace {

// One memory's tile of one tensor, and how many loops stand outside it.
struct Kept {
  NodeId memory;
  TensorId tensor;
  int gap = 0;
};

struct Parts {
  std::vector<NestNode> loops;
  std::vector<Kept> kept;  // outermost first
};

Parts take_apart(const Mapping& mapping) {
  Parts parts;
  for (const NestNode& node : mapping.nodes()) {
    if (node.is_loop()) {
      parts.loops.push_back(node);
      continue;
    }
    for (TensorId t(0); t.value < 32; ++t.value) {
      if ((node.tensors & only(t)) == 0) continue;
      parts.kept.push_back({node.node, t, static_cast<int>(parts.loops.size())});
    }
  }
  return parts;
}

// The loops in time that a keep node of a memory may stand between: those inside the loops of the
// fan-outs outside the memory and outside the loops of those inside it. A fan-out without loops is
// no border.
struct Segment {
  int first_gap = 0;
  int loops = 0;
};

Segment segment_of(NodeId memory, const std::vector<NestNode>& loops) {
  int first = 0;
  int end = static_cast<int>(loops.size());
  for (int i = 0; i < static_cast<int>(loops.size()); ++i) {
    const NestNode& loop = loops[static_cast<std::size_t>(i)];
    if (loop.kind != NestNode::Kind::kSpatial) continue;
    if (loop.node < memory) first = i + 1;
    if (loop.node > memory) end = std::min(end, i);
  }
  return {first, end - first};
}

// Ways in which `memories` stand in this order in `loops` + 1 gaps, several in one gap or not.
Natural count_ways(int loops, int memories) { return binomial(loops + memories, memories); }

}  // namespace

Placements::Placements(const Problem& problem, const Mapping& mapping) {
  Parts parts = take_apart(mapping);
  loops_ = std::move(parts.loops);
  const auto tensors = problem.workload().tensors().size();
  for (TensorId t(0); t.pos() < tensors; ++t.value) {
    bool home = true;
    for (const Kept& kept : parts.kept) {
      if (kept.tensor != t) continue;
      if (std::exchange(home, false)) {
        homes_.push_back(keep(kept.memory, only(t)));
        continue;
      }
      const Segment segment = segment_of(kept.memory, loops_);
      const bool joins = !chains_.empty() && chains_.back().tensor == t &&
                         chains_.back().first_gap == segment.first_gap;
      if (!joins) chains_.push_back({t, {}, segment.first_gap, segment.loops});
      chains_.back().memories.push_back(kept.memory);
    }
    TW_CHECK(!home, "every tensor is kept somewhere");
  }
}

Natural Placements::size() const {
  Natural size = 1;
  for (const Chain& chain : chains_) {
    size *= count_ways(chain.loops, static_cast<int>(chain.memories.size()));
  }
  return size;
}

// The first chain has the most weight; within a chain, the first memory.
Mapping Placements::unrank(Natural rank) const {
  TW_CHECK(rank < size(), "a placement has a number below the size");
  std::vector<std::vector<NestNode>> keeps(loops_.size() + 1);
  keeps.front() = homes_;
  for (std::size_t i = chains_.size(); i-- > 0;) {
    const Chain& chain = chains_[i];
    int left = static_cast<int>(chain.memories.size());
    const Natural::Division digit = rank.divide(count_ways(chain.loops, left));
    rank = digit.quotient;
    Natural number = digit.remainder;
    int loops = chain.loops;  // not yet outside
    for (const NodeId memory : chain.memories) {
      --left;
      for (Natural ways = count_ways(loops, left); number >= ways; ways = count_ways(loops, left)) {
        number -= ways;
        --loops;
      }
      const int gap = chain.first_gap + chain.loops - loops;
      keeps[static_cast<std::size_t>(gap)].push_back(keep(memory, only(chain.tensor)));
    }
  }
  std::vector<NestNode> nest;
  for (std::size_t gap = 0; gap < keeps.size(); ++gap) {
    nest.insert(nest.end(), keeps[gap].begin(), keeps[gap].end());
    if (gap < loops_.size()) nest.push_back(loops_[gap]);
  }
  return Mapping(std::move(nest));
}

std::optional<Natural> Placements::rank(const Mapping& mapping) const {
  const Parts parts = take_apart(mapping);
  if (parts.loops != loops_) return std::nullopt;
  Natural rank;
  for (const Chain& chain : chains_) {
    int left = static_cast<int>(chain.memories.size());
    rank *= count_ways(chain.loops, left);
    int loops = chain.loops;
    for (const NodeId memory : chain.memories) {
      const auto kept = std::ranges::find_if(parts.kept, [&](const Kept& k) {
        return k.memory == memory && k.tensor == chain.tensor;
      });
      if (kept == parts.kept.end()) return std::nullopt;
      const int inside = chain.first_gap + chain.loops - kept->gap;
      if (inside < 0 || inside > loops) return std::nullopt;
      --left;
      for (; loops > inside; --loops) rank += count_ways(loops, left);
    }
  }
  // What it keeps beyond the chains shows here.
  if (unrank(rank) != mapping) return std::nullopt;
  return rank;
}

}  // namespace tilewright
