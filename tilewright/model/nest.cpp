// SPDX-License-Identifier: Apache-2.0
// What a nest fixes before anything moves: its loops by dim, its boundaries and its links
// (docs/model.md sections 1 and 4).
#include <algorithm>
#include <bit>

#include "tilewright/model/evaluator.h"

namespace tilewright {

// Numbers the loops from the innermost and notes where each memory keeps each tensor.
void Evaluator::load(std::span<const NestNode> nodes) {
  loops_ = 0;
  in_space_ = shares_reads_ = shares_in_part_ = reduces_ = 0;
  active_ = 0;
  ragged_dims_ = spatial_dims_ = 0;
  loops_of_dim_.fill(0);
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
  lay_slots(factors);
  add_links();
}

// Puts the loops of each dim side by side, and behind them one entry that stands for the whole dim.
void Evaluator::lay_slots(const std::array<std::int64_t, kMaxLoops>& factors) {
  std::size_t next = 0;
  relevant_.fill(0);
  for (int d = 0; d < dims_; ++d) {
    const std::size_t at = static_cast<std::size_t>(d);
    first_slot_[at] = static_cast<std::uint8_t>(next);
    for (LoopSet left = loops_of_dim_[at]; left != 0; left &= left - 1) {
      const std::size_t loop = static_cast<std::size_t>(std::countr_zero(left));
      slot_[next].factor = factors[loop];
      slot_[next].loop = static_cast<int>(loop);
      slot_of_loop_[loop] = static_cast<std::uint8_t>(next++);
    }
    end_slot_[at] = static_cast<std::uint8_t>(next);
    slot_[next++] = {.factor = 1, .count = 1, .rest = 1, .loop = 0, .tile = size_[at]};
    for (std::size_t t = 0; t < tensor_.size(); ++t) {
      if ((tensor_[t].relevant_dims >> d & 1U) != 0) relevant_[t] |= loops_of_dim_[at];
    }
  }
  for (Boundary& row : rows_) {  // so far they count the loops of each dim
    for (std::size_t d = 0; d < row.slot.size(); ++d) {
      row.slot[d] = static_cast<std::uint8_t>(row.slot[d] + first_slot_[d]);
    }
  }
}

void Evaluator::add_links() {
  links_.clear();
  for (int t = 0; t < tensors_; ++t) {
    const std::size_t at = static_cast<std::size_t>(t);
    int above = -1;
    for (int m = 0; m < memories_; ++m) {
      const std::size_t mem = static_cast<std::size_t>(m);
      const int row = row_[mem][at];
      TensorCounts& counts = result_.memories[mem].tensors[at];
      link_above_[mem][at] = above;
      if (row == 0) {
        if (counts.kept) counts = {};  // by an earlier mapping
        continue;
      }
      counts.peak_reads = counts.peak_writes = 0;
      if (above >= 0) {
        Link& link = links_[static_cast<std::size_t>(above)];
        link.child = m;
        link.row = row;
      }
      above = static_cast<int>(links_.size());
      link_below_[mem][at] = above;
      links_.push_back({.tensor = t, .parent = m, .child = -1, .parent_row = row});
    }
  }
  link_state_.resize(links_.size());
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
    const std::int64_t whole = left / slot.factor;
    const std::int64_t over = left - whole * slot.factor;
    slot.rest = over == 0 ? slot.factor : over;
    ragged |= over != 0;
    active |= LoopSet{1} << slot.loop;
    inside = std::min(size, inside * slot.factor);
    left = whole + (over != 0);
  }
  TW_DCHECK(left == 1, "the factors cover the dim");
  active_ = (active_ & ~loops_of_dim_[d]) | active;
  const std::uint32_t bit = 1U << dim;
  ragged_dims_ = ragged ? ragged_dims_ | bit : ragged_dims_ & ~bit;
  const LoopSet space = active & in_space_;
  if (space == 0) {
    spatial_dims_ &= ~bit;
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
  const auto spread = [&](LoopSet set) {
    std::int64_t factors = 1;
    for (const Slot& slot : slots) {
      if (slot.in(set)) factors *= slot.factor;
    }
    return factors;
  };
  steps_[d] = count_events(slots, space);   // (4)
  units_[d] = count_events(slots, ~space);  // (14)
  LoopSet outside = 0;
  std::int64_t instances = 1;
  std::int64_t inside = spread(space);
  for (std::size_t m = 0; m < memory_.size(); ++m) {
    // Most memories have the same fan-outs outside as the one before.
    if ((space_outside_[m] & space) != outside) {
      outside = space_outside_[m] & space;
      instances = count_events(slots, ~outside);
      inside = spread(space & ~outside);
    }
    instances_[m][d] = instances;
    units_inside_[m][d] = inside;
  }
}

// (14) over all dims.
void Evaluator::refresh_instances() {
  for (std::size_t m = 0; m < memory_.size(); ++m) result_.memories[m].instances = 1;
  std::int64_t units = 1;
  for (std::uint32_t left = spatial_dims_; left != 0; left &= left - 1) {
    const std::size_t d = static_cast<std::size_t>(std::countr_zero(left));
    units *= units_[d];
    for (std::size_t m = 0; m < memory_.size(); ++m) {
      result_.memories[m].instances *= instances_[m][d];
    }
  }
  result_.compute_instances = units;
}

// What depends on which loops there are, not on their factors. l* is the innermost relevant loop in
// time outside the child. True if the figures of other dims than those that lost or got a loop may
// have changed too.
bool Evaluator::refresh_loops(std::size_t index) {
  const Link& link = links_[index];
  LinkState& state = link_state_[index];
  const std::size_t t = static_cast<std::size_t>(link.tensor);
  const bool is_output = tensor_[t].is_output;
  const LoopSet outside = ~boundary(link.row).inside;
  const LoopSet between = active_ & boundary(link.parent_row).inside & outside;
  const LoopSet candidates = temporal() & relevant_[t] & outside;
  const int innermost = candidates == 0 ? -1 : std::countr_zero(candidates);
  state.merged_space = between & (is_output ? reduces_ : shares_reads_);
  state.stationary = stationary(link, innermost);
  bool changed = innermost != state.innermost;
  state.innermost = innermost;
  if (tensor_[t].affine.empty()) return changed;
  const bool equal = is_output || (between & shares_reads_ & ~shares_in_part_) != 0;
  const Sharing sharing = equal ? Sharing::kEqual : Sharing::kUnion;
  const LoopSet sweep = find_sweep(link, innermost);
  changed |= sharing != state.sharing || sweep != state.sweep;
  state.sharing = sharing;
  state.sweep = sweep;
  return changed;
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
