// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/best/bounds.h"

#include <algorithm>
#include <cmath>

#include "tilewright/search/questions/status.h"

namespace tilewright {
namespace {

// A square of a sum of roots is rounded, and so is the product of sums that it bounds; this is well
// below. Sums alone need no such care: they are made in the same order as those of a design.
constexpr double kBelow = 1 - 1e-9;

bool has_no_mapping(const Row& row) {
  return row.status == status_name(Status::kInfeasible) ||
         row.status == status_name(Status::kContradictory);
}

// What the problem of a row scores at least.
double least_score(const Row& row) {
  if (row.status == status_name(Status::kProved)) return row.score.value_or(0);
  return row.status == kFailedStatus ? 0 : row.bound.value_or(0);
}

// What a layer scores at least.
double least_score(const LayerAnswer& layer, Figure figure) {
  if (layer.row != nullptr) return *layer.row ? least_score(**layer.row) : 0;
  if (figure == Figure::kEnergy) return layer.energy_pj;
  if (figure == Figure::kCycles) return layer.cycles;
  return layer.energy_pj * layer.cycles;
}

}  // namespace

std::optional<Figure> bounded_figure(const Objective& objective) {
  if (objective == Objective{1, 1, 0}) return Figure::kEdp;
  if (objective == Objective{1, 0, 0}) return Figure::kEnergy;
  if (objective == Objective{0, 1, 0}) return Figure::kCycles;
  return std::nullopt;
}

std::optional<double> bound_design(const SweepPlan& plan, const Arch& arch,
                                   std::span<const std::optional<Row>> rows, Figure figure) {
  const auto unmapped = [](const std::optional<Row>& row) { return row && has_no_mapping(*row); };
  if (std::ranges::any_of(rows, unmapped)) return std::nullopt;
  double sum = 0;
  for (const SweepTarget& target : plan.targets()) {
    double least = 0;
    for_each_layer(target, arch, rows, [&](const LayerAnswer& layer) {
      const double score = least_score(layer, figure);
      least += layer.count * (figure == Figure::kEdp ? std::sqrt(score) : score);
    });
    sum += target.weight * least;
  }
  return figure == Figure::kEdp ? kBelow * sum * sum : sum;
}

}  // namespace tilewright
