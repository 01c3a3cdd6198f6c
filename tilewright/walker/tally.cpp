// SPDX-License-Identifier: Apache-2.0
#include "tilewright/walker/tally.h"

#include <algorithm>
#include <optional>

#include "tilewright/base/checked.h"

namespace tilewright::walking {
namespace {

// Marks who works at this time step; returns how many do.
std::int64_t mark(const Clock& clock, const Instances& instances, std::vector<bool>& worked) {
  std::int64_t active = 0;
  for (std::size_t i = 0; i < instances.count(); ++i) {
    if (!instances.active(i, clock.position())) continue;
    worked[i] = true;
    ++active;
  }
  return active;
}

// Accesses that move `elements`, dealt out one by one to `instances` in turn, `block` at a time.
std::int64_t blocks(std::int64_t elements, std::int64_t instances, std::int64_t block) {
  std::int64_t accesses = 0;
  for (std::int64_t i = 0; i < instances; ++i) {
    const std::int64_t share = elements / instances + (i < elements % instances ? 1 : 0);
    accesses += (share + block - 1) / block;
  }
  return accesses;
}

std::int64_t time_for(std::int64_t bits, const std::optional<Rational>& bandwidth) {
  return bandwidth ? ceil_div(bits, *bandwidth) : 0;
}

// Bits of an element of tensor `t` but of those that finish it.
std::int64_t element_bits(const Problem& problem, const MemoryTally& memory, std::size_t t) {
  const ResolvedMemory& resolved = problem.memory(memory.node);
  return memory.tensors[t].unfinished ? resolved.partial_bits[t] : resolved.bits[t];
}

// Updates that finish an element while others leave it unfinished: the last one of each at home,
// where an element was touched once more than an old partial sum of it was read.
std::int64_t finishing(const Problem& problem, const MemoryTally& memory, std::size_t t) {
  const TensorTally& tally = memory.tensors[t];
  if (!tally.home || element_bits(problem, memory, t) == problem.memory(memory.node).bits[t]) {
    return 0;
  }
  return tally.moves.front().updates - tally.moves.front().reads;
}

// Cycles that one instance needs for what it moved of all tensors.
std::int64_t instance_cycles(const Problem& problem, const MemoryTally& memory,
                             std::size_t instance) {
  const Memory& what = problem.arch().memory(memory.node);
  std::int64_t read = 0;
  std::int64_t written = 0;
  for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
    if (!memory.tensors[t].kept) continue;
    const Moves& moves = memory.tensors[t].moves[instance];
    const std::int64_t bits = element_bits(problem, memory, t);
    const std::int64_t finished = finishing(problem, memory, t);
    read = checked_add(read, checked_mul(moves.reads, bits));
    written = checked_add(written, checked_mul(moves.fills + moves.updates - finished, bits));
    written = checked_add(written, checked_mul(finished, problem.memory(memory.node).bits[t]));
  }
  return std::max({time_for(read, what.read_bandwidth), time_for(written, what.write_bandwidth),
                   time_for(checked_add(read, written), what.shared_bandwidth)});
}

TensorCounts sum_tensor(const Problem& problem, const MemoryTally& memory, std::size_t t,
                        std::int64_t instances) {
  const TensorTally& tally = memory.tensors[t];
  TensorCounts sum;
  if (!tally.kept) return sum;
  sum.kept = true;
  sum.tile = tally.tile;
  for (const Moves& moves : tally.moves) {
    sum.reads += moves.reads;
    sum.fills += moves.fills;
    sum.updates += moves.updates;
    sum.accesses += moves.accesses;
  }
  sum.peak_reads = tally.moves.front().reads;
  sum.peak_writes = tally.moves.front().fills + tally.moves.front().updates;
  const Memory& what = problem.arch().memory(memory.node);
  sum.unfinished = tally.unfinished;
  sum.finished_updates = finishing(problem, memory, t);
  const auto energy = [&](std::int64_t elements, std::int64_t bits,
                          const std::optional<double>& pj) {
    if (what.energy.per_bit)
      return static_cast<double>(elements) * (pj.value_or(0) * static_cast<double>(bits));
    const std::int64_t block =
        what.width_bits ? std::max<std::int64_t>(1, *what.width_bits / bits) : 1;
    return static_cast<double>(blocks(elements, instances, block)) * pj.value_or(0);
  };
  const std::int64_t bits = element_bits(problem, memory, t);
  sum.energy_pj =
      energy(sum.reads, bits, what.energy.read_pj) + energy(sum.fills, bits, what.energy.fill_pj) +
      energy(sum.updates - sum.finished_updates, bits, what.energy.update_pj) +
      energy(sum.finished_updates, problem.memory(memory.node).bits[t], what.energy.update_pj);
  return sum;
}

MemoryEvaluation sum_memory(const Problem& problem, const MemoryTally& memory) {
  MemoryEvaluation sum;
  sum.node = memory.node;
  sum.instances = std::count(memory.worked.begin(), memory.worked.end(), true);
  sum.cycles = instance_cycles(problem, memory, 0);  // the first one, by (15)
  for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
    sum.tensors.push_back(sum_tensor(problem, memory, t, sum.instances));
    sum.energy_pj += sum.tensors.back().energy_pj;
  }
  return sum;
}

}  // namespace

