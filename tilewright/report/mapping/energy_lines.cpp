// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/energy_lines.h"

#include <fmt/format.h>

#include "tilewright/format/number_text.h"
#include "tilewright/model/derive.h"
#include "tilewright/report/mapping/derivation_text.h"

namespace tilewright {
namespace {

using Lines = std::vector<std::string>;

// `512 pJ`; nothing says how much: a price that counts as 0.
std::string price_text(const std::optional<double>& pj) {
  return pj ? fmt::format("{:.6g} pJ", *pj) : "0 pJ (not given)";
}

// `reads: 64 elements, 4 to an access: 16 accesses * 100 pJ = 1.600 nJ`
std::string cost_line(const ActionCost& cost) {
  std::string text =
      fmt::format("  {}: {}", action_name(cost.action), plural_text(cost.elements, "element"));
  if (cost.per_bit) text += fmt::format(" * {} bit", cost.bits);
  if (cost.block > 1) {
    text += fmt::format(" of {} bit, {} to an access: {} accesses", cost.bits, cost.block,
                        count_text(cost.accesses));
  }
  return text + fmt::format(" * {}{} = {}", price_text(cost.price_pj), cost.per_bit ? "/bit" : "",
                            energy_text(cost.energy_pj()));
}

std::string leakage_line(double pj_per_cycle, std::int64_t instances, std::int64_t cycles,
                         const char* what) {
  const double energy = pj_per_cycle * static_cast<double>(instances) * static_cast<double>(cycles);
  return fmt::format("  leakage: {:.6g} pJ/cycle * {} * {} cycles = {}", pj_per_cycle,
                     plural_text(instances, what), count_text(cycles), energy_text(energy));
}

}  // namespace

Lines tensor_energy_lines(const Evaluated& evaluated, const MemoryEvaluation& memory,
                          TensorId tensor) {
  const Memory& node = evaluated.problem.arch().memory(memory.node);
  const std::string& name = evaluated.problem.workload().tensor(tensor).name;
  const double energy = memory.tensors[tensor.pos()].energy_pj;
  Lines lines = {fmt::format("{}.{}.energy = {}", node.name, name, energy_text(energy))};
  for (const ActionCost& cost : derive_energy(evaluated.problem, memory, tensor)) {
    lines.push_back(cost_line(cost));
  }
  if (lines.size() == 1) lines.emplace_back("  nothing is moved");
  return lines;
}

Lines memory_energy_lines(const Evaluated& evaluated, const MemoryEvaluation& memory) {
  const Arch& arch = evaluated.problem.arch();
  const Memory& node = arch.memory(memory.node);
  Lines lines = {fmt::format("{}.energy = {}", node.name, energy_text(memory.energy_pj))};
  for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
    if (!memory.tensors[t].kept) continue;
    lines.push_back(fmt::format("  {}: {}", evaluated.problem.workload().tensor(TensorId(t)).name,
                                energy_text(memory.tensors[t].energy_pj)));
  }
  if (memory.leakage_pj > 0) {
    lines.push_back(leakage_line(node.leakage_pj_per_cycle, arch.instances(memory.node),
                                 evaluated.evaluation.cycles, "instance"));
  }
  return lines;
}

Lines compute_energy_lines(const Evaluated& evaluated) {
  const Arch& arch = evaluated.problem.arch();
  const Compute& unit = arch.compute();
  const Evaluation& evaluation = evaluated.evaluation;
  const double energy = unit.energy_pj.value_or(0) * static_cast<double>(evaluation.computes);
  Lines lines = {
      fmt::format("{}.energy = {}", unit.name, energy_text(evaluation.compute_energy_pj)),
      fmt::format("  {} * {} = {}", plural_text(evaluation.computes, "MAC"),
                  price_text(unit.energy_pj), energy_text(energy))};
  if (unit.leakage_pj_per_cycle > 0) {
    lines.push_back(
        leakage_line(unit.leakage_pj_per_cycle, arch.compute_units(), evaluation.cycles, "unit"));
  }
  return lines;
}

Lines edp_lines(const Evaluated& evaluated) {
  const Evaluation& evaluation = evaluated.evaluation;
  const double edp = evaluation.energy_pj * 1e-12 * static_cast<double>(evaluation.cycles);
  return {"edp = " + si_text(edp, "J*cycle"),
          fmt::format("  energy {} * {} cycles", energy_text(evaluation.energy_pj),
                      count_text(evaluation.cycles)),
          "  see also `explain energy` and `explain cycles`"};
}

}  // namespace tilewright
