// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/timeloop/reasons.h"

#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "tilewright/format/number_text.h"

namespace tilewright {

using compat::ComparedFigure;
using compat::Contribution;
using compat::Convention;
using compat::TimeloopComparison;
using Json = nlohmann::ordered_json;

bool differs(const ComparedFigure& figure) {
  return !figure.contributions.empty() || figure.unexplained != 0;
}

std::string value_text(const ComparedFigure& figure, double value) {
  if (is_count(figure.name.kind)) return count_text(std::llround(value));
  return energy_text(value);
}

std::string change_text(const ComparedFigure& figure, double change) {
  return (change < 0 ? "-" : "+") + value_text(figure, std::abs(change));
}

std::vector<std::string> reason_texts(const TimeloopComparison& comparison,
                                      const ComparedFigure& figure) {
  std::vector<std::string> reasons;
  const bool several = figure.contributions.size() + (figure.unexplained != 0 ? 1 : 0) > 1;
  const auto add = [&](std::string_view name, double change) {
    reasons.push_back(std::string(name) + (several ? " " + change_text(figure, change) : ""));
  };
  for (const Contribution& part : figure.contributions) {
    add(comparison.conventions[part.convention].name, part.change);
  }
  if (figure.unexplained != 0) add("not explained", figure.unexplained);
  return reasons;
}

void add_with_reasons(Table& table, std::vector<std::string> cells,
                      const std::vector<std::string>& reasons, bool below) {
  const std::size_t columns = cells.size();
  if (!below) cells.push_back(reasons.front());
  table.add_row(std::move(cells));
  for (std::size_t i = below ? 0 : 1; i < reasons.size(); ++i) {
    if (below) {
      table.add_line("      " + reasons[i]);
      continue;
    }
    std::vector<std::string> further(columns);
    further.push_back(reasons[i]);
    table.add_row(std::move(further));
  }
}

std::string meaning_text(const Convention& convention, const TextOptions& options) {
  return wrap_words("  " + std::string(convention.name) + ": ",
                    std::string(convention.meaning) + " (docs/timeloop-counting.md, section " +
                        std::string(convention.section) + ")",
                    options.width);
}

std::string meanings_text(const TimeloopComparison& comparison, const TextOptions& options) {
  std::set<std::size_t> used;
  for (const ComparedFigure& figure : comparison.figures) {
    for (const Contribution& part : figure.contributions) used.insert(part.convention);
  }
  std::string text;
  for (const std::size_t one : used) text += meaning_text(comparison.conventions[one], options);
  return text;
}

Json convention_json(const Convention& convention) {
  return {{"name", std::string(convention.name)},
          {"section", std::string(convention.section)},
          {"meaning", std::string(convention.meaning)}};
}

Json figure_json(const Problem& problem, const TimeloopComparison& comparison,
                 const ComparedFigure& figure) {
  const auto number = [&](double value) {
    return is_count(figure.name.kind) ? Json(std::llround(value)) : Json(value);
  };
  Json parts = Json::array();
  for (const Contribution& part : figure.contributions) {
    parts.push_back({{"name", std::string(comparison.conventions[part.convention].name)},
                     {"change", number(part.change)}});
  }
  return {{"name", to_text(problem, figure.name)},
          {"ours", number(figure.ours)},
          {"timeloop", number(figure.theirs)},
          {"conventions", parts},
          {"unexplained", number(figure.unexplained)}};
}

}  // namespace tilewright
