// SPDX-License-Identifier: Apache-2.0
#include "tilewright/model/evaluator.h"

#include <algorithm>
#include <bit>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

// (17)
double action_energy(std::int64_t elements, std::int64_t block, std::int64_t instances, double pj) {
  if (block == 1) return static_cast<double>(elements) * pj;
  if (elements == 0 || pj == 0) return 0;
  const std::int64_t each = elements / instances;
  const std::int64_t more = elements - each * instances;
  const std::int64_t blocks = ceil_div(each, block);
  const std::int64_t larger = each == blocks * block ? more : 0;  // those that need one access more
  return static_cast<double>(blocks * instances + larger) * pj;
}

}  // namespace

Evaluator::Evaluator(const Problem& problem, const EvaluatorOptions& options)
    : problem_(problem), options_(options) {
  const Workload& workload = problem.workload();
  const Arch& arch = problem.arch();
  dims_ = static_cast<int>(workload.dims().size());
  tensors_ = static_cast<int>(workload.tensors().size());
  memories_ = static_cast<int>(arch.memories().size());
  for (int t = 0; t < tensors_; ++t) {
    TensorInfo info;
    info.relevant_dims = workload.relevant_dims(TensorId(t));
    info.is_output = TensorId(t) == workload.output();
    const bool holes = options.conventions.holes_are_data && !info.is_output;
    for (const Rank& rank : workload.tensor(TensorId(t)).ranks) {
      RankForm form = make_rank_form(workload, rank, holes);
      if (form.plain()) continue;
      for (const Term& term : form.terms) info.affine_dims |= 1U << term.dim.value;
      RankForm swapped = form;
      if (form.terms.size() > 1) std::swap(swapped.terms[0], swapped.terms[1]);
      info.affine.push_back({std::move(form), std::move(swapped)});
    }
    for (int d = 0; d < dims_; ++d) {
      if (!workload.relevant(TensorId(t), DimId(d))) {
        info.irrelevant.push_back(d);
      } else if ((info.affine_dims >> d & 1U) == 0) {
        info.plain.push_back(d);
        info.plain_size *= workload.dim(DimId(d)).size;
      }
    }
    tensor_.push_back(std::move(info));
  }
  for (const NodeId id : arch.memories()) {
    const Memory& memory = arch.memory(id);
    const ResolvedMemory& resolved = problem.memory(id);
    MemoryInfo info;
    info.node = id;
    info.limited = memory.read_bandwidth || memory.write_bandwidth || memory.shared_bandwidth;
    info.read_rate = memory.read_bandwidth.value_or(Rational{});
    info.write_rate = memory.write_bandwidth.value_or(Rational{});
    info.shared_rate = memory.shared_bandwidth.value_or(Rational{});
    info.sliding = resolved.sliding;
    info.read_pj = memory.energy.read_pj.value_or(0);
    info.fill_pj = memory.energy.fill_pj.value_or(0);
    info.update_pj = memory.energy.update_pj.value_or(0);
    info.leakage_pj = memory.leakage_pj_per_cycle * static_cast<double>(arch.instances(id));
    for (int t = 0; t < tensors_; ++t) {
      const std::size_t at = static_cast<std::size_t>(t);
      info.bits[at] = resolved.bits[at];
      info.block[at] =
          memory.width_bits ? std::max<std::int64_t>(1, *memory.width_bits / info.bits[at]) : 1;
      blocks_ |= info.block[at] > 1;
    }
    memory_of_node_[id.pos()] = static_cast<int>(memory_.size());
    memory_.push_back(info);
    result_.memories.push_back({.node = id, .tensors = std::vector<TensorCounts>(tensor_.size())});
  }
  for (const NodeId id : arch.fanouts()) {
    const Fanout& fanout = arch.fanout(id);
    fanout_[id.pos()] = {fanout.multicast != Multicast::kNone,
                         fanout.multicast == Multicast::kOverlap, fanout.reduction};
  }
  for (int d = 0; d < dims_; ++d) size_[static_cast<std::size_t>(d)] = workload.dim(DimId(d)).size;
  rows_.reserve(memory_.size() * tensor_.size() + 1);
  links_.reserve(memory_.size() * tensor_.size());
  link_state_.reserve(memory_.size() * tensor_.size());
  result_.computes = workload.computes();
  compute_pj_ = static_cast<double>(workload.computes()) * arch.compute().energy_pj.value_or(0);
  compute_leakage_pj_ =
      arch.compute().leakage_pj_per_cycle * static_cast<double>(arch.compute_units());
}