Tally start_tally(const Problem& problem, const Nest& nest) {
  std::vector<std::size_t> all;
  for (std::size_t l = 0; l < nest.spatial.size(); ++l) all.push_back(l);
  Tally tally{.units = Instances(nest, all), .worked = {}, .memories = {}};
  tally.worked.resize(tally.units.count());
  for (const NodeId node : problem.arch().memories()) {
    std::vector<std::size_t> outside;
    for (const std::size_t l : all) {
      if (nest.spatial[l].fanout < node) outside.push_back(l);
    }
    MemoryTally memory{
        .node = node, .instances = Instances(nest, outside), .worked = {}, .tensors = {}};
    memory.worked.resize(memory.instances.count());
    memory.tensors.resize(problem.workload().tensors().size());
    tally.memories.push_back(std::move(memory));
  }
  return tally;
}

void count_step(const Clock& clock, Tally& tally) {
  ++tally.steps;
  tally.computes += mark(clock, tally.units, tally.worked);
  for (MemoryTally& memory : tally.memories) mark(clock, memory.instances, memory.worked);
}

Evaluation evaluate_tally(const Problem& problem, const Tally& tally) {
  const Arch& arch = problem.arch();
  Evaluation sum;
  sum.computes = tally.computes;
  sum.compute_instances = std::count(tally.worked.begin(), tally.worked.end(), true);
  sum.compute_steps = tally.steps;
  sum.cycles = tally.steps;
  for (const MemoryTally& memory : tally.memories) {
    sum.memories.push_back(sum_memory(problem, memory));
    if (sum.memories.back().cycles > sum.cycles) {
      sum.cycles = sum.memories.back().cycles;
      sum.bottleneck = memory.node;
    }
  }
  // Everything leaks as long as the slowest part runs, so this comes after all cycles are known.
  const double cycles = static_cast<double>(sum.cycles);
  for (MemoryEvaluation& memory : sum.memories) {
    memory.leakage_pj = arch.memory(memory.node).leakage_pj_per_cycle * cycles *
                        static_cast<double>(arch.instances(memory.node));
    memory.energy_pj += memory.leakage_pj;
    sum.energy_pj += memory.energy_pj;
  }
  const Compute& unit = arch.compute();
  sum.compute_energy_pj =
      static_cast<double>(sum.computes) * unit.energy_pj.value_or(0) +
      unit.leakage_pj_per_cycle * cycles * static_cast<double>(arch.compute_units());
  sum.energy_pj += sum.compute_energy_pj;
  return sum;
}

}  // namespace tilewright::walking
