// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/score_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tilewright/base/error.h"
#include "tilewright/evaluation/objective.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

std::string power_unit(const std::string& unit, double exponent) {
  return exponent == 1 ? unit : fmt::format("{}^{:g}", unit, exponent);
}

}  // namespace

std::string score_text(const std::string& objective, double score, int digits) {
  std::string why;
  const std::optional<Objective> parsed = parse_objective(objective, why);
  TW_CHECK(parsed.has_value(), "the command line checked the objective");
  std::vector<std::string> units;
  if (parsed->energy != 0) units.push_back(power_unit("J", parsed->energy));
  if (parsed->latency != 0) units.push_back(power_unit("cycle", parsed->latency));
  if (parsed->traffic != 0) units.push_back(power_unit("element", parsed->traffic));
  const std::string unit = fmt::format("{}", fmt::join(units, "*"));
  constexpr double kJoule = 1e-12;  // scores count picojoules
  if (parsed->energy == 1) return si_text(score * kJoule, unit, digits);
  if (unit == "cycle" || unit == "element") {
    const auto whole = static_cast<std::int64_t>(score);
    const bool exact = score < 1e15 && static_cast<double>(whole) == score;
    const std::string number =
        exact ? count_text(whole) : significant_text(score, std::max(digits, 6));
    return number + " " + unit + "s";
  }
  return fmt::format("{:.{}g} {}{}", score, digits, parsed->energy == 0 ? "" : "p", unit);
}

}  // namespace tilewright