const Evaluation& Evaluator::evaluate(std::span<const NestNode> nodes) {
  TW_DCHECK(std::ranges::none_of(find_violations(problem_, Mapping({nodes.begin(), nodes.end()})),
                                 [](const Violation& v) { return is_structural(v.kind); }),
            "the mapping has no structural violation");
  load(nodes);
  for (int d = 0; d < dims_; ++d) refresh_dim(d);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    refresh_loops(i);
    refresh_link(i, -1);
  }
  for (std::size_t i = 0; i < links_.size(); ++i) count_link(i);
  finish();
  return result_;
}

const Evaluation& Evaluator::change(DimId dim, std::span<const std::int64_t> innermost_first) {
  const std::size_t first = static_cast<std::size_t>(first_slot_[dim.pos()]);
  TW_DCHECK(
      first + innermost_first.size() + 1 == static_cast<std::size_t>(first_slot_[dim.pos() + 1]),
      "one factor for every loop over the dim");
  for (std::size_t i = 0; i < innermost_first.size(); ++i)
    slot_[first + i].factor = innermost_first[i];
  const LoopSet was = active_;
  refresh_dim(dim.value);
  if (was != active_) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      refresh_loops(i);
      refresh_link(i, -1);
    }
    for (std::size_t i = 0; i < links_.size(); ++i) count_link(i);
    finish();
    return result_;
  }
  // (8) takes a plain dim whole: only the tiles of its tensors change, unless accesses are rounded
  // to blocks and the number of instances changes with the dim.
  const bool rounding = blocks_ && (spatial_dims_ >> dim.value & 1U) != 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const TensorInfo& tensor = tensor_[static_cast<std::size_t>(links_[i].tensor)];
    const bool plain = ((tensor.relevant_dims & ~tensor.affine_dims) >> dim.value & 1U) != 0;
    if (!plain) refresh_link(i, dim.value);
    if (plain && !rounding) {
      TensorCounts& counts = result_.memories[static_cast<std::size_t>(links_[i].parent)]
                                 .tensors[static_cast<std::size_t>(links_[i].tensor)];
      counts.tile = tile_size(links_[i].parent_row, links_[i].tensor);
    } else {
      count_link(i);
    }
  }
  finish();
  return result_;
}

// Numbers the loops from the innermost and notes where each memory keeps each tensor.
void Evaluator::load(std::span<const NestNode> nodes) {
  loops_ = 0;
  in_space_ = shares_reads_ = shares_in_part_ = reduces_ = 0;
  active_ = 0;
  ragged_dims_ = spatial_dims_ = 0;
  loops_of_dim_.fill(0);
  for (int m = 0; m < memories_; ++m) {
    for (int t = 0; t < tensors_; ++t) {
      if (row_[static_cast<std::size_t>(m)][static_cast<std::size_t>(t)] != 0) {
        result_.memories[static_cast<std::size_t>(m)].tensors[static_cast<std::size_t>(t)] = {};
      }
    }
    row_[static_cast<std::size_t>(m)].fill(0);
    space_outside_[static_cast<std::size_t>(m)] = 0;
  }
  rows_.resize(1);
  Boundary here;
  std::array<std::int64_t, kMaxLoops> factors;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const NestNode& node = nodes[i];
    if (node.kind == NestNode::Kind::kKeep) {
      auto& row = row_[static_cast<std::size_t>(memory_of_node_[node.node.pos()])];
      for (TensorSet left = node.tensors; left != 0; left &= left - 1) {
        row[static_cast<std::size_t>(std::countr_zero(left))] = static_cast<int>(rows_.size());
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
      for (int m = memories_; m-- > 0 && memory_[static_cast<std::size_t>(m)].node > node.node;) {
        space_outside_[static_cast<std::size_t>(m)] |= bit;
      }
    }
    factors[static_cast<std::size_t>(loops_)] = node.factor;
    dim_of_loop_[static_cast<std::size_t>(loops_)] = node.dim.value;
    loops_of_dim_[node.dim.pos()] |= bit;
    ++here.inside[node.dim.pos()];
    here.loops = ++loops_;
  }
  lay_slots(factors);
  add_links();
}

