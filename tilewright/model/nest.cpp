// SPDX-License-Identifier: Apache-2.0
// What a nest fixes before anything moves: its loops by dim, its boundaries and its links
// (docs/model.md sections 1 and 4).
#include <algorithm>
#include <bit>

#include "tilewright/model/evaluator.h"

namespace tilewright {
namespace {

// a / b for a, b >= 1. The outermost loop of a dim has a == b, and most sizes fit in 32 bits: a
// division of 64 bits takes several times as long.
std::int64_t divide(std::int64_t a, std::int64_t b) {
  if (a == b) return 1;
  if (((a | b) >> 32) == 0) [[likely]] {
    return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  }
  return a / b;
}

}  // namespace

// Numbers the loops from the innermost and notes where each memory keeps each tensor.
void Evaluator::load(std::span<const NestNode> nodes) {
  std::array<TensorSet, kMaxMemories> were_kept;
  std::copy_n(kept_.begin(), memory_.size(), were_kept.begin());
  loops_ = 0;
  in_space_ = shares_reads_ = shares_in_part_ = reduces_ = 0;
  active_ = 0;
  ragged_dims_ = spatial_dims_ = 0;
  std::fill_n(loops_of_dim_.begin(), dims_, 0);
  for (std::size_t m = 0; m < memory_.size(); ++m) {
    row_[m].fill(0);
    kept_[m] = 0;
    space_outside_[m] = 0;
  }
  rows_.resize(1);
  rows_[0] = {};
  Boundary here;
  std::array<std::int64_t, kMaxLoops> factors;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const NestNode& node = nodes[i];
    if (node.kind == NestNode::Kind::kKeep) {
      const std::size_t m = static_cast<std::size_t>(memory_of_node_[node.node.pos()]);
      kept_[m] |= node.tensors;
      for (TensorSet left = node.tensors; left != 0; left &= left - 1) {
        row_[m][static_cast<std::size_t>(std::countr_zero(left))] = static_cast<int>(rows_.size());
      }
      rows_.push_back(here);
      continue;
    }
    TW_CHECK(loops_ < kMaxLoops, "a nest has at most 64 loops");
    const LoopSet bit = LoopSet{1} << loops_;
    if (node.kind == NestNode::Kind::kSpatial) {
      const FanoutInfo& fanout = fanout_[node.node.pos()];
      in_space_ |= bit;
      if (fanout.shares_reads) shares_reads_ |= bit;
      if (fanout.shares_in_part) shares_in_part_ |= bit;
      if (fanout.reduces) reduces_ |= bit;
      for (int m = fanout.first_inside; m < memories_; ++m) {
        space_outside_[static_cast<std::size_t>(m)] |= bit;
      }
    }
    factors[static_cast<std::size_t>(loops_)] = node.factor;
    dim_of_loop_[static_cast<std::size_t>(loops_++)] = node.dim.value;
    loops_of_dim_[node.dim.pos()] |= bit;
    ++here.slot[node.dim.pos()];
    here.inside |= bit;
  }
  for (std::size_t m = 0; m < memory_.size(); ++m) {
    for (TensorSet left = were_kept[m] & ~kept_[m]; left != 0; left &= left - 1) {
      result_.memories[m].tensors[static_cast<std::size_t>(std::countr_zero(left))] = {};
    }
  }
  lay_slots(factors);
  add_links();
}

// Puts the loops of each dim side by side, and behind them one entry that stands for the whole dim.
void Evaluator::lay_slots(const std::array<std::int64_t, kMaxLoops>& factors) {
  std::size_t next = 0;
  relevant_.fill(0);
  summing_ = 0;
  const std::uint32_t summing_dims = problem_.workload().summing_dims();
  for (int d = 0; d < dims_; ++d) {
    const std::size_t at = static_cast<std::size_t>(d);
    first_slot_[at] = static_cast<std::uint16_t>(next);
    for (LoopSet left = loops_of_dim_[at]; left != 0; left &= left - 1) {
      const std::size_t loop = static_cast<std::size_t>(std::countr_zero(left));
      slot_[next].factor = factors[loop];
      slot_[next].loop = static_cast<int>(loop);
      slot_of_loop_[loop] = static_cast<std::uint16_t>(next++);
    }
    end_slot_[at] = static_cast<std::uint16_t>(next);
    slot_[next++] = {.factor = 1, .count = 1, .rest = 1, .loop = 0, .tile = size_[at]};
    for (TensorSet tensors = relevant_to_[at]; tensors != 0; tensors &= tensors - 1) {
      relevant_[static_cast<std::size_t>(std::countr_zero(tensors))] |= loops_of_dim_[at];
    }
    if ((summing_dims >> d & 1U) != 0) summing_ |= loops_of_dim_[at];
  }
  meeting_ = summing_ & relevant_[problem_.workload().output().pos()];
  for (Boundary& row : rows_) {  // so far they count the loops of each dim
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims_); ++d) {
      row.slot[d] = static_cast<std::uint16_t>(row.slot[d] + first_slot_[d]);
    }
  }
}

