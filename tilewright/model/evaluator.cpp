// SPDX-License-Identifier: Apache-2.0
#include "tilewright/model/evaluator.h"

#include <algorithm>
#include <bit>

#include "tilewright/base/checked.h"

namespace tilewright {

Evaluator::Evaluator(const Problem& problem, const EvaluatorOptions& options)
    : problem_(problem), options_(options) {
  const Workload& workload = problem.workload();
  const Arch& arch = problem.arch();
  dims_ = static_cast<int>(workload.dims().size());
  tensors_ = static_cast<int>(workload.tensors().size());
  memories_ = static_cast<int>(arch.memories().size());
  for (int t = 0; t < tensors_; ++t) {
    TensorInfo info;
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
  links_.reserve(memory_.size() * tensor_.size());
  link_state_.reserve(memory_.size() * tensor_.size());
  result_.computes = workload.computes();
}

const Evaluation& Evaluator::evaluate(std::span<const NestNode> nodes) {
  TW_DCHECK(std::ranges::none_of(find_violations(problem_, Mapping({nodes.begin(), nodes.end()})),
                                 [](const Violation& v) { return is_structural(v.kind); }),
            "the mapping has no structural violation");
  load(nodes);
  for (int d = 0; d < dims_; ++d) refresh_dim(d);
  refresh_masks();
  for (std::size_t i = 0; i < links_.size(); ++i) refresh_link(i, -1);
  finish();
  return result_;
}

const Evaluation& Evaluator::change(DimId dim, std::span<const std::int64_t> innermost_first) {
  const std::size_t first = static_cast<std::size_t>(first_slot_[dim.pos()]);
  TW_DCHECK(first + innermost_first.size() == static_cast<std::size_t>(first_slot_[dim.pos() + 1]),
            "one factor for every loop over the dim");
  for (std::size_t i = 0; i < innermost_first.size(); ++i)
    slot_[first + i].factor = innermost_first[i];
  refresh_dim(dim.value);
  const LoopSet was = temporal_ | spatial_;
  refresh_masks();
  const bool same_loops = was == (temporal_ | spatial_);
  for (std::size_t i = 0; i < links_.size(); ++i) refresh_link(i, same_loops ? dim.value : -1);
  finish();
  return result_;
}

// Numbers the loops from the innermost and notes where each memory keeps each tensor.
void Evaluator::load(std::span<const NestNode> nodes) {
  const Arch& arch = problem_.arch();
  loops_ = 0;
  for (auto& row : boundary_) row.fill(-1);
  loops_of_dim_.fill(0);
  spatial_outside_.fill(0);
  std::array<std::int64_t, kMaxLoops> factor{};
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const NestNode& node = nodes[i];
    if (node.kind == NestNode::Kind::kKeep) {
      auto& row = boundary_[static_cast<std::size_t>(memory_of_node_[node.node.pos()])];
      for (int t = 0; t < tensors_; ++t) {
        if ((node.tensors >> t & 1U) != 0) row[static_cast<std::size_t>(t)] = loops_;
      }
      continue;
    }
    TW_CHECK(loops_ < kMaxLoops, "a nest has at most 64 loops");
    Loop& loop = loop_[static_cast<std::size_t>(loops_)];
    loop = {.dim = node.dim.value};
    if (node.kind == NestNode::Kind::kSpatial) {
      const Fanout& fanout = arch.fanout(node.node);
      loop.is_spatial = true;
      loop.shares_reads = fanout.multicast != Multicast::kNone;
      loop.shares_in_part = fanout.multicast == Multicast::kOverlap;
      loop.reduces = fanout.reduction;
      loop.fanout = node.node.value;
    }
    factor[static_cast<std::size_t>(loops_)] = node.factor;
    loops_of_dim_[node.dim.pos()] |= LoopSet{1} << loops_;
    ++loops_;
  }
  int next = 0;
  for (int d = 0; d < dims_; ++d) {
    first_slot_[static_cast<std::size_t>(d)] = next;
    for (LoopSet left = loops_of_dim_[static_cast<std::size_t>(d)]; left != 0; left &= left - 1) {
      const int loop = std::countr_zero(left);
      slot_[static_cast<std::size_t>(next)].factor = factor[static_cast<std::size_t>(loop)];
      slot_[static_cast<std::size_t>(next)].loop = loop;
      slot_of_loop_[static_cast<std::size_t>(loop)] = next++;
    }
  }
  first_slot_[static_cast<std::size_t>(dims_)] = next;
  add_links();
}

void Evaluator::add_links() {
  links_.clear();
  for (int t = 0; t < tensors_; ++t) {
    const std::size_t at = static_cast<std::size_t>(t);
    int above = -1;
    for (int m = 0; m < memories_; ++m) {
      const std::size_t mem = static_cast<std::size_t>(m);
      link_above_[mem][at] = -1;
      if (boundary_[mem][at] < 0) continue;
      if (above >= 0) {
        Link& link = links_[static_cast<std::size_t>(above)];
        link.child = m;
        link.boundary = boundary_[mem][at];
        link_above_[mem][at] = above;
      }
      above = static_cast<int>(links_.size());
      link_below_[mem][at] = above;
      links_.push_back(
          {.tensor = t, .parent = m, .child = -1, .parent_boundary = boundary_[mem][at]});
    }
  }
  link_state_.resize(links_.size());
}

// (1) along one dim.
void Evaluator::refresh_dim(int dim) {
  const std::size_t d = static_cast<std::size_t>(dim);
  std::int64_t left = problem_.workload().dim(DimId(dim)).size;
  std::uint8_t ragged = 0;
  for (int i = first_slot_[d]; i < first_slot_[d + 1]; ++i) {
    Slot& slot = slot_[static_cast<std::size_t>(i)];
    const std::int64_t next = ceil_div(left, slot.factor);
    slot.count = left;
    slot.rest = left - (next - 1) * slot.factor;
    ragged |= slot.rest != slot.factor;
    left = next;
  }
  ragged_[d] = ragged;
  TW_DCHECK(left == 1, "the factors cover the dim");
}

void Evaluator::refresh_masks() {
  temporal_ = spatial_ = all_spatial_ = shares_reads_ = shares_in_part_ = reduces_ = 0;
  relevant_.fill(0);
  for (int i = 0; i < loops_; ++i) {
    const Loop& loop = loop_[static_cast<std::size_t>(i)];
    const LoopSet bit = LoopSet{1} << i;
    const bool runs =
        slot_[static_cast<std::size_t>(slot_of_loop_[static_cast<std::size_t>(i)])].factor > 1;
    if (loop.is_spatial) all_spatial_ |= bit;
    if (!runs) continue;
    (loop.is_spatial ? spatial_ : temporal_) |= bit;
    if (loop.shares_reads) shares_reads_ |= bit;
    if (loop.shares_in_part) shares_in_part_ |= bit;
    if (loop.reduces) reduces_ |= bit;
  }
  for (int t = 0; t < tensors_; ++t) {
    const std::uint32_t dims = problem_.workload().relevant_dims(TensorId(t));
    for (int d = 0; d < dims_; ++d) {
      if ((dims >> d & 1U) != 0)
        relevant_[static_cast<std::size_t>(t)] |= loops_of_dim_[static_cast<std::size_t>(d)];
    }
  }
  for (int m = 0; m < memories_; ++m) {
    LoopSet outside = 0;
    for (LoopSet left = spatial_; left != 0; left &= left - 1) {
      const int i = std::countr_zero(left);
      if (loop_[static_cast<std::size_t>(i)].fanout <
          memory_[static_cast<std::size_t>(m)].node.value) {
        outside |= LoopSet{1} << i;
      }
    }
    spatial_outside_[static_cast<std::size_t>(m)] = outside;
  }
}

// Events along irrelevant dims are kept one by one, so that a change along one of them costs one
// recount. `changed_dim` -1: everything may have changed.
void Evaluator::refresh_link(std::size_t index, int changed_dim) {
  const Link& link = links_[index];
  LinkState& state = link_state_[index];
  const TensorInfo& tensor = tensor_[static_cast<std::size_t>(link.tensor)];
  const bool relevant =
      changed_dim >= 0 &&
      (problem_.workload().relevant_dims(TensorId(link.tensor)) >> changed_dim & 1U) != 0;
  if (relevant && (tensor.affine_dims >> changed_dim & 1U) == 0) return;  // (8) takes the whole dim

  state.innermost = find_innermost(link);
  state.merged_space = find_merged_space(link);
  const LoopSet merged = stationary(link, state.innermost);
  if (!relevant) {
    for (const int d : tensor.irrelevant) {
      if (changed_dim >= 0 && d != changed_dim) continue;
      const std::size_t at = static_cast<std::size_t>(d);
      const Slots slots = slots_from(d, link.boundary);
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
  for (int d = 0; d < dims_; ++d) {
    const Slots slots = slots_from(d, 0);
    steps *= count_events(slots, spatial_);
    if ((spatial_ & loops_of_dim_[static_cast<std::size_t>(d)]) != 0)
      units *= count_events(slots, temporal_);
  }
  result_.compute_steps = steps;  // (4)
  result_.compute_instances = units;
  result_.cycles = steps;
  result_.bottleneck = NodeId();
  for (int m = 0; m < memories_; ++m) finish_memory(m);
  const Arch& arch = problem_.arch();
  double energy = 0;
  for (int m = 0; m < memories_; ++m) {
    MemoryEvaluation& memory = result_.memories[static_cast<std::size_t>(m)];
    memory.leakage_pj = arch.memory(memory.node).leakage_pj_per_cycle *
                        static_cast<double>(result_.cycles) *
                        static_cast<double>(arch.instances(memory.node));  // (18)
    memory.energy_pj = memory.leakage_pj;
    for (const TensorCounts& counts : memory.tensors) memory.energy_pj += counts.energy_pj;
    energy += memory.energy_pj;
  }
  result_.compute_energy_pj =
      static_cast<double>(result_.computes) * arch.compute().energy_pj.value_or(0) +
      arch.compute().leakage_pj_per_cycle * static_cast<double>(result_.cycles) *
          static_cast<double>(arch.compute_units());
  result_.energy_pj = energy + result_.compute_energy_pj;  // (19)
}

void Evaluator::finish_memory(int memory) {
  const std::size_t m = static_cast<std::size_t>(memory);
  MemoryEvaluation& result = result_.memories[m];
  const LoopSet outside = spatial_outside_[m];
  result.instances = outside == 0 ? 1 : count_instances(std::countr_zero(outside));
  for (int t = 0; t < tensors_; ++t) {
    count_tensor(memory, t);
    if (result.tensors[static_cast<std::size_t>(t)].kept &&
        (memory_[m].limited || options_.all_peaks)) {
      count_peaks(memory, t);
    }
  }
  result.cycles = memory_[m].limited ? memory_cycles(memory) : 0;
  if (result.cycles > result_.cycles) {  // (16)
    result_.cycles = result.cycles;
    result_.bottleneck = result.node;
  }
}

// (14)
std::int64_t Evaluator::count_instances(int inner_loop) const {
  std::int64_t instances = 1;
  for (int d = 0; d < dims_; ++d) {
    if ((spatial_ & loops_of_dim_[static_cast<std::size_t>(d)]) == 0) continue;
    instances *= count_events(slots_from(d, inner_loop), temporal_);
  }
  return instances;
}

// (6), (7), (17)
void Evaluator::count_tensor(int memory, int tensor) {
  const std::size_t m = static_cast<std::size_t>(memory);
  const std::size_t t = static_cast<std::size_t>(tensor);
  TensorCounts& counts = result_.memories[m].tensors[t];
  counts = {};
  const int boundary = boundary_[m][t];
  if (boundary < 0) return;
  counts.kept = true;
  counts.tile = tile_size(boundary, tensor);
  counts.accesses = link_state_[static_cast<std::size_t>(link_below_[m][t])].delivered;
  const int above = link_above_[m][t];
  const std::int64_t received =
      above < 0 ? 0 : link_state_[static_cast<std::size_t>(above)].received;
  if (tensor_[t].is_output) {
    const std::int64_t fresh = first_touches(boundary, tensor, 0);
    counts.updates = counts.accesses;
    counts.reads = counts.accesses - fresh;
    counts.fills = above < 0 ? 0 : received - fresh;
    if (options_.conventions.drains_are_reads) counts.reads += received;
  } else {
    counts.reads = counts.accesses;
    counts.fills = received;
  }
  TW_DCHECK(counts.reads >= 0 && counts.fills >= 0, "no count is negative");
  const MemoryInfo& info = memory_[m];
  const std::int64_t instances = result_.memories[m].instances;
  counts.energy_pj = action_energy(counts.reads, info.block[t], instances, info.read_pj) +
                     action_energy(counts.fills, info.block[t], instances, info.fill_pj) +
                     action_energy(counts.updates, info.block[t], instances, info.update_pj);
}

// The busiest instance of (15). Where no dim that is spread in space is ragged, all are alike.
void Evaluator::count_peaks(int memory, int tensor) {
  const std::size_t m = static_cast<std::size_t>(memory);
  const std::size_t t = static_cast<std::size_t>(tensor);
  TensorCounts& counts = result_.memories[m].tensors[t];
  const LoopSet outside = spatial_outside_[m];
  bool alike = true;
  for (int d = 0; d < dims_; ++d) {
    const std::size_t at = static_cast<std::size_t>(d);
    if ((outside & loops_of_dim_[at]) != 0 && ragged_[at] != 0) alike = false;
  }
  if (alike) {
    counts.peak_reads = counts.reads / result_.memories[m].instances;
    counts.peak_writes = (counts.fills + counts.updates) / result_.memories[m].instances;
    return;
  }
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
  const std::int64_t fresh = first_touches(boundary_[m][t], tensor, outside);
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

// (17)
double Evaluator::action_energy(std::int64_t elements, std::int64_t block, std::int64_t instances,
                                double pj) const {
  if (elements == 0 || pj == 0) return 0;
  if (block == 1) return static_cast<double>(elements) * pj;
  const std::int64_t each = elements / instances;
  const std::int64_t more = elements % instances;
  const std::int64_t accesses =
      more * ceil_div(each + 1, block) + (instances - more) * ceil_div(each, block);
  return static_cast<double>(accesses) * pj;
}

}  // namespace tilewright
