// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/caveats.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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

// Partial sums that are kept narrower than they were summed, and memories whose energies do not
// depend on how wide an element is.
std::vector<std::string> find_width_caveats(const Evaluated& evaluated) {
  std::vector<std::string> caveats;
  add_narrow_sums(evaluated, caveats);
  add_prices_per_element(evaluated, caveats);
  return caveats;
}

void add_missing_energies(const Evaluated& evaluated, std::vector<std::string>& missing) {
  const Arch& arch = evaluated.problem.arch();
  for (const MemoryEvaluation& memory : evaluated.evaluation.memories) {
    const Memory& description = arch.memory(memory.node);
    std::int64_t reads = 0;
    std::int64_t fills = 0;
    std::int64_t updates = 0;
    for (const TensorCounts& counts : memory.tensors) {
      reads = std::max(reads, counts.reads);
      fills = std::max(fills, counts.fills);
      updates = std::max(updates, counts.updates);
    }
    const auto check = [&](const char* action, std::int64_t count,
                           const std::optional<double>& energy) {
      if (count > 0 && !energy) missing.push_back(description.name + " " + action);
    };
    check("read", reads, description.energy.read_pj);
    check("fill", fills, description.energy.fill_pj);
    check("update", updates, description.energy.update_pj);
  }
  if (!arch.compute().energy_pj) missing.push_back(arch.compute().name);
}

std::string join(const std::vector<std::string>& items) {
  return fmt::format("{}", fmt::join(items, ", "));
}

}  // namespace

std::vector<std::string> find_caveats(const Evaluated& evaluated) {
  const Arch& arch = evaluated.problem.arch();
  std::vector<std::string> result;
  std::vector<std::string> missing;
  add_missing_energies(evaluated, missing);
  if (!missing.empty()) {
    result.push_back("no energy is given for " + join(missing) + ": counted as 0 pJ");
  }
  std::ranges::move(find_width_caveats(evaluated), std::back_inserter(result));
  std::vector<std::string> unlimited;
  std::vector<std::string> unused;
  for (const MemoryEvaluation& memory : evaluated.evaluation.memories) {
    const Memory& description = arch.memory(memory.node);
    if (!keeps_anything(memory)) {
      unused.push_back(description.name);
    } else if (!bandwidth_use(evaluated, memory)) {
      unlimited.push_back(description.name);
    }
  }
  if (!unlimited.empty()) {
    result.push_back("no bandwidth is given for " + join(unlimited) + ": taken as unlimited");
  }
  if (!unused.empty()) result.push_back(join(unused) + " keeps nothing in this mapping");
  for (const UnknownTensor& unknown : evaluated.problem.unknown()) {
    result.push_back(
        fmt::format("{} of the architecture speaks of `{}`, which is neither a "
                    "tensor nor a role of this workload",
                    arch.memory(unknown.memory).name, unknown.name));
  }
  if (evaluated.problem.conventions().holes_are_data) {
    result.push_back("convention holes_are_data: strided input tiles count their holes");
  }
  if (evaluated.problem.conventions().drains_are_reads) {
    result.push_back("convention drains_are_reads: handing out results costs a read");
  }
  return result;
}

}  // namespace tilewright