void Evaluator::add_links() {
  std::size_t next = 0;
  for (std::size_t t = 0; t < tensor_.size(); ++t) {
    first_link_[t] = next;
    for (int m = 0; m < memories_; ++m) {
      const std::size_t mem = static_cast<std::size_t>(m);
      const int row = row_[mem][t];
      if (row == 0) continue;
      const bool home = next == first_link_[t];
      if (!home) {
        links_[next - 1].child = m;
        links_[next - 1].row = row;
      }
      link_below_[mem][t] = static_cast<int>(next);
      links_[next++] = {static_cast<int>(t), m, -1, row, 0, home};
    }
  }
  first_link_[tensor_.size()] = next;
}

// (1) along one dim, and what follows from it alone.
void Evaluator::refresh_dim(int dim) {
  const std::size_t d = static_cast<std::size_t>(dim);
  const std::int64_t size = size_[d];
  std::int64_t left = size;
  std::int64_t inside = 1;
  bool ragged = false;
  LoopSet active = 0;
  for (std::size_t i = first_slot_[d]; i < end_slot_[d]; ++i) {
    Slot& slot = slot_[i];
    slot.count = left;
    slot.tile = inside;
    slot.rest = 1;
    if (slot.factor == 1) continue;
    const std::int64_t whole = divide(left, slot.factor);
    const std::int64_t over = left - whole * slot.factor;
    slot.rest = over == 0 ? slot.factor : over;
    ragged |= over != 0;
    active |= LoopSet{1} << slot.loop;
    inside = std::min(size, inside * slot.factor);
    left = whole + (over != 0);
  }
  TW_DCHECK(left == 1, "the factors cover the dim");
  active_ |= active;
  const std::uint32_t bit = 1U << dim;
  if (ragged) ragged_dims_ |= bit;
  const LoopSet space = active & in_space_;
  if (space == 0) {
    steps_[d] = size;
    return;
  }
  spatial_dims_ |= bit;
  refresh_units(dim, space);
}

// What the loops `space` of the dim spread out, inside each memory and outside it.
void Evaluator::refresh_units(int dim, LoopSet space) {
  const std::size_t d = static_cast<std::size_t>(dim);
  const Slots slots{slot_.data() + first_slot_[d], slot_.data() + end_slot_[d]};
  steps_[d] = count_events(slots, space);                  // (4)
  const std::int64_t units = count_events(slots, ~space);  // (14)
  std::int64_t all = 1;
  for (const Slot& slot : slots) all *= slot.in(space) ? slot.factor : 1;
  units_[d] = units;
  for (std::size_t m = 0; m < static_cast<std::size_t>(memories_); ++m) {
    const LoopSet outside = space_outside_[m] & space;
    std::int64_t instances = outside == 0 ? 1 : units;
    std::int64_t inside = outside == 0 ? all : 1;
    if (outside != 0 && outside != space) {  // some fan-outs of the dim lie outside, some inside
      instances = count_events(slots, ~outside);
      for (const Slot& slot : slots) inside *= slot.in(space & ~outside) ? slot.factor : 1;
    }
    instances_[m][d] = instances;
    units_inside_[m][d] = inside;
  }
}

// (14) over all dims.
void Evaluator::refresh_instances() {
  std::int64_t units = 1;
  for (std::uint32_t left = spatial_dims_; left != 0; left &= left - 1) {
    units *= units_[static_cast<std::size_t>(std::countr_zero(left))];
  }
  result_.compute_instances = units;
  const LoopSet space = spatial();
  MemoryEvaluation* const memories = result_.memories.data();
  for (int m = 0; m < memories_; ++m) {
    const std::size_t at = static_cast<std::size_t>(m);
    const LoopSet outside = space_outside_[at] & space;
    std::int64_t instances = outside == space ? units : 1;
    if (outside != 0 && outside != space) {
      for (std::uint32_t left = spatial_dims_; left != 0; left &= left - 1) {
        instances *= instances_[at][static_cast<std::size_t>(std::countr_zero(left))];
      }
    }
    memories[at].instances = instances;
  }
}

// The sliding loops: l* and, one after the other, the next relevant loop in time outside, if it is
// over the same dim and no loop in space over it lies between.
LoopSet Evaluator::find_sweep(const Link& link, int innermost) const {
  if (link.child < 0 || innermost < 0) return 0;
  const std::size_t t = static_cast<std::size_t>(link.tensor);
  if ((memory_[static_cast<std::size_t>(link.child)].sliding >> t & 1U) == 0) return 0;
  const int dim = dim_of_loop_[static_cast<std::size_t>(innermost)];
  if ((tensor_[t].affine_dims >> dim & 1U) == 0) return 0;
  const LoopSet of_dim = loops_of_dim_[static_cast<std::size_t>(dim)];
  const LoopSet stops = active_ & ((relevant_[t] & ~in_space_ & ~of_dim) | (in_space_ & of_dim));
  const LoopSet ends = stops & ~loops_below(innermost);
  const LoopSet reach = ends == 0 ? ~LoopSet{0} : loops_below(std::countr_zero(ends));
  return temporal() & of_dim & ~loops_below(innermost) & reach;
}

}  // namespace tilewright
