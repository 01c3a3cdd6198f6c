// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/timeloop/timeloop_diff.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "tilewright/format/json_text.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

using compat::ComparedFigure;
using compat::Contribution;
using compat::Convention;
using compat::TimeloopComparison;
using Json = nlohmann::ordered_json;

std::string value_text(const ComparedFigure& figure, double value) {
  if (is_count(figure.name.kind)) return count_text(std::llround(value));
  return energy_text(value);
}

std::string change_text(const ComparedFigure& figure, double change) {
  return (change < 0 ? "-" : "+") + value_text(figure, std::abs(change));
}

bool differs(const ComparedFigure& figure) {
  return !figure.contributions.empty() || figure.unexplained != 0;
}

// One row for the figure with its first convention, and one for each further convention; or all
// conventions in lines below the row.
void add_rows(Table& table, const Problem& problem, const TimeloopComparison& comparison,
              const ComparedFigure& figure, bool below) {
  std::vector<std::string> reasons;
  const bool several = figure.contributions.size() + (figure.unexplained != 0 ? 1 : 0) > 1;
  const auto add = [&](std::string_view name, double change) {
    reasons.push_back(std::string(name) + (several ? " " + change_text(figure, change) : ""));
  };
  for (const Contribution& part : figure.contributions) {
    add(comparison.conventions[part.convention].name, part.change);
  }
  if (figure.unexplained != 0) add("not explained", figure.unexplained);
  std::vector<std::string> cells = {
      "  " + to_text(problem, figure.name), value_text(figure, figure.ours),
      value_text(figure, figure.theirs), change_text(figure, figure.theirs - figure.ours)};
  if (!below) cells.push_back(reasons.front());
  table.add_row(cells);
  for (std::size_t i = below ? 0 : 1; i < reasons.size(); ++i) {
    if (below) {
      table.add_line("      " + reasons[i]);
    } else {
      table.add_row({"", "", "", "", reasons[i]});
    }
  }
}

Table figures_table(const Problem& problem, const TimeloopComparison& comparison, bool below) {
  std::vector<Table::Column> columns = {
      {"  figure", Table::Align::kLeft, 0}, {"ours"}, {"Timeloop's"}, {"difference"}};
  if (!below) columns.push_back({"convention", Table::Align::kLeft});
  Table table(columns);
  for (const ComparedFigure& figure : comparison.figures) {
    if (differs(figure)) add_rows(table, problem, comparison, figure, below);
  }
  return table;
}

std::string meanings_text(const TimeloopComparison& comparison, const TextOptions& options) {
  std::set<std::size_t> used;
  for (const ComparedFigure& figure : comparison.figures) {
    for (const Contribution& part : figure.contributions) used.insert(part.convention);
  }
  std::string text;
  for (const std::size_t one : used) {
    const Convention& convention = comparison.conventions[one];
    const std::string head = "  " + std::string(convention.name) + ": ";
    text += wrap_words(head,
                       std::string(convention.meaning) + " (docs/timeloop-counting.md, section " +
                           std::string(convention.section) + ")",
                       options.width);
  }
  return text;
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
    timeloop["conventions"].push_back({{"name", std::string(convention.name)},
                                       {"section", std::string(convention.section)},
                                       {"meaning", std::string(convention.meaning)}});
  }
  timeloop["figures"] = Json::array();
  for (const ComparedFigure& figure : comparison.figures) {
    const auto number = [&](double value) {
      return is_count(figure.name.kind) ? Json(std::llround(value)) : Json(value);
    };
    Json parts = Json::array();
    for (const Contribution& part : figure.contributions) {
      parts.push_back({{"name", std::string(comparison.conventions[part.convention].name)},
                       {"change", number(part.change)}});
    }
    timeloop["figures"].push_back({{"name", to_text(problem, figure.name)},
                                   {"ours", number(figure.ours)},
                                   {"timeloop", number(figure.theirs)},
                                   {"conventions", parts},
                                   {"unexplained", number(figure.unexplained)}});
  }
  return json_text(root);
}

}  // namespace tilewright
