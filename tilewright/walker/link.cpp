// SPDX-License-Identifier: Apache-2.0
#include "tilewright/walker/link.h"

#include <algorithm>
#include <iterator>

#include "tilewright/base/error.h"

namespace tilewright::walking {
namespace {

MemoryTally& tally_of(Tally& tally, NodeId node) {
  for (MemoryTally& memory : tally.memories) {
    if (memory.node == node) return memory;
  }
  TW_CHECK(false, "a keep node must name a memory");
  return tally.memories.front();
}

const Instances& child_instances(const Mapping& mapping, const LinkEnds& ends, Tally& tally) {
  if (!ends.child) return tally.units;
  return tally_of(tally, mapping.nodes()[static_cast<std::size_t>(*ends.child)].node).instances;
}

TensorTally& tensor_tally(const Mapping& mapping, int place, TensorId tensor, Tally& tally) {
  const NodeId node = mapping.nodes()[static_cast<std::size_t>(place)].node;
  return tally_of(tally, node).tensors[tensor.pos()];
}

// True if `dim` stands in a rank of `tensor` together with another one.
bool in_affine_rank(const Tensor& tensor, DimId dim) {
  for (const Rank& rank : tensor.ranks) {
    for (const Term& term : rank.terms) {
      if (term.dim == dim) return rank.terms.size() > 1;
    }
  }
  return false;
}

// Readies the counts of a keep node. Its instances are the memory's, whichever way one looks at it.
void mark_kept(const Nest& nest, int place, MemoryTally& memory, TensorId tensor) {
  std::vector<std::size_t> outside;
  for (std::size_t l = 0; l < nest.spatial.size(); ++l) {
    if (nest.spatial[l].place < place) outside.push_back(l);
  }
  TW_CHECK(outside == memory.instances.loops(), "a keep node on the wrong side of a fan-out");
  TensorTally& tally = memory.tensors[tensor.pos()];
  tally.kept = true;
  tally.moves.resize(memory.instances.count());
}

}  // namespace

std::vector<LinkEnds> find_links(const Problem& problem, const Mapping& mapping, const Nest& nest,
                                 Tally& tally) {
  std::vector<LinkEnds> links;
  for (std::size_t t = 0; t < problem.workload().tensors().size(); ++t) {
    const TensorId tensor(t);
    std::optional<int> parent;
    for (std::size_t i = 0; i < mapping.nodes().size(); ++i) {
      const NestNode& node = mapping.nodes()[i];
      if (node.is_loop() || (node.tensors & only(tensor)) == 0) continue;
      const int place = static_cast<int>(i);
      mark_kept(nest, place, tally_of(tally, node.node), tensor);
      tally_of(tally, node.node).tensors[t].home = !parent;
      if (parent) links.push_back({.tensor = tensor, .parent = *parent, .child = place});
      parent = place;
    }
    TW_CHECK(parent.has_value(), "every tensor must be kept");
    links.push_back({.tensor = tensor, .parent = *parent, .child = std::nullopt});
  }
  return links;
}

Link::Link(const Problem& problem, const Mapping& mapping, const Nest& nest, const LinkEnds& ends,
           const WalkOptions& options, ElementSpace& space, Tally& tally)
    : workload_(problem.workload()),
      nest_(nest),
      space_(space),
      ends_(ends),
      options_(options),
      drains_are_reads_(problem.conventions().drains_are_reads),
      output_(ends.tensor == workload_.output()),
      instances_(child_instances(mapping, ends, tally)),
      parent_tally_(tensor_tally(mapping, ends.parent, ends.tensor, tally)),
      children_(instances_.count()),
      positions_(nest.sizes.size()) {
  if (ends.child) {
    child_tally_ = &tensor_tally(mapping, *ends.child, ends.tensor, tally);
    const NodeId memory = mapping.nodes()[static_cast<std::size_t>(*ends.child)].node;
    sliding_ = (problem.memory(memory).sliding & only(ends.tensor)) != 0;
  }
  plan_events();
  const int innermost = static_cast<int>(mapping.nodes().size());
  for (std::size_t d = 0; d < nest.sizes.size(); ++d) {
    inside_.push_back(positions_inside(nest, ends.child.value_or(innermost), DimId(d)));
  }
  const NodeId parent = mapping.nodes()[static_cast<std::size_t>(ends.parent)].node;
  const Instances& parents = tally_of(tally, parent).instances;
  plan_sharing(problem.arch(), parents);
  if (!output_) return;
  find_summing_dims();
  const auto elements = static_cast<std::size_t>(space.size());
  touched_.assign(parents.count(), std::vector<bool>(elements, false));
  if (!child_tally_) return;
  for (Child& child : children_) child.held.assign(elements, false);
}

// Finds the loops in time whose indices decide when a child receives: those at or outside l*, or
// all of them for a compute unit, which keeps nothing.
void Link::plan_events() {
  for (std::size_t k = 0; k < nest_.temporal.size(); ++k) {
    const Loop& loop = nest_.temporal[k];
    if (!ends_.child) {
      deciding_ = k + 1;
    } else if (loop.place < *ends_.child && workload_.relevant(ends_.tensor, loop.dim)) {
      deciding_ = k + 1;
    }
  }
  slides_.assign(deciding_, false);
  if (!ends_.child || !sliding_ || deciding_ == 0) return;
  if (!in_affine_rank(workload_.tensor(ends_.tensor), nest_.temporal[deciding_ - 1].dim)) return;
  for (std::size_t k = 0; k < deciding_; ++k) slides_[k] = slides(k);
}

// Lets loop k advance while the deciding loops inside it go from their steady last iteration back
// to 0, and looks where that takes the tile.
bool Link::slides(std::size_t k) const {
  std::vector<std::int64_t> moved(nest_.sizes.size(), 0);
  moved[nest_.temporal[k].dim.pos()] += nest_.temporal[k].step;
  for (std::size_t j = k + 1; j < deciding_; ++j) {
    const Loop& loop = nest_.temporal[j];
    moved[loop.dim.pos()] -= (loop.factor - 1) * loop.step;
  }
  const Loop& innermost = nest_.temporal[deciding_ - 1];
  for (std::size_t d = 0; d < moved.size(); ++d) {
    if (!workload_.relevant(ends_.tensor, DimId(d))) continue;
    const std::int64_t wanted = DimId(d) == innermost.dim ? innermost.step : 0;
    if (moved[d] != wanted) return false;
  }
  return true;
}

// Finds which children may share a read: those of one parent instance that agree in the indices of
// all fan-outs between that serve every child by itself.
void Link::plan_sharing(const Arch& arch, const Instances& parents) {
  parent_of_ = instances_.classes(parents.loops());
  std::vector<std::size_t> apart = parents.loops();
  for (const std::size_t l : instances_.loops()) {
    const auto& outside = parents.loops();
    if (std::find(outside.begin(), outside.end(), l) != outside.end()) continue;
    const Fanout& fanout = arch.fanout(nest_.spatial[l].fanout);
    const Multicast reduction = fanout.reduction ? Multicast::kEqual : Multicast::kNone;
    const Multicast sharing = output_ ? reduction : fanout.multicast;
    if (sharing == Multicast::kNone) apart.push_back(l);
    if (sharing == Multicast::kEqual) only_equal_ = true;
  }
  group_of_ = instances_.classes(apart);
}

void Link::step(const Clock& clock) {
  receivers_.clear();
  for (std::size_t c = 0; c < children_.size(); ++c) {
    if (!due(children_[c], clock) || !instances_.active(c, clock.position())) continue;
    if (receive(c, clock)) receivers_.push_back(c);
  }
  if (!receivers_.empty()) serve(clock);
}

bool Link::due(const Child& child, const Clock& clock) const {
  return !child.started ||
         !std::equal(child.indices.begin(), child.indices.end(), clock.indices().begin());
}

// False if nothing is sent, because the tile is there already and tiles are compared.
bool Link::receive(std::size_t c, const Clock& clock) {
  Child& child = children_[c];
  bool holds_back = false;
  if (child.started) {
    const auto differ =
        std::mismatch(child.indices.begin(), child.indices.end(), clock.indices().begin());
    holds_back = slides_[static_cast<std::size_t>(differ.first - child.indices.begin())];
  }
  const bool compares = options_.compare_tiles && ends_.child && child.started;
  const Elements old = holds_back || compares ? child.tile : Elements();
  rebuild_tile(c, clock);
  const bool is_there = compares && old == child.tile;
  const Elements before = holds_back ? old : Elements();
  child.delta.clear();
  std::set_difference(child.tile.begin(), child.tile.end(), before.begin(), before.end(),
                      std::back_inserter(child.delta));
  child.started = true;
  child.indices.assign(clock.indices().begin(),
                       clock.indices().begin() + static_cast<std::ptrdiff_t>(deciding_));
  if (is_there) return false;
  if (child_tally_) count_received(c);
  return true;
}

// Where a child begins along a dim.
std::int64_t Link::origin(std::size_t c, const Clock& clock, std::size_t dim) const {
  std::int64_t result = instances_.offset(c)[dim];
  for (std::size_t k = 0; k < nest_.temporal.size(); ++k) {
    const Loop& loop = nest_.temporal[k];
    if (loop.dim != DimId(dim) || (ends_.child && loop.place > *ends_.child)) continue;
    result += clock.indices()[k] * loop.step;
  }
  return result;
}

// Dims that the output does not have, and those of a rank with fewer values than points (of more
// than two terms: always).
void Link::find_summing_dims() {
  std::vector<bool> adds(nest_.sizes.size(), true);
  for (const Rank& rank : workload_.tensor(ends_.tensor).ranks) {
    std::vector<std::int64_t> values{0};
    std::size_t terms = 0;
    for (const Term& term : rank.terms) {
      std::vector<std::int64_t> sums;
      for (const std::int64_t value : values) {
        for (std::int64_t i = 0; i < nest_.sizes[term.dim.pos()]; ++i) {
          sums.push_back(value + term.coefficient * i);
        }
      }
      values = std::move(sums);
      if (nest_.sizes[term.dim.pos()] > 1) ++terms;
    }
    const std::size_t points = values.size();
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (const Term& term : rank.terms) {
      adds[term.dim.pos()] = terms > 2 || values.size() < points;
    }
  }
  for (std::size_t d = 0; d < adds.size(); ++d) {
    if (adds[d] && nest_.sizes[d] > 1) summing_.push_back(d);
  }
  summed_.resize(summing_.size());
}

void Link::mark_summed(std::size_t c, const Clock& clock) {
  for (std::size_t i = 0; i < summing_.size(); ++i) {
    const std::size_t d = summing_[i];
    const std::int64_t first = origin(c, clock, d);
    for (const std::int64_t position : inside_[d]) {
      if (first + position >= nest_.sizes[d]) continue;
      summed_[i][static_cast<std::size_t>(first + position)] = true;
    }
  }
}

bool Link::wholly_summed() const {
  return std::all_of(summed_.begin(), summed_.end(), [](const std::vector<bool>& positions) {
    return std::find(positions.begin(), positions.end(), false) == positions.end();
  });
}

// The tile is what the points inside the child touch that exist, with the loops outside as they
// stand. Loops in time inside the child have no part in where it begins.
void Link::rebuild_tile(std::size_t c, const Clock& clock) {
  for (std::size_t d = 0; d < positions_.size(); ++d) {
    if (!workload_.relevant(ends_.tensor, DimId(d))) continue;
    const std::int64_t first = origin(c, clock, d);
    positions_[d].clear();
    for (const std::int64_t position : inside_[d]) {
      if (first + position < nest_.sizes[d]) positions_[d].push_back(first + position);
    }
  }
  space_.collect(positions_, children_[c].tile);
}

void Link::count_received(std::size_t c) {
  Child& child = children_[c];
  Moves& moves = child_tally_->moves[c];
  const auto received = static_cast<std::int64_t>(child.delta.size());
  child_tally_->tile = std::max(child_tally_->tile, static_cast<std::int64_t>(child.tile.size()));
  if (!output_) {
    moves.fills += received;
    return;
  }
  for (const std::int64_t element : child.delta) {
    const auto e = static_cast<std::size_t>(element);
    if (child.held[e]) ++moves.fills;  // else there is no old partial sum to fetch
    child.held[e] = true;
  }
  if (drains_are_reads_) moves.reads += received;
}

bool Link::shares(std::size_t a, std::size_t b) const {
  if (group_of_[a] != group_of_[b]) return false;
  return !only_equal_ || children_[a].tile == children_[b].tile;
}

// Puts those that share next to each other, then serves them together. Equal tiles nearly always
// came with equal deltas; where a remainder made the tiles before differ, what any of them lacks
// has to be read.
void Link::serve(const Clock& clock) {
  std::stable_sort(receivers_.begin(), receivers_.end(), [&](std::size_t a, std::size_t b) {
    if (group_of_[a] != group_of_[b]) return group_of_[a] < group_of_[b];
    return only_equal_ && children_[a].tile < children_[b].tile;
  });
  for (std::size_t i = 0; i < receivers_.size();) {
    const std::size_t first = receivers_[i];
    served_ = children_[first].delta;
    for (std::size_t s = 0; s < summing_.size(); ++s) {
      summed_[s].assign(static_cast<std::size_t>(nest_.sizes[summing_[s]]), false);
    }
    if (output_) mark_summed(first, clock);
    for (++i; i < receivers_.size() && shares(first, receivers_[i]); ++i) {
      if (output_) mark_summed(receivers_[i], clock);
      const Elements& more = children_[receivers_[i]].delta;
      if (more == served_) continue;
      Elements both;
      std::set_union(served_.begin(), served_.end(), more.begin(), more.end(),
                     std::back_inserter(both));
      served_ = std::move(both);
    }
    parent_tally_.unfinished = parent_tally_.unfinished || !wholly_summed();
    count_served(parent_of_[first]);
  }
}

void Link::count_served(std::size_t parent) {
  Moves& moves = parent_tally_.moves[parent];
  const auto served = static_cast<std::int64_t>(served_.size());
  moves.accesses += served;
  if (!output_) {
    moves.reads += served;
    return;
  }
  moves.updates += served;
  for (const std::int64_t element : served_) {
    const auto e = static_cast<std::size_t>(element);
    if (touched_[parent][e]) ++moves.reads;  // else there is no old partial sum to add to
    touched_[parent][e] = true;
  }
}

}  // namespace tilewright::walking
