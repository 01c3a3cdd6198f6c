// SPDX-License-Identifier: Apache-2.0
// Why one figure of Timeloop's differs from ours, as words and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tilewright/compat/compare.h"
#include "tilewright/format/layout.h"

namespace tilewright {

/// True unless our model and Timeloop's conventions give the same.
bool differs(const compat::ComparedFigure& figure);

/// A value of that kind: a count, or an energy with its unit.
std::string value_text(const compat::ComparedFigure& figure, double value);
/// The same with its sign.
std::string change_text(const compat::ComparedFigure& figure, double change);

/// The conventions that make the difference, with what each contributes if there are several.
std::vector<std::string> reason_texts(const compat::TimeloopComparison& comparison,
                                      const compat::ComparedFigure& figure);

/// A row of `cells` with the first reason in the last column, and a row for each further one; or
/// all reasons in lines below the row.
void add_with_reasons(Table& table, std::vector<std::string> cells,
                      const std::vector<std::string>& reasons, bool below);

/// A line or two about every convention that makes a difference somewhere.
std::string meanings_text(const compat::TimeloopComparison& comparison, const TextOptions& options);
/// The same about one of them.
std::string meaning_text(const compat::Convention& convention, const TextOptions& options);

nlohmann::ordered_json convention_json(const compat::Convention& convention);
nlohmann::ordered_json figure_json(const Problem& problem,
                                   const compat::TimeloopComparison& comparison,
                                   const compat::ComparedFigure& figure);

}  // namespace tilewright
