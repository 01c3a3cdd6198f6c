// SPDX-License-Identifier: Apache-2.0
#include "tilewright/model/evaluator.h"

#include <algorithm>
#include <bit>

#include "tilewright/base/checked.h"

namespace tilewright {
namespace {

// (17)
double action_energy(std::int64_t elements, const Charge& charge, std::int64_t instances,
                     double pj_per_access) {
  const std::int64_t block = charge.block;
  const double pj = pj_per_access * charge.factor;
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
  for (int t = 0; t < tensors_; ++t) add_tensor(TensorId(t));
  for (const NodeId id : arch.memories()) add_memory(id);
  for (const NodeId id : arch.fanouts()) {
    const Fanout& fanout = arch.fanout(id);
    fanout_[id.pos()] = {fanout.multicast != Multicast::kNone,
                         fanout.multicast == Multicast::kOverlap, fanout.reduction, 0};
    while (fanout_[id.pos()].first_inside < memories_ &&
           memory_[static_cast<std::size_t>(fanout_[id.pos()].first_inside)].node < id) {
      ++fanout_[id.pos()].first_inside;
    }
  }
  for (int d = 0; d < dims_; ++d) size_[static_cast<std::size_t>(d)] = workload.dim(DimId(d)).size;
  links_.resize(memory_.size() * tensor_.size());
  link_state_.resize(memory_.size() * tensor_.size());
  if (std::ranges::any_of(tensor_, [](const TensorInfo& t) { return !t.affine.empty(); })) {
    affine_state_.resize(memory_.size() * tensor_.size());
  }
  result_.computes = workload.computes();
  compute_pj_ = static_cast<double>(workload.computes()) * arch.compute().energy_pj.value_or(0);
  compute_leakage_pj_ =
      arch.compute().leakage_pj_per_cycle * static_cast<double>(arch.compute_units());
}

void Evaluator::add_tensor(TensorId id) {
  const Workload& workload = problem_.workload();
  TensorInfo info;
  info.relevant_dims = workload.relevant_dims(id);
  info.is_output = id == workload.output();
  const bool holes = problem_.conventions().holes_are_data && !info.is_output;
  for (const Rank& rank : workload.tensor(id).ranks) {
    RankForm form = make_rank_form(workload, rank, holes);
    if (form.plain()) continue;
    for (const Term& term : form.terms) {
      info.affine_dims |= 1U << term.dim.value;
      info.rank_of_dim[term.dim.pos()] = static_cast<std::int8_t>(info.affine.size());
    }
    RankForm swapped = form;
    if (form.terms.size() > 1) std::swap(swapped.terms[0], swapped.terms[1]);
    info.affine.push_back({std::move(form), std::move(swapped)});
  }
  for (int d = 0; d < dims_; ++d) {
    if (workload.relevant(id, DimId(d))) relevant_to_[static_cast<std::size_t>(d)] |= only(id);
    if (!workload.relevant(id, DimId(d))) {
      info.irrelevant.add(d);
    } else if ((info.affine_dims >> d & 1U) == 0) {
      info.plain.add(d);
      info.plain_size *= workload.dim(DimId(d)).size;
    }
  }
  tensor_.push_back(std::move(info));
}

void Evaluator::add_memory(NodeId id) {
  const Arch& arch = problem_.arch();
  const Memory& memory = arch.memory(id);
  const ResolvedMemory& resolved = problem_.memory(id);
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
    info.width[at] = {resolved.bits[at], charge_of(memory, resolved.bits[at])};
  }
  const std::int64_t partial = resolved.partial_bits[problem_.workload().output().pos()];
  info.partial = {partial, charge_of(memory, partial)};
  memory_of_node_[id.pos()] = static_cast<int>(memory_.size());
  memory_.push_back(info);
  result_.memories.push_back({.node = id, .tensors = std::vector<TensorCounts>(tensor_.size())});
}

// What depends on which loops there are, not on their factors. l* is the innermost relevant loop in
// time outside the child.
inline void Evaluator::refresh_loops(const TensorInfo& tensor, const Link& link,
                                     LinkState& state) const {
  const std::size_t t = static_cast<std::size_t>(link.tensor);
  const bool is_output = tensor.is_output;
  const LoopSet outside = ~boundary(link.row).inside;
  const LoopSet between = active_ & boundary(link.parent_row).inside & outside;
  const LoopSet candidates = temporal() & relevant_[t] & outside;
  const int innermost = candidates == 0 ? -1 : std::countr_zero(candidates);
  state.merged_space = between & (is_output ? reduces_ : shares_reads_);
  state.stationary = stationary(link, innermost);
  state.innermost = innermost;
  if (tensor.affine.empty()) return;
  const bool equal = is_output || (between & shares_reads_ & ~shares_in_part_) != 0;
  state.sharing = equal ? Sharing::kEqual : Sharing::kUnion;
  state.sweep = find_sweep(link, innermost);
  state.sliding_rank = -1;
  if (state.sweep != 0) {
    const int dim = dim_of_loop_[static_cast<std::size_t>(innermost)];
    state.sliding_rank = tensor.rank_of_dim[static_cast<std::size_t>(dim)];
  }
}

// What the link moves: events along irrelevant dims, times sums along affine ranks, times the plain
// dims.
inline void Evaluator::refresh_link(const TensorInfo& tensor, std::size_t index) {
  const Link& link = links_[index];
  LinkState& state = link_state_[index];
  std::int64_t received = 1;
  std::int64_t delivered = 1;
  for (int at = 0; at < tensor.irrelevant.count; ++at) {
    const int d = tensor.irrelevant.dim[static_cast<std::size_t>(at)];
    const std::int64_t count = events(d, link.row, state.stationary);
    const bool merges = (state.merged_space & loops_of_dim_[static_cast<std::size_t>(d)]) != 0;
    received = checked_mul(received, count);
    delivered = checked_mul(
        delivered, merges ? events(d, link.row, state.stationary | state.merged_space) : count);
  }
  if (!tensor.affine.empty()) {
    refresh_affine(index);
    const AffineState& sums = affine_state_[index];
    received = combine(link, state, {}, sums.received, received);
    delivered = state.merged_space == 0
                    ? received
                    : combine(link, state, {state.merged_space, 0, state.sharing}, sums.delivered,
                              delivered);
  }
  state.received = checked_mul(received, tensor.plain_size);
  state.delivered = checked_mul(delivered, tensor.plain_size);
}

// (6), (7), (17) for the parent.
inline void Evaluator::count_link(const TensorInfo& tensor, std::size_t index) {
  const Link& link = links_[index];
  const std::size_t t = static_cast<std::size_t>(link.tensor);
  const MemoryInfo& info = memory_[static_cast<std::size_t>(link.parent)];
  const std::int64_t received = link.home ? 0 : link_state_[index - 1].received;
  const std::int64_t delivered = link_state_[index].delivered;
  MemoryEvaluation& memory = result_.memories[static_cast<std::size_t>(link.parent)];
  const std::int64_t instances = memory.instances;
  TensorCounts& counts = memory.tensors[t];
  counts.accesses = delivered;
  std::int64_t reads = delivered;
  std::int64_t fills = received;
  if (tensor.is_output) {
    const std::int64_t fresh = first_touches(link.parent_row, link.tensor);
    counts.updates = delivered;
    counts.unfinished = sums_unfinished(link);
    const bool narrows = link.home && info.partial.bits != info.width[t].bits;
    counts.finished_updates = counts.unfinished && narrows ? fresh : 0;
    reads = delivered - fresh;
    if (!link.home) fills = received - fresh;
    if (problem_.conventions().drains_are_reads) reads += received;
  }
  const Charge& charge = width_of(static_cast<std::size_t>(link.parent), t, counts).charge;
  TW_DCHECK(reads >= 0 && fills >= 0, "no count is negative");
  counts.reads = reads;
  counts.fills = fills;
  double energy = 0;
  if (tensor.is_output) {
    const std::int64_t finished = counts.finished_updates;
    energy = action_energy(delivered - finished, charge, instances, info.update_pj) +
             action_energy(finished, info.width[t].charge, instances, info.update_pj);
  }
  counts.energy_pj = energy + (action_energy(reads, charge, instances, info.read_pj) +
                               action_energy(fills, charge, instances, info.fill_pj));
}

// (21): a loop adds to what arrives at the parent in time outside the child, or in space but where
// a fan-out between the two reduces.
inline bool Evaluator::sums_unfinished(const Link& link) const {
  const LoopSet outside = active_ & ~boundary(link.row).inside;
  const LoopSet reduced = boundary(link.parent_row).inside & reduces_ & ~meeting_;
  return (summing_ & outside & ~reduced) != 0;
}

const Evaluation& Evaluator::evaluate(std::span<const NestNode> nodes) {
  TW_DCHECK(std::ranges::none_of(find_violations(problem_, Mapping({nodes.begin(), nodes.end()})),
                                 [](const Violation& v) { return is_structural(v.kind); }),
            "the mapping has no structural violation");
  load(nodes);
  for (int d = 0; d < dims_; ++d) refresh_dim(d);
  refresh_instances();
  for (int t = 0; t < tensors_; ++t) {
    const TensorInfo& tensor = tensor_[static_cast<std::size_t>(t)];
    const std::size_t end = first_link_[static_cast<std::size_t>(t) + 1];
    for (std::size_t i = first_link_[static_cast<std::size_t>(t)]; i < end; ++i) {
      refresh_loops(tensor, links_[i], link_state_[i]);
      refresh_link(tensor, i);
      count_link(tensor, i);
      TensorCounts& counts = counts_of(links_[i]);
      counts.kept = true;
      counts.peak_reads = counts.peak_writes = 0;
      counts.tile = tile_size(links_[i].parent_row, t);
    }
  }
  finish();
  return result_;
}

}  // namespace tilewright
