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
  for (std::size_t i = 0; i < links_.size(); ++i) refresh_link(i, -1);
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
  const int changed = was == active_ ? dim.value : -1;
  for (std::size_t i = 0; i < links_.size(); ++i) refresh_link(i, changed);
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
  steps_[d] = count_events(slots, in_space_);   // (4)
  units_[d] = count_events(slots, ~in_space_);  // (14)
  for (int m = 0; m < memories_; ++m) {
    const std::size_t at = static_cast<std::size_t>(m);
    const LoopSet outside = space_outside_[at];
    instances_[at][d] = (outside & space) == 0 ? 1 : count_events(slots, ~outside);
  }
}

// Events along irrelevant dims are kept one by one, so that a change along one of them costs one
// recount. `changed_dim` -1: everything may have changed.
void Evaluator::refresh_link(std::size_t index, int changed_dim) {
  const Link& link = links_[index];
  LinkState& state = link_state_[index];
  const TensorInfo& tensor = tensor_[static_cast<std::size_t>(link.tensor)];
  const bool relevant = changed_dim >= 0 && (tensor.relevant_dims >> changed_dim & 1U) != 0;
  if (relevant && (tensor.affine_dims >> changed_dim & 1U) == 0) return;  // (8) takes the whole dim

  state.innermost = find_innermost(link);
  state.merged_space = find_merged_space(link);
  const LoopSet merged = stationary(link, state.innermost);
  if (!relevant) {
    for (const int d : tensor.irrelevant) {
      if (changed_dim >= 0 && d != changed_dim) continue;
      const std::size_t at = static_cast<std::size_t>(d);
      const Slots slots = slots_from(d, link.row);
      state.received_events[at] = count_events(slots, merged);
      state.delivered_events[at] = (state.merged_space & loops_of_dim_[at]) == 0
                                       ? state.received_events[at]
                                       : count_events(slots, merged | state.merged_space);
    }
  }
  std::int64_t received = tensor.plain_size;
  std::int64_t delivered = tensor.plain_size;
  for (const int d : tensor.irrelevant) {
    received = checked_mul(received, state.received_events[static_cast<std::size_t>(d)]);
    delivered = checked_mul(delivered, state.delivered_events[static_cast<std::size_t>(d)]);
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
  for (int m = 0; m < memories_; ++m) finish_memory(m);
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

void Evaluator::finish_memory(int memory) {
  const std::size_t m = static_cast<std::size_t>(memory);
  MemoryEvaluation& result = result_.memories[m];
  std::int64_t instances = 1;
  for (std::uint32_t left = spatial_dims_; left != 0; left &= left - 1) {
    instances *= instances_[m][static_cast<std::size_t>(std::countr_zero(left))];
  }
  result.instances = instances;
  result.cycles = 0;
  for (int t = 0; t < tensors_; ++t) count_tensor(memory, t);
  const bool limited = memory_[m].limited;
  if (!options_.detail && !(limited && may_set_pace(memory))) return;
  for (int t = 0; t < tensors_; ++t) {
    if (row_[m][static_cast<std::size_t>(t)] != 0) count_peaks(memory, t);
  }
  if (limited) result.cycles = memory_cycles(memory);
  if (result.cycles > result_.cycles) {  // (16)
    result_.cycles = result.cycles;
    result_.bottleneck = result.node;
  }
}

// False if the memory cannot need more cycles than are counted already: an instance serves each
// unit inside it with at most one element of each tensor a step, and gets no more than it serves.
bool Evaluator::may_set_pace(int memory) const {
  const std::size_t m = static_cast<std::size_t>(memory);
  const Memory& spec = problem_.arch().memory(memory_[m].node);
  if (options_.conventions.holes_are_data || options_.conventions.drains_are_reads) return true;
  std::int64_t units_inside = 1;
  for (std::uint32_t left = spatial_dims_; left != 0; left &= left - 1) {
    const std::size_t d = static_cast<std::size_t>(std::countr_zero(left));
    for (int i = first_slot_[d]; i < first_slot_[d + 1] - 1; ++i) {
      const Slot& slot = slot_[static_cast<std::size_t>(i)];
      if (slot.in(in_space_ & ~space_outside_[m])) units_inside *= slot.factor;
    }
  }
  std::int64_t read_bits = 0;
  std::int64_t write_bits = 0;
  for (std::size_t t = 0; t < tensor_.size(); ++t) {
    if (row_[m][t] == 0) continue;
    read_bits += memory_[m].bits[t];
    if (link_above_[m][t] >= 0) write_bits += memory_[m].bits[t];
    if (tensor_[t].is_output) write_bits += memory_[m].bits[t];
  }
  const __int128 served = static_cast<__int128>(result_.compute_steps) * units_inside;
  const auto exceeds = [&](const std::optional<Rational>& rate, std::int64_t bits) {
    return rate && served * bits * rate->den > static_cast<__int128>(result_.cycles) * rate->num;
  };
  return exceeds(spec.read_bandwidth, read_bits) || exceeds(spec.write_bandwidth, write_bits) ||
         exceeds(spec.shared_bandwidth, read_bits + write_bits);
}

// (6), (7), (17)
void Evaluator::count_tensor(int memory, int tensor) {
  const std::size_t m = static_cast<std::size_t>(memory);
  const std::size_t t = static_cast<std::size_t>(tensor);
  TensorCounts& counts = result_.memories[m].tensors[t];
  const int row = row_[m][t];
  counts = {};
  if (row == 0) return;
  const int above = link_above_[m][t];
  const std::int64_t received =
      above < 0 ? 0 : link_state_[static_cast<std::size_t>(above)].received;
  const std::int64_t delivered = link_state_[static_cast<std::size_t>(link_below_[m][t])].delivered;
  counts.kept = true;
  counts.tile = tile_size(row, tensor);
  counts.accesses = delivered;
  const MemoryInfo& info = memory_[m];
  const std::int64_t instances = result_.memories[m].instances;
  if (tensor_[t].is_output) {
    const std::int64_t fresh = first_touches(row, tensor, 0);
    counts.updates = delivered;
    counts.reads = delivered - fresh;
    counts.fills = above < 0 ? 0 : received - fresh;
    if (options_.conventions.drains_are_reads) counts.reads += received;
    counts.energy_pj = action_energy(counts.updates, info.block[t], instances, info.update_pj);
  } else {
    counts.reads = delivered;
    counts.fills = received;
  }
  TW_DCHECK(counts.reads >= 0 && counts.fills >= 0, "no count is negative");
  counts.energy_pj += action_energy(counts.reads, info.block[t], instances, info.read_pj) +
                      action_energy(counts.fills, info.block[t], instances, info.fill_pj);
}

// The first instance of (15). Where no dim that is spread in space is ragged, all are alike.
void Evaluator::count_peaks(int memory, int tensor) {
  const std::size_t m = static_cast<std::size_t>(memory);
  const std::size_t t = static_cast<std::size_t>(tensor);
  TensorCounts& counts = result_.memories[m].tensors[t];
  const std::int64_t instances = result_.memories[m].instances;
  if ((ragged_dims_ & spatial_dims_) == 0 || instances == 1) {
    counts.peak_reads = counts.reads / instances;
    counts.peak_writes = (counts.fills + counts.updates) / instances;
    return;
  }
  const LoopSet outside = space_outside_[m];
  const int below = link_below_[m][t];
  const int above = link_above_[m][t];
  const Link& link = links_[static_cast<std::size_t>(below)];
  const LinkState& state = link_state_[static_cast<std::size_t>(below)];
  const std::int64_t delivered =
      moved(link, state.innermost, {state.merged_space, outside, find_sharing(link)});
  std::int64_t received = 0;
  if (above >= 0) {
    const Link& up = links_[static_cast<std::size_t>(above)];
    received = moved(up, link_state_[static_cast<std::size_t>(above)].innermost,
                     {0, outside, Sharing::kEqual});
  }
  if (!tensor_[t].is_output) {
    counts.peak_reads = delivered;
    counts.peak_writes = received;
    return;
  }
  const std::int64_t fresh = first_touches(row_[m][t], tensor, outside);
  counts.peak_reads = delivered - fresh + (options_.conventions.drains_are_reads ? received : 0);
  counts.peak_writes = delivered + (above < 0 ? 0 : received - fresh);
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
