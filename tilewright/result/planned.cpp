// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/planned.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/result/evaluated.h"
#include "tilewright/search/questions/status.h"

namespace tilewright {
namespace {

constexpr double kMost = 0.8;  // of the time or the energy

bool is_same_row(const Planned& planned, const PlanRow& row, std::size_t layer) {
  const PlannedLayer& each = planned.result.plan.layers[layer];
  if (row.each.solved || each.solved) return row.each.solved == each.solved;
  const Layer& first = planned.result.network.layers[row.layers.front()];
  return first.op == planned.result.network.layers[layer].op && row.each.cycles == each.cycles &&
         row.each.energy_pj == each.energy_pj && row.each.dram_bits == each.dram_bits;
}

ConflictSetting setting_of(const Planned& planned, const Solved& solved) {
  const LayerConstraints* known =
      find_layer_constraints(planned.sources, solved.problem->workload());
  return {*solved.problem, kind_of_space(planned.result.request.space), solved.asked.constraints,
          planned.arch_source,
          known == nullptr ? std::span<const Span>{} : std::span<const Span>(known->source)};
}

// `layers `a`, `b` and 3 more`
std::string layers_words(const Planned& planned, const Solved& solved) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  std::size_t more = 0;
  for (std::size_t l = 0; l < planned.result.plan.layers.size(); ++l) {
    if (find_solved(planned, planned.result.plan.layers[l]) != &solved) continue;
    if (names.size() == kNamed) ++more;
    if (names.size() < kNamed) names.push_back(in_backticks(planned.result.network.layers[l].name));
  }
  const bool one = names.size() == 1;
  return fmt::format("layer{} {}{}", one ? "" : "s", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

std::string why_not(const Planned& planned, const Solved& solved) {
  if (!solved.conflict) return solved.why_not;
  return conflict_words(setting_of(planned, solved), *solved.conflict);
}

std::vector<ConflictLine> conflict_lines(const Planned& planned, const Solved& solved) {
  if (!solved.conflict) return {};
  return conflict_lines(setting_of(planned, solved), *solved.conflict);
}

void report_conflicts(const Planned& planned, Diagnostics& diagnostics) {
  for (const Solved& solved : planned.result.plan.solved) {
    if (!solved.conflict) continue;
    Diagnostic& finding =
        report_conflict(setting_of(planned, solved), *solved.conflict, diagnostics);
    finding.message = fmt::format("{}: {}", layers_words(planned, solved), finding.message);
  }
}

std::vector<Unmet> find_unmet(const Planned& planned) {
  std::vector<Unmet> all;
  for (std::size_t l = 0; l < planned.result.plan.layers.size(); ++l) {
    const Solved* solved = find_solved(planned, planned.result.plan.layers[l]);
    if (solved == nullptr) continue;
    for (const std::string& constraint : solved->asked.without) {
      auto known = std::ranges::find(all, constraint, &Unmet::constraint);
      if (known == all.end()) known = all.insert(known, Unmet{constraint, {}});
      known->layers.push_back(l);
    }
  }
  return all;
}

std::size_t count_unmet(const Planned& planned) {
  return static_cast<std::size_t>(
      std::ranges::count_if(planned.result.plan.layers, [&](const PlannedLayer& layer) {
        const Solved* solved = find_solved(planned, layer);
        return solved != nullptr && !solved->asked.without.empty();
      }));
}

std::vector<PlanRow> fold_layers(const Planned& planned) {
  std::vector<PlanRow> rows;
  for (std::size_t l = 0; l < planned.result.network.layers.size(); ++l) {
    const Layer& layer = planned.result.network.layers[l];
    if (layer.kind == LayerKind::kNothing) continue;
    const auto same = std::ranges::find_if(
        rows, [&](const PlanRow& row) { return is_same_row(planned, row, l); });
    PlanRow& row = same == rows.end() ? rows.emplace_back() : *same;
    if (row.layers.empty()) row.each = planned.result.plan.layers[l];
    row.layers.push_back(l);
    row.runs = checked_add(row.runs, layer.count);
  }
  return rows;
}

const Solved* find_solved(const Planned& planned, const PlannedLayer& layer) {
  return layer.solved ? &planned.result.plan.solved[*layer.solved] : nullptr;
}

double layer_utilization(const Planned& planned, const PlannedLayer& layer) {
  const Solved* solved = find_solved(planned, layer);
  if (solved == nullptr || !solved->best) return 0;
  return utilization(solved->best->evaluation, planned.result.arch.compute_units()).total;
}

std::string layer_bottleneck(const Planned& planned, const PlannedLayer& layer) {
  const Solved* solved = find_solved(planned, layer);
  if (solved == nullptr) {
    const NodeId outermost = planned.result.arch.memories().front();
    return node_or_compute_name(planned.result.arch,
                                layer.slowest.valid() ? layer.slowest : outermost);
  }
  return solved->best
             ? node_or_compute_name(planned.result.arch, solved->best->evaluation.bottleneck)
             : "";
}

std::optional<double> solved_gap(const Solved& solved) {
  if (!solved.best) return std::nullopt;
  if (solved.status == Status::kProved) return 0;
  if (!solved.bound) return std::nullopt;
  return find_gap(solved.best->score, *solved.bound);
}

std::optional<double> plan_seconds(const Planned& planned, double cycles) {
  const std::optional<Rational>& clock = planned.result.arch.clock_hz();
  if (!clock) return std::nullopt;
  return cycles / to_double(*clock);
}

std::vector<PlanRow> largest_rows(std::vector<PlanRow> rows, double PlannedLayer::*figure,
                                  double all) {
  const auto value = [figure](const PlanRow& row) {
    return static_cast<double>(row.runs) * row.each.*figure;
  };
  std::ranges::stable_sort(rows, std::greater{}, value);
  double sum = 0;
  std::size_t count = 0;
  while (count < rows.size() && sum < kMost * all) sum += value(rows[count++]);
  rows.resize(count);
  return rows;
}

std::vector<PlanRow> longest_rows(std::vector<PlanRow> rows, double all_cycles) {
  return largest_rows(std::move(rows), &PlannedLayer::cycles, all_cycles);
}

}  // namespace tilewright
