// SPDX-License-Identifier: Apache-2.0
// What "best" means: a product of powers of energy, latency and outermost traffic.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tilewright/evaluation/evaluation.h"

namespace tilewright {

/// score = energy_pj^energy * cycles^latency * traffic^traffic; less is better.
/// `traffic` is outermost_traffic().
struct Objective {
  double energy = 1;
  double latency = 1;
  double traffic = 0;

  bool operator==(const Objective&) const = default;
};

/// A named objective: "energy", "latency", "edp", "ed2p", "traffic".
struct NamedObjective {
  std::string name;
  Objective objective;
};

/// All names that `objective_by_name` knows, the default ("edp") first.
std::span<const NamedObjective> named_objectives();

std::optional<Objective> objective_by_name(std::string_view name);

/// Each exponent of a product is at least this: with smaller ones, rounding would hide figures that
/// differ.
constexpr double kLeastExponent = 0.1;
/// The exponents of a product may add up to this much.
constexpr double kMostExponents = 12;

/// A named objective or a product of powers of them: `energy^1*latency^2`. Nothing if the text is
/// neither; `why` then says so in one line.
std::optional<Objective> parse_objective(std::string_view text, std::string& why);

/// As a product that reads back: `energy^1*latency^2`.
std::string to_product(const Objective& objective);

/// The smallest exponent above 0, at most 1; 1 if there is none. Where figures may be off by some
/// share of themselves, scores that are further apart than this much of it are of different
/// figures.
double least_exponent(const Objective& objective);

/// Elements read from the outermost memory, and updates to it.
std::int64_t outermost_traffic(const Evaluation& evaluation);

/// One factor of a score.
double power(double base, double exponent);

/// Throws OverflowError if it is not a finite number.
double score(const Objective& objective, const Evaluation& evaluation);

}  // namespace tilewright
