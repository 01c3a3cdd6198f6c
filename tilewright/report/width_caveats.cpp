// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/width_caveats.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewright {
namespace {

// The widest accumulators of the output inside `memory` that are in use; unset if there are none.
NodeId widest_inside(const Evaluated& evaluated, NodeId memory) {
  const std::size_t output = evaluated.problem.workload().output().pos();
  const auto bits = [&](NodeId id) { return evaluated.problem.memory(id).partial_bits[output]; };
  NodeId widest;
  for (const MemoryEvaluation& inner : evaluated.evaluation.memories) {
    if (inner.node <= memory || !inner.tensors[output].kept) continue;
    if (!widest.valid() || bits(inner.node) > bits(widest)) widest = inner.node;
  }
  return widest;
}

void add_narrow_sums(const Evaluated& evaluated, std::vector<std::string>& caveats) {
  const Arch& arch = evaluated.problem.arch();
  const Tensor& output = evaluated.problem.workload().tensors().back();
  for (const MemoryEvaluation& memory : evaluated.evaluation.memories) {
    const TensorCounts& counts = memory.tensors.back();
    const ResolvedMemory& here = evaluated.problem.memory(memory.node);
    if (!counts.kept || !counts.unfinished || here.partial_given) continue;
    const NodeId inner = widest_inside(evaluated, memory.node);
    if (!inner.valid()) continue;
    const std::int64_t wide = evaluated.problem.memory(inner).partial_bits.back();
    const std::int64_t narrow = here.partial_bits.back();
    if (wide <= narrow) continue;
    caveats.push_back(fmt::format(
        "partial sums of {0} have {1} bits in {2} but are counted as {3} bits in {4}; if they keep "
        "their width there, say `bits: {{{0}: {{final: {3}, partial: {1}}}}}`",
        output.name, wide, arch.memory(inner).name, narrow, arch.memory(memory.node).name));
  }
}

void add_prices_per_element(const Evaluated& evaluated, std::vector<std::string>& caveats) {
  std::vector<std::string> names;
  for (const MemoryEvaluation& memory : evaluated.evaluation.memories) {
    const Memory& description = evaluated.problem.arch().memory(memory.node);
    const ActionEnergy& energy = description.energy;
    const bool priced = energy.read_pj || energy.fill_pj || energy.update_pj;
    if (!keeps_anything(memory) || !priced || energy.per_bit || description.width_bits) continue;
    names.push_back(description.name);
  }
  if (names.empty()) return;
  caveats.push_back(
      fmt::format("accesses of {} are priced per element, whatever its bits: no `width` is given",
                  fmt::join(names, ", ")));
}

}  // namespace

std::vector<std::string> find_width_caveats(const Evaluated& evaluated) {
  std::vector<std::string> caveats;
  add_narrow_sums(evaluated, caveats);
  add_prices_per_element(evaluated, caveats);
  return caveats;
}

}  // namespace tilewright
