// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/model/derive.h"

namespace tilewright {
namespace {

// The elements lie evenly over the instances: `larger` of them have one more.
std::int64_t count_accesses(std::int64_t elements, std::int64_t block, std::int64_t instances) {
  const std::int64_t each = elements / instances;
  const std::int64_t larger = elements % instances;
  return larger * ceil_div(each + 1, block) + (instances - larger) * ceil_div(each, block);
}

}  // namespace

std::vector<ActionCost> derive_energy(const Problem& problem, const MemoryEvaluation& memory,
                                      TensorId tensor) {
  const Memory& node = problem.arch().memory(memory.node);
  const TensorCounts& counts = memory.tensors[tensor.pos()];
  const ResolvedMemory& resolved = problem.memory(memory.node);
  const std::int64_t finished = resolved.bits[tensor.pos()];
  const std::int64_t usual = counts.unfinished ? resolved.partial_bits[tensor.pos()] : finished;
  std::vector<ActionCost> costs;
  const auto add = [&](Action action, std::int64_t elements, std::int64_t bits,
                       const std::optional<double>& pj) {
    if (elements == 0) return;
    const bool blocks = node.width_bits && !node.energy.per_bit;
    const std::int64_t block = blocks ? std::max<std::int64_t>(1, *node.width_bits / bits) : 1;
    costs.push_back({action, elements, bits, block,
                     count_accesses(elements, block, memory.instances), pj, node.energy.per_bit});
  };
  add(Action::kReads, counts.reads, usual, node.energy.read_pj);
  add(Action::kFills, counts.fills, usual, node.energy.fill_pj);
  add(Action::kUpdates, counts.updates - counts.finished_updates, usual, node.energy.update_pj);
  add(Action::kUpdates, counts.finished_updates, finished, node.energy.update_pj);
  return costs;
}

}  // namespace tilewright
