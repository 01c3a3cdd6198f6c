// SPDX-License-Identifier: Apache-2.0
#include "tilewright/sweep/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "tilewright/arch/area.h"
#include "tilewright/base/input_error.h"
#include "tilewright/plan/traffic.h"
#include "tilewright/search/questions/status.h"

namespace tilewright {
namespace {

constexpr std::array<std::pair<std::string_view, Figure>, 4> kFigures = {
    {{"energy", Figure::kEnergy},
     {"cycles", Figure::kCycles},
     {"edp", Figure::kEdp},
     {"area", Figure::kArea}}};

Standing standing_of(const std::optional<Row>& row) {
  if (!row) return Standing::kMissing;
  if (row->status == kFailedStatus) return Standing::kFailed;
  if (!row->score) return Standing::kUnmapped;
  return row->status == status_name(Status::kProved) ? Standing::kProved : Standing::kNotProved;
}

void add(TargetCost& sum, const TargetCost& part, double times) {
  sum.energy_pj += times * part.energy_pj;
  sum.cycles += times * part.cycles;
  sum.standing = std::max(sum.standing, part.standing);
}

TargetCost cost_target(const SweepTarget& target, const Arch& arch,
                       std::span<const std::optional<Row>> rows) {
  TargetCost sum;
  for_each_layer(target, arch, rows, [&](const LayerAnswer& layer) {
    TargetCost part{layer.energy_pj, layer.cycles, Standing::kProved};
    if (layer.row != nullptr) {
      const std::optional<Row>& row = *layer.row;
      part.standing = standing_of(row);
      if (row) {
        part.energy_pj = row->energy_pj.value_or(0);
        part.cycles = static_cast<double>(row->cycles.value_or(0));
      }
    }
    add(sum, part, layer.count);
  });
  return sum;
}

// One design under every request.
void append_costs(const SweepPlan& plan, RowFinder& finder, std::uint64_t number,
                  std::vector<DesignCost>& costs) {
  const Design design = plan.design(number);
  for (std::size_t request = 0; request < plan.requests().size(); ++request) {
    costs.push_back(cost_design(plan, design, request, find_rows(plan, finder, design, request)));
  }
}

}  // namespace

std::string_view standing_name(Standing standing) {
  switch (standing) {
    case Standing::kProved:
      return "proved";
    case Standing::kNotProved:
      return "not-proved";
    case Standing::kUnmapped:
      return "unmapped";
    case Standing::kFailed:
      return "failed";
    case Standing::kMissing:
      return "missing";
  }
  return "";
}

std::vector<std::optional<Row>> find_rows(const SweepPlan& plan, RowFinder& finder,
                                          const Design& design, std::size_t request) {
  std::vector<std::optional<Row>> rows;
  for (std::size_t workload = 0; workload < plan.workloads().size(); ++workload) {
    rows.push_back(finder.find(plan.key(design, workload, request)));
  }
  return rows;
}

void for_each_layer(const SweepTarget& target, const Arch& arch,
                    std::span<const std::optional<Row>> rows,
                    const std::function<void(const LayerAnswer&)>& visit) {
  const std::vector<bool> resident(target.network.edges.size(), false);
  for (std::size_t i = 0; i < target.network.layers.size(); ++i) {
    const Layer& layer = target.network.layers[i];
    LayerAnswer answer{.count = static_cast<double>(layer.count)};
    if (const auto workload = target.workloads[i]) {
      answer.row = &rows[*workload];
    } else if (layer.kind == LayerKind::kTraffic) {
      const PlannedLayer moved = plan_traffic(target.network, layer, arch, NodeId(), resident);
      answer.energy_pj = moved.energy_pj;
      answer.cycles = moved.cycles;
    }
    visit(answer);
  }
}

DesignCost cost_design(const SweepPlan& plan, const Design& design, std::size_t request,
                       std::span<const std::optional<Row>> rows) {
  DesignCost cost{design.number, request, area_um2(design.arch), {}, {}};
  for (const SweepTarget& target : plan.targets()) {
    cost.targets.push_back(cost_target(target, design.arch, rows));
    add(cost.total, cost.targets.back(), target.weight);
  }
  return cost;
}

std::vector<DesignCost> cost_designs(const SweepPlan& plan, const Store& store) {
  std::vector<DesignCost> costs;
  RowFinder finder(store, /*bodies=*/false);
  for (std::uint64_t number = 0; number < plan.designs().size(); ++number) {
    append_costs(plan, finder, number, costs);
  }
  return costs;
}

std::vector<DesignCost> cost_design(const SweepPlan& plan, const Store& store,
                                    std::uint64_t number) {
  std::vector<DesignCost> costs;
  RowFinder finder(store, /*bodies=*/false);
  append_costs(plan, finder, number, costs);
  return costs;
}

std::vector<std::uint64_t> missing_problems(const SweepPlan& plan, const Store& store,
                                            std::uint64_t design) {
  std::vector<std::uint64_t> missing;
  RowFinder finder(store, /*bodies=*/false);
  DesignCursor designs(plan);
  const std::uint64_t first = design * plan.problems_per_design();
  for (std::uint64_t number = first; number < first + plan.problems_per_design(); ++number) {
    if (!finder.find(designs.key(plan.problem(number)))) missing.push_back(number);
  }
  return missing;
}

std::optional<Figure> figure_by_name(std::string_view name) {
  for (const auto& [known, figure] : kFigures) {
    if (known == name) return figure;
  }
  return std::nullopt;
}

std::string_view figure_name(Figure figure) {
  return std::ranges::find(kFigures, figure, &std::pair<std::string_view, Figure>::second)->first;
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const auto& [name, figure] : kFigures) names.emplace_back(name);
  return names;
}

std::vector<Figure> figures_by_name(std::span<const std::string> names) {
  std::vector<Figure> figures;
  for (const std::string& name : names) {
    const auto figure = figure_by_name(name);
    if (!figure) {
      throw InputError(fmt::format("`{}` is no figure of a design; expected {}", name,
                                   fmt::join(figure_names(), ", ")));
    }
    figures.push_back(*figure);
  }
  return figures;
}

double figure_of(const DesignCost& cost, Figure figure) {
  switch (figure) {
    case Figure::kEnergy:
      return cost.total.energy_pj;
    case Figure::kCycles:
      return cost.total.cycles;
    case Figure::kEdp:
      return cost.edp();
    case Figure::kArea:
      return cost.area_um2;
  }
  return 0;
}

std::vector<std::size_t> find_front(std::span<const DesignCost> costs,
                                    std::span<const Figure> figures) {
  std::vector<std::vector<double>> points;
  for (const DesignCost& cost : costs) {
    std::vector<double>& point = points.emplace_back();
    for (const Figure figure : figures) point.push_back(figure_of(cost, figure));
  }
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return points[i]; });
  // Whoever beats a point stands before it in this order.
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    const bool beaten = std::ranges::any_of(front, [&](std::size_t other) {
      return std::ranges::equal(points[other], points[i], std::less_equal{});
    });
    if (!beaten) front.push_back(i);
  }
  return front;
}

void for_each_problem(
    const SweepPlan& plan, const Store& store,
    const std::function<void(const SweepProblem&, const Digest& key, const Row* row)>& visit) {
  RowFinder finder(store, /*bodies=*/false);
  DesignCursor designs(plan);
  for (std::uint64_t number = 0; number < plan.problems(); ++number) {
    const SweepProblem problem = plan.problem(number);
    const Digest key = designs.key(problem);
    const std::optional<Row> row = finder.find(key);
    visit(problem, key, row ? &*row : nullptr);
  }
}

}  // namespace tilewright
