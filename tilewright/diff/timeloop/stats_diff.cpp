// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/timeloop/stats_diff.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "tilewright/base/text/printable.h"
#include "tilewright/diff/timeloop/reasons.h"
#include "tilewright/format/json_text.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

using compat::ComparedFigure;
using timeloop::CheckedFigure;
using timeloop::OtherConvention;
using timeloop::StatsCheck;
using Json = nlohmann::ordered_json;

Table make_table(const Problem& problem, const StatsCheck& check, bool below) {
  std::vector<Table::Column> columns = {
      {"  figure", Table::Align::kLeft, 0}, {"report"}, {"Timeloop's way"}, {"ours"}};
  if (!below) columns.push_back({"why", Table::Align::kLeft});
  Table table(columns);
  for (const CheckedFigure& one : check.figures) {
    const ComparedFigure& figure = check.comparison.figures[one.figure];
    std::vector<std::string> reasons = reason_texts(check.comparison, figure);
    if (!one.agrees) {
      reasons.push_back("the report: not explained " +
                        change_text(figure, one.reported - figure.theirs));
    }
    if (reasons.empty()) continue;
    add_with_reasons(table,
                     {"  " + to_text(problem, figure.name), value_text(figure, one.reported),
                      value_text(figure, figure.theirs), value_text(figure, figure.ours)},
                     reasons, below);
  }
  return table;
}

// As our model counts it, too.
bool is_ours(const StatsCheck& check, const CheckedFigure& one) {
  return one.agrees && !differs(check.comparison.figures[one.figure]);
}

std::string of_figures(std::size_t some, std::size_t all) {
  return count_text(static_cast<std::int64_t>(some)) + " of " +
         plural_text(static_cast<std::int64_t>(all), "figure");
}

std::string verdict_text(const StatsCheck& check, const TextOptions& options) {
  const std::size_t all = check.figures.size();
  const auto ours =
      static_cast<std::size_t>(std::ranges::count_if(check.figures, [&](const CheckedFigure& one) {
        return one.agrees && !differs(check.comparison.figures[one.figure]);
      }));
  return wrap_words("  ",
                    of_figures(all - check.disagreements(), all) +
                        " of the report agree with Timeloop's way of counting, and " +
                        count_text(static_cast<std::int64_t>(ours)) + " with our model",
                    options.width);
}

}  // namespace

std::string stats_text(const Problem& problem, const StatsCheck& check, const std::string& name,
                       const TextOptions& options) {
  std::string text = paint("against " + printable(name), Style::kHeading, options) + "\n";
  if (!check.comparison.obstacles.empty()) {
    for (const std::string& obstacle : check.comparison.obstacles) {
      text += wrap_words("  Timeloop has no such mapping: ", obstacle, options.width);
    }
    return text;
  }
  for (const compat::Refusal& refusal : check.comparison.refusals) {
    text += wrap_words("  Timeloop refuses it: ", to_text(problem, refusal), options.width);
  }
  if (!std::ranges::all_of(check.figures, [&](const auto& one) { return is_ours(check, one); })) {
    const Table table = make_table(problem, check, false);
    const bool fits = table.width() <= options.width || options.wide;
    text += (fits ? table : make_table(problem, check, true)).text(options);
  }
  text += verdict_text(check, options);
  for (const std::string& unknown : check.unknown) {
    text += wrap_words("  not compared: ", printable(unknown), options.width);
  }
  if (!check.other.empty()) {
    text += "\nconventions in which the Timeloop of this run was another\n";
    for (const OtherConvention& other : check.other) {
      text += meaning_text(other.convention, options);
      text += other.on ? "    on in this run\n" : "    off in this run\n";
    }
  }
  const std::string meanings = meanings_text(check.comparison, options);
  if (!meanings.empty()) text += "\nwhy Timeloop's way gives other figures than ours\n" + meanings;
  return text;
}

std::string stats_json(const Problem& problem, const StatsCheck& check, const std::string& name) {
  Json root;
  root["report"] = name;
  root["obstacles"] = check.comparison.obstacles;
  root["refusals"] = Json::array();
  for (const compat::Refusal& refusal : check.comparison.refusals) {
    root["refusals"].push_back(to_text(problem, refusal));
  }
  root["disagreements"] = check.disagreements();
  root["not_compared"] = check.unknown;
  root["other_conventions"] = Json::array();
  for (const OtherConvention& other : check.other) {
    Json json = convention_json(other.convention);
    json["on"] = other.on;
    root["other_conventions"].push_back(json);
  }
  root["figures"] = Json::array();
  for (const CheckedFigure& one : check.figures) {
    Json json = figure_json(problem, check.comparison, check.comparison.figures[one.figure]);
    json["report"] = one.reported;
    json["agrees"] = one.agrees;
    root["figures"].push_back(json);
  }
  return json_text(root);
}

}  // namespace tilewright