// Puts the loops of each dim side by side, and behind them one entry that stands for the whole dim.
void Evaluator::lay_slots(const std::array<std::int64_t, kMaxLoops>& factors) {
  int next = 0;
  relevant_.fill(0);
  for (int d = 0; d < dims_; ++d) {
    const std::size_t at = static_cast<std::size_t>(d);
    first_slot_[at] = next;
    for (LoopSet left = loops_of_dim_[at]; left != 0; left &= left - 1) {
      const int loop = std::countr_zero(left);
      slot_[static_cast<std::size_t>(next)].factor = factors[static_cast<std::size_t>(loop)];
      slot_[static_cast<std::size_t>(next++)].loop = loop;
    }
    slot_[static_cast<std::size_t>(next++)] = {
        .factor = 1, .count = 1, .rest = 1, .loop = 0, .tile = size_[at]};
    for (std::size_t t = 0; t < tensor_.size(); ++t) {
      if ((tensor_[t].relevant_dims >> d & 1U) != 0) relevant_[t] |= loops_of_dim_[at];
    }
  }
  first_slot_[static_cast<std::size_t>(dims_)] = next;
}

void Evaluator::add_links() {
  links_.clear();
  for (int t = 0; t < tensors_; ++t) {
    const std::size_t at = static_cast<std::size_t>(t);
    int above = -1;
    for (int m = 0; m < memories_; ++m) {
      const std::size_t mem = static_cast<std::size_t>(m);
      link_above_[mem][at] = -1;
      if (row_[mem][at] == 0) continue;
      if (above >= 0) {
        Link& link = links_[static_cast<std::size_t>(above)];
        link.child = m;
        link.row = row_[mem][at];
        link_above_[mem][at] = above;
      }
      above = static_cast<int>(links_.size());
      link_below_[mem][at] = above;
      links_.push_back({.tensor = t, .parent = m, .child = -1, .parent_row = row_[mem][at]});
    }
  }
  link_state_.resize(links_.size());
}

// (1) along one dim, and what follows from it alone.
void Evaluator::refresh_dim(int dim) {
  const std::size_t d = static_cast<std::size_t>(dim);
  const int end = first_slot_[d + 1] - 1;
  std::int64_t left = size_[d];
  std::int64_t inside = 1;
  bool ragged = false;
  LoopSet active = 0;
  for (int i = first_slot_[d]; i < end; ++i) {
    Slot& slot = slot_[static_cast<std::size_t>(i)];
    slot.count = left;
    slot.tile = inside;
    if (slot.factor > 1) {
      const std::int64_t next = ceil_div(left, slot.factor);
      slot.rest = left - (next - 1) * slot.factor;
      ragged |= slot.rest != slot.factor;
      active |= LoopSet{1} << slot.loop;
      inside = std::min(size_[d], inside * slot.factor);
      left = next;
    } else {
      slot.rest = 1;
    }
  }
  TW_DCHECK(left == 1, "the factors cover the dim");
  active_ = (active_ & ~loops_of_dim_[d]) | active;
  const std::uint32_t bit = 1U << dim;
  ragged_dims_ = ragged ? ragged_dims_ | bit : ragged_dims_ & ~bit;
  const Slots slots{slot_.data() + first_slot_[d], slot_.data() + end};
  const LoopSet space = active & in_space_;
  if (space == 0) {
    spatial_dims_ &= ~bit;
    steps_[d] = size_[d];
    return;
  }
  spatial_dims_ |= bit;
  std::int64_t all_units = 1;
  for (const Slot& slot : slots) all_units *= slot.in(space) ? slot.factor : 1;
  steps_[d] = count_events(slots, in_space_);   // (4)
  units_[d] = count_events(slots, ~in_space_);  // (14)
  for (int m = 0; m < memories_; ++m) {
    const std::size_t at = static_cast<std::size_t>(m);
    const LoopSet outside = space_outside_[at];
    instances_[at][d] = (outside & space) == 0 ? 1 : count_events(slots, ~outside);
    units_inside_[at][d] = all_units;
    for (const Slot& slot : slots) {
      if (slot.in(space & outside)) units_inside_[at][d] /= slot.factor;
    }
  }
}

