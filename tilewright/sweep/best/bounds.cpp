// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/best/bounds.h"

#include <algorithm>
#include <cmath>

#include "tilewright/plan/traffic.h"
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

// The score that a layer without a mapping would have.
double score_of(const PlannedLayer& moved, Figure figure) {
  if (figure == Figure::kEnergy) return moved.energy_pj;
  if (figure == Figure::kCycles) return moved.cycles;
  return moved.energy_pj * moved.cycles;
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
  double sum = 0;
  for (const SweepTarget& target : plan.targets()) {
    const std::vector<bool> resident(target.network.edges.size(), false);
    double least = 0;
    for (std::size_t i = 0; i < target.network.layers.size(); ++i) {
      const Layer& layer = target.network.layers[i];
      double score = 0;
      if (const auto workload = target.workloads[i]) {
        const std::optional<Row>& row = rows[*workload];
        if (row && has_no_mapping(*row)) return std::nullopt;
        if (row) score = least_score(*row);
      } else if (layer.kind == LayerKind::kTraffic) {
        score = score_of(plan_traffic(target.network, layer, arch, NodeId(), resident), figure);
      }
      least +=
          static_cast<double>(layer.count) * (figure == Figure::kEdp ? std::sqrt(score) : score);
    }
    sum += target.weight * least;
  }
  return figure == Figure::kEdp ? kBelow * sum * sum : sum;
}

}  // namespace tilewright
