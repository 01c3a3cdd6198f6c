// SPDX-License-Identifier: Apache-2.0
// How busy the compute units are, and what keeps them from being busier.
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/format/number_text.h"
#include "tilewright/report/mapping/evaluation_text.h"
#include "tilewright/report/mapping/utilization_parts.h"

namespace tilewright {
namespace {

std::string idle_text(const std::vector<AxisUse>& uses) {
  std::vector<std::string> sentences;
  for (const AxisUse& use : uses) {
    if (use.used >= use.size) continue;
    std::string text = fmt::format("{} of {} idle on {}", use.size - use.used, use.size, use.name);
    if (use.size / use.used > 1) {
      text += fmt::format(" (room for one more loop of up to {})", use.size / use.used);
    }
    sentences.push_back(text);
  }
  return fmt::format("{}", fmt::join(sentences, ", "));
}

}  // namespace

std::string utilization_text(const Evaluated& evaluated, const TextOptions& options) {
  const Evaluation& evaluation = evaluated.evaluation;
  const Utilization used = utilization(evaluation, evaluated.problem.arch().compute_units());
  const std::vector<AxisUse> uses = axis_uses(evaluated);
  std::string result =
      fmt::format("{} {} = spatial {} x edge {} x temporal {}\n",
                  paint("utilization", Style::kHeading, options),
                  paint(percent_text(used.total), Style::kBold, options),
                  percent_text(used.spatial), percent_text(used.edge), percent_text(used.temporal));
  const auto add = [&](const char* name, double factor, std::string text) {
    if (text.empty()) return;
    result +=
        wrap_words(fmt::format("  {:<10}{:>7}  ", name, percent_text(factor)), text, options.width);
  };
  std::vector<std::string> axes;
  for (const AxisUse& use : uses) axes.push_back(axis_text(use));
  const std::string space = fmt::format("{}", fmt::join(axes, ", "));
  add("spatial", used.spatial, space);
  if (const std::string idle = idle_text(uses); !idle.empty()) {
    result += wrap_words(std::string(21, ' '), idle, options.width);
  }
  add("edge", used.edge, edge_text(evaluated));
  add("temporal", used.temporal, wait_text(evaluated));
  return result;
}

}  // namespace tilewright