// What depends on which loops there are, not on their factors. l* is the innermost relevant loop in
// time outside the child.
void Evaluator::refresh_loops(std::size_t index) {
  const Link& link = links_[index];
  LinkState& state = link_state_[index];
  const std::size_t t = static_cast<std::size_t>(link.tensor);
  const LoopSet outside = ~loops_below(boundary(link.row).loops);
  const LoopSet between = loops_below(boundary(link.parent_row).loops) & outside;
  const LoopSet candidates = temporal() & relevant_[t] & outside;
  state.innermost = candidates == 0 ? -1 : std::countr_zero(candidates);
  state.merged_space = active_ & between & (tensor_[t].is_output ? reduces_ : shares_reads_);
  state.stationary = stationary(link, state.innermost);
}

// Events along irrelevant dims are kept one by one, so that a change along one of them costs one
// recount. `changed_dim` -1: everything may have changed.
void Evaluator::refresh_link(std::size_t index, int changed_dim) {
  const Link& link = links_[index];
  LinkState& state = link_state_[index];
  const TensorInfo& tensor = tensor_[static_cast<std::size_t>(link.tensor)];
  std::int64_t received = tensor.plain_size;
  std::int64_t delivered = tensor.plain_size;
  for (const int d : tensor.irrelevant) {
    const std::size_t at = static_cast<std::size_t>(d);
    if (changed_dim < 0 || d == changed_dim) {
      const Slots slots = slots_from(d, link.row);
      state.received_events[at] = count_events(slots, state.stationary);
      state.delivered_events[at] = (state.merged_space & loops_of_dim_[at]) == 0
                                       ? state.received_events[at]
                                       : count_events(slots, state.stationary | state.merged_space);
    }
    received = checked_mul(received, state.received_events[at]);
    delivered = checked_mul(delivered, state.delivered_events[at]);
  }
  if (!tensor.affine.empty()) {
    received = moved_affine(link, state.innermost, {}, received);
    const Scope scope{state.merged_space, 0, find_sharing(link)};
    delivered =
        state.merged_space == 0 ? received : moved_affine(link, state.innermost, scope, delivered);
  }
  state.received = received;
  state.delivered = delivered;
}

// (6), (7), (17) for the parent.
void Evaluator::count_link(std::size_t index) {
  const Link& link = links_[index];
  const std::size_t m = static_cast<std::size_t>(link.parent);
  const std::size_t t = static_cast<std::size_t>(link.tensor);
  const bool home = link_above_[m][t] < 0;
  const std::int64_t received = home ? 0 : link_state_[index - 1].received;
  const std::int64_t delivered = link_state_[index].delivered;
  TensorCounts& counts = result_.memories[m].tensors[t];
  counts.kept = true;
  counts.tile = tile_size(link.parent_row, link.tensor);
  counts.accesses = delivered;
  std::int64_t instances = 1;
  for (std::uint32_t left = spatial_dims_; left != 0; left &= left - 1) {
    instances *= instances_[m][static_cast<std::size_t>(std::countr_zero(left))];
  }
  const MemoryInfo& info = memory_[m];
  if (tensor_[t].is_output) {
    const std::int64_t fresh = first_touches(link.parent_row, link.tensor, 0);
    counts.updates = delivered;
    counts.reads = delivered - fresh;
    counts.fills = home ? 0 : received - fresh;
    if (options_.conventions.drains_are_reads) counts.reads += received;
    counts.energy_pj = action_energy(delivered, info.block[t], instances, info.update_pj);
  } else {
    counts.reads = delivered;
    counts.fills = received;
    counts.energy_pj = 0;
  }
  TW_DCHECK(counts.reads >= 0 && counts.fills >= 0, "no count is negative");
  counts.energy_pj += action_energy(counts.reads, info.block[t], instances, info.read_pj) +
                      action_energy(counts.fills, info.block[t], instances, info.fill_pj);
}

