// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/evaluation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tilewright/report/nest_text.h"
#include "tilewright/report/number_text.h"
#include "tilewright/report/score_text.h"
#include "tilewright/report/width_caveats.h"

namespace tilewright {
namespace {

std::string title(const Evaluated& evaluated) {
  const Workload& workload = evaluated.problem.workload();
  const Arch& arch = evaluated.problem.arch();
  return fmt::format("{} on {}: {}, {}", workload.name(), arch.name(),
                     plural_text(evaluated.evaluation.computes, "MAC"),
                     plural_text(arch.compute_units(), "unit"));
}

std::vector<std::string> verdict_items(const Evaluated& evaluated, const TextOptions& options) {
  const Evaluation& evaluation = evaluated.evaluation;
  const auto bold = [&](const std::string& text) { return paint(text, Style::kBold, options); };
  const double per_mac = evaluation.energy_pj / static_cast<double>(evaluation.computes);
  const double edp = evaluation.energy_pj * 1e-12 * static_cast<double>(evaluation.cycles);
  const Utilization used = utilization(evaluation, evaluated.problem.arch().compute_units());
  std::string cycles = bold(count_text(evaluation.cycles)) + " cycles";
  if (const auto time = seconds(evaluated)) cycles += " (" + si_text(*time, "s", 3) + ")";
  std::vector<std::string> items = {
      bold(energy_text(evaluation.energy_pj)), bold(significant_text(per_mac, 4)) + " pJ/MAC",
      cycles, "EDP " + bold(si_text(edp, "J*cycle")), "util " + bold(percent_text(used.total))};
  if (evaluated.objective) {
    const double value = score(evaluated.objective->objective, evaluation);
    items.push_back(evaluated.objective->name + " score " +
                    bold(score_text(evaluated.objective->name, value, 6)));
  }
  return items;
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

std::string mapping_section(const Evaluated& evaluated, const TextOptions& options) {
  return paint("mapping", Style::kHeading, options) + " with its tiles in elements\n" +
         nest_text(evaluated.problem, evaluated.mapping, options,
                   evaluated.conventions.holes_are_data);
}

std::string join(const std::vector<std::string>& items) {
  return fmt::format("{}", fmt::join(items, ", "));
}

}  // namespace

std::string verdict_text(const Evaluated& evaluated, const TextOptions& options) {
  std::string result = title_text(title(evaluated), options);
  const std::vector<std::string> items = verdict_items(evaluated, options);
  for (const std::string& line : wrap_items(items, ", ", options.width)) result += line + "\n";
  return result;
}

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
  if (evaluated.conventions.holes_are_data) {
    result.push_back("convention holes_are_data: strided input tiles count their holes");
  }
  if (evaluated.conventions.drains_are_reads) {
    result.push_back("convention drains_are_reads: handing out results costs a read");
  }
  return result;
}

std::string caveats_text(const Evaluated& evaluated, const TextOptions& options) {
  std::string result;
  for (const std::string& caveat : find_caveats(evaluated)) {
    result += wrap_words(paint("note: ", Style::kWarning, options), caveat, options.width);
  }
  result += wrap_words(paint("not modelled: ", Style::kDim, options),
                       "fill and drain times, bank conflicts, network latency and energy, "
                       "sparsity; transfers overlap perfectly with computing",
                       options.width);
  return result;
}

std::string evaluation_text(const Evaluated& evaluated, const TextOptions& options) {
  std::string result = verdict_text(evaluated, options);
  for (const std::string& section :
       {cycles_text(evaluated, options), energy_breakdown_text(evaluated, options),
        utilization_text(evaluated, options), traffic_text(evaluated, options),
        mapping_section(evaluated, options), caveats_text(evaluated, options)}) {
    result += "\n" + section;
  }
  return result;
}

}  // namespace tilewright
