// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/timeloop/timeloop_diff.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "tilewright/diff/timeloop/reasons.h"
#include "tilewright/format/json_text.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

using compat::ComparedFigure;
using compat::Convention;
using compat::TimeloopComparison;
using Json = nlohmann::ordered_json;

Table figures_table(const Problem& problem, const TimeloopComparison& comparison, bool below) {
  std::vector<Table::Column> columns = {
      {"  figure", Table::Align::kLeft, 0}, {"ours"}, {"Timeloop's"}, {"difference"}};
  if (!below) columns.push_back({"convention", Table::Align::kLeft});
  Table table(columns);
  for (const ComparedFigure& figure : comparison.figures) {
    if (!differs(figure)) continue;
    add_with_reasons(
        table,
        {"  " + to_text(problem, figure.name), value_text(figure, figure.ours),
         value_text(figure, figure.theirs), change_text(figure, figure.theirs - figure.ours)},
        reason_texts(comparison, figure), below);
  }
  return table;
}

}  // namespace

std::string timeloop_text(const Problem& problem, const TimeloopComparison& comparison,
                          const TextOptions& options) {
  std::string text = paint("against Timeloop", Style::kHeading, options) + "\n";
  if (!comparison.obstacles.empty()) {
    for (const std::string& obstacle : comparison.obstacles) {
      text += wrap_words("  Timeloop has no such mapping: ", obstacle, options.width);
    }
    return text;
  }
  for (const compat::Refusal& refusal : comparison.refusals) {
    text += wrap_words("  Timeloop refuses it: ", to_text(problem, refusal), options.width);
  }
  const auto different = static_cast<std::size_t>(
      std::count_if(comparison.figures.begin(), comparison.figures.end(), differs));
  if (different > 0) {
    const Table table = figures_table(problem, comparison, false);
    const bool fits = table.width() <= options.width || options.wide;
    text += (fits ? table : figures_table(problem, comparison, true)).text(options);
  }
  text += "  " + count_text(static_cast<std::int64_t>(comparison.figures.size() - different)) +
          " of " + plural_text(static_cast<std::int64_t>(comparison.figures.size()), "figure") +
          " are equal\n";
  if (different > 0) text += "\n" + meanings_text(comparison, options);
  return text;
}

std::string with_timeloop_json(const std::string& evaluation, const Problem& problem,
                               const TimeloopComparison& comparison) {
  Json root = Json::parse(evaluation);
  Json& timeloop = root["timeloop"];
  timeloop["obstacles"] = comparison.obstacles;
  timeloop["refusals"] = Json::array();
  for (const compat::Refusal& refusal : comparison.refusals) {
    timeloop["refusals"].push_back(to_text(problem, refusal));
  }
  timeloop["conventions"] = Json::array();
  for (const Convention& convention : comparison.conventions) {
    timeloop["conventions"].push_back(convention_json(convention));
  }
  timeloop["figures"] = Json::array();
  for (const ComparedFigure& figure : comparison.figures) {
    timeloop["figures"].push_back(figure_json(problem, comparison, figure));
  }
  return json_text(root);
}

}  // namespace tilewright
