// SPDX-License-Identifier: Apache-2.0
#include "tilewright/evaluation/objective.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "tilewright/base/checked.h"
#include "tilewright/base/error.h"
#include "tilewright/base/text/nearest.h"

namespace tilewright {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string quoted(std::string_view text) { return '`' + std::string(text) + '`'; }

std::string no_such_objective(std::string_view name) {
  std::vector<std::string> names;
  std::string list;
  for (const NamedObjective& named : named_objectives()) {
    names.push_back(named.name);
    list += (list.empty() ? "" : ", ") + named.name;
  }
  const bool is_time = name == "delay" || name == "cycles" || name == "time";
  const std::optional<std::string> meant = is_time ? "latency" : nearest(name, names);
  return quoted(name) + " is not an objective; " +
         (meant ? "did you mean " + quoted(*meant) + "?"
                : "choose one of " + list + " or a product such as energy^1*latency^2");
}

std::optional<double> parse_exponent(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = error == std::errc{} && end == text.data() + text.size();
  if (!number || !(value >= kLeastExponent) || value > kMostExponents) return std::nullopt;
  return value;
}

// Multiplies `product` by `text`, a name or `name^exponent`. False, and `why`, if it is neither.
bool multiply(std::string_view text, Objective& product, std::string& why) {
  const std::size_t hat = text.find('^');
  const std::string_view name = trim(text.substr(0, hat));
  const std::optional<Objective> factor = objective_by_name(name);
  if (!factor) {
    why = no_such_objective(name);
    return false;
  }
  double power = 1;
  if (hat != std::string_view::npos) {
    const std::string_view digits = trim(text.substr(hat + 1));
    const std::optional<double> exponent = parse_exponent(digits);
    if (!exponent) {
      why = quoted(digits) + " is not an exponent: it must be a number from 0.1 to 12";
      return false;
    }
    power = *exponent;
  }
  product.energy += power * factor->energy;
  product.latency += power * factor->latency;
  product.traffic += power * factor->traffic;
  return true;
}

}  // namespace

std::span<const NamedObjective> named_objectives() {
  static const std::array<NamedObjective, 5> kNamed{{
      {"edp", {.energy = 1, .latency = 1, .traffic = 0}},
      {"energy", {.energy = 1, .latency = 0, .traffic = 0}},
      {"latency", {.energy = 0, .latency = 1, .traffic = 0}},
      {"ed2p", {.energy = 1, .latency = 2, .traffic = 0}},
      {"traffic", {.energy = 0, .latency = 0, .traffic = 1}},
  }};
  return kNamed;
}

std::optional<Objective> objective_by_name(std::string_view name) {
  for (const NamedObjective& named : named_objectives()) {
    if (named.name == name) return named.objective;
  }
  return std::nullopt;
}

std::optional<Objective> parse_objective(std::string_view text, std::string& why) {
  Objective product{.energy = 0, .latency = 0, .traffic = 0};
  for (std::string_view rest = text;;) {
    const std::size_t star = rest.find('*');
    if (!multiply(trim(rest.substr(0, star)), product, why)) return std::nullopt;
    if (star == std::string_view::npos) break;
    rest.remove_prefix(star + 1);
  }
  if (product.energy + product.latency + product.traffic <= kMostExponents) return product;
  why = "the exponents of " + quoted(text) + " add up to more than 12";
  return std::nullopt;
}

std::string to_product(const Objective& objective) {
  std::string text;
  const auto add = [&](const char* name, double exponent) {
    if (exponent <= 0) return;
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), exponent).ptr;
    text += (text.empty() ? "" : "*") + std::string(name) + '^' + std::string(digits.data(), end);
  };
  add("energy", objective.energy);
  add("latency", objective.latency);
  add("traffic", objective.traffic);
  return text;
}

double least_exponent(const Objective& objective) {
  double least = 1;
  for (const double exponent : {objective.energy, objective.latency, objective.traffic}) {
    if (exponent > 0) least = std::min(least, exponent);
  }
  return least;
}

std::int64_t outermost_traffic(const Evaluation& evaluation) {
  std::int64_t traffic = 0;
  if (evaluation.memories.empty()) return traffic;
  for (const TensorCounts& counts : evaluation.memories.front().tensors) {
    traffic = checked_add(traffic, checked_add(counts.reads, counts.updates));
  }
  return traffic;
}

// The usual exponents need no pow, which is slow; it would say the same.
double power(double base, double exponent) {
  if (exponent == 0) return 1;
  return exponent == 1 ? base : std::pow(base, exponent);
}

double score(const Objective& objective, const Evaluation& evaluation) {
  double product = power(evaluation.energy_pj, objective.energy) *
                   power(static_cast<double>(evaluation.cycles), objective.latency);
  if (objective.traffic != 0) {
    product *= power(static_cast<double>(outermost_traffic(evaluation)), objective.traffic);
  }
  if (!std::isfinite(product)) [[unlikely]] {
    throw OverflowError("the score " + to_product(objective) + " of a mapping is above 10^308");
  }
  return product;
}

}  // namespace tilewright
