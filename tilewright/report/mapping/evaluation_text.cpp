// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/evaluation_text.h"

#include <fmt/format.h>

#include "tilewright/format/number_text.h"
#include "tilewright/report/mapping/nest_text.h"
#include "tilewright/report/score_text.h"
#include "tilewright/result/caveats.h"

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

std::string mapping_section(const Evaluated& evaluated, const TextOptions& options) {
  return paint("mapping", Style::kHeading, options) + " with its tiles in elements\n" +
         nest_text(evaluated.problem, evaluated.mapping, options);
}

}  // namespace

std::string verdict_text(const Evaluated& evaluated, const TextOptions& options) {
  std::string result = title_text(title(evaluated), options);
  const std::vector<std::string> items = verdict_items(evaluated, options);
  for (const std::string& line : wrap_items(items, ", ", options.width)) result += line + "\n";
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