void Evaluator::finish() {
  std::int64_t steps = 1;
  std::int64_t units = 1;
  for (int d = 0; d < dims_; ++d) steps *= steps_[static_cast<std::size_t>(d)];
  for (std::uint32_t left = spatial_dims_; left != 0; left &= left - 1) {
    units *= units_[static_cast<std::size_t>(std::countr_zero(left))];
  }
  result_.compute_steps = steps;
  result_.compute_instances = units;
  result_.cycles = steps;
  result_.bottleneck = NodeId();
  for (int m = 0; m < memories_; ++m) {
    std::int64_t instances = 1;
    for (std::uint32_t left = spatial_dims_; left != 0; left &= left - 1) {
      instances *=
          instances_[static_cast<std::size_t>(m)][static_cast<std::size_t>(std::countr_zero(left))];
    }
    result_.memories[static_cast<std::size_t>(m)].instances = instances;
    if (options_.detail || memory_[static_cast<std::size_t>(m)].limited) find_pace(m);
  }
  const double cycles = static_cast<double>(result_.cycles);
  double energy = 0;
  for (int m = 0; m < memories_; ++m) {
    MemoryEvaluation& memory = result_.memories[static_cast<std::size_t>(m)];
    memory.leakage_pj = memory_[static_cast<std::size_t>(m)].leakage_pj * cycles;  // (18)
    memory.energy_pj = memory.leakage_pj;
    for (const TensorCounts& counts : memory.tensors) memory.energy_pj += counts.energy_pj;
    energy += memory.energy_pj;
  }
  result_.compute_energy_pj = compute_pj_ + compute_leakage_pj_ * cycles;
  result_.energy_pj = energy + result_.compute_energy_pj;  // (19)
}

// (16): whether this memory needs more cycles than are counted so far. Without `detail`, nothing
// more is computed than that takes.
void Evaluator::find_pace(int memory) {
  const std::size_t m = static_cast<std::size_t>(memory);
  MemoryEvaluation& result = result_.memories[m];
  result.cycles = 0;
  if (!options_.detail) {
    const bool alike = result.instances == 1 || (ragged_dims_ & spatial_dims_) == 0;
    if (alike) {
      std::int64_t reads = 0;
      std::int64_t writes = 0;
      for (std::size_t t = 0; t < tensor_.size(); ++t) {
        const TensorCounts& counts = result.tensors[t];
        reads = checked_add(reads, checked_mul(counts.reads, memory_[m].bits[t]));
        writes =
            checked_add(writes, checked_mul(counts.fills + counts.updates, memory_[m].bits[t]));
      }
      if (!exceeds_pace(memory, reads, writes, result.instances)) return;
    } else if (!may_set_pace(memory)) {
      return;
    }
  }
  count_peaks(memory);
  if (memory_[m].limited) result.cycles = memory_cycles(memory);
  if (result.cycles > result_.cycles) {
    result_.cycles = result.cycles;
    result_.bottleneck = result.node;
  }
}

// True if `copies` instances that move so many bits together need more cycles than are counted.
bool Evaluator::exceeds_pace(int memory, std::int64_t reads, std::int64_t writes,
                             std::int64_t copies) const {
  const MemoryInfo& info = memory_[static_cast<std::size_t>(memory)];
  const __int128 cycles = static_cast<__int128>(result_.cycles) * copies;
  const auto exceeds = [&](const Rational& rate, std::int64_t bits) {
    return rate.num > 0 && static_cast<__int128>(bits) * rate.den > cycles * rate.num;
  };
  return exceeds(info.read_rate, reads) || exceeds(info.write_rate, writes) ||
         exceeds(info.shared_rate, checked_add(reads, writes));
}

// False if the memory cannot need more cycles than are counted already: an instance serves each
// unit inside it with at most one element of each tensor a step, and gets no more than it serves.
bool Evaluator::may_set_pace(int memory) const {
  const std::size_t m = static_cast<std::size_t>(memory);
  if (options_.conventions.holes_are_data || options_.conventions.drains_are_reads) return true;
  std::int64_t served = result_.compute_steps;
  for (std::uint32_t left = spatial_dims_; left != 0; left &= left - 1) {
    served =
        checked_mul(served, units_inside_[m][static_cast<std::size_t>(std::countr_zero(left))]);
  }
  std::int64_t read_bits = 0;
  std::int64_t write_bits = 0;
  for (std::size_t t = 0; t < tensor_.size(); ++t) {
    if (row_[m][t] == 0) continue;
    read_bits += memory_[m].bits[t];
    if (link_above_[m][t] >= 0) write_bits += memory_[m].bits[t];
    if (tensor_[t].is_output) write_bits += memory_[m].bits[t];
  }
  return exceeds_pace(memory, checked_mul(served, read_bits), checked_mul(served, write_bits), 1);
}

// The first instance of (15). Where no dim that is spread in space is ragged, all are alike.
void Evaluator::count_peaks(int memory) {
  const std::size_t m = static_cast<std::size_t>(memory);
  const std::int64_t instances = result_.memories[m].instances;
  const bool alike = instances == 1 || (ragged_dims_ & spatial_dims_) == 0;
  const LoopSet outside = space_outside_[m];
  for (std::size_t t = 0; t < tensor_.size(); ++t) {
    TensorCounts& counts = result_.memories[m].tensors[t];
    if (row_[m][t] == 0) continue;
    if (alike) {
      counts.peak_reads = counts.reads / instances;
      counts.peak_writes = (counts.fills + counts.updates) / instances;
      continue;
    }
    const std::size_t below = static_cast<std::size_t>(link_below_[m][t]);
    const Link& link = links_[below];
    const LinkState& state = link_state_[below];
    const std::int64_t delivered =
        moved(link, state.innermost, {state.merged_space, outside, find_sharing(link)});
    const bool home = link_above_[m][t] < 0;
    const std::int64_t received = home ? 0
                                       : moved(links_[below - 1], link_state_[below - 1].innermost,
                                               {0, outside, Sharing::kEqual});
    counts.peak_reads = delivered;
    counts.peak_writes = received;
    if (!tensor_[t].is_output) continue;
    const std::int64_t fresh = first_touches(row_[m][t], static_cast<int>(t), outside);
    counts.peak_reads = delivered - fresh + (options_.conventions.drains_are_reads ? received : 0);
    counts.peak_writes = delivered + (home ? 0 : received - fresh);
  }
}

// (15)
std::int64_t Evaluator::memory_cycles(int memory) const {
  const std::size_t m = static_cast<std::size_t>(memory);
  const Memory& spec = problem_.arch().memory(memory_[m].node);
  std::int64_t reads = 0;
  std::int64_t writes = 0;
  for (std::size_t t = 0; t < tensor_.size(); ++t) {
    const TensorCounts& counts = result_.memories[m].tensors[t];
    reads = checked_add(reads, checked_mul(counts.peak_reads, memory_[m].bits[t]));
    writes = checked_add(writes, checked_mul(counts.peak_writes, memory_[m].bits[t]));
  }
  std::int64_t cycles = 0;
  if (spec.read_bandwidth) cycles = std::max(cycles, ceil_div(reads, *spec.read_bandwidth));
  if (spec.write_bandwidth) cycles = std::max(cycles, ceil_div(writes, *spec.write_bandwidth));
  if (spec.shared_bandwidth) {
    cycles = std::max(cycles, ceil_div(checked_add(reads, writes), *spec.shared_bandwidth));
  }
  return cycles;
}

}  // namespace tilewright
