// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/parts.h"

namespace tilewright {
namespace {

struct Row {
  std::string name;
  std::optional<std::int64_t> cycles;
  std::string detail;
  bool bottleneck = false;
};

std::vector<Row> rows_of(const Evaluated& evaluated) {
  const Evaluation& evaluation = evaluated.evaluation;
  const Arch& arch = evaluated.problem.arch();
  std::vector<Row> rows;
  for (const MemoryEvaluation& memory : evaluation.memories) {
    if (!keeps_anything(memory)) continue;
    Row row{arch.memory(memory.node).name, std::nullopt, "no bandwidth given",
            evaluation.bottleneck == memory.node};
    if (const auto use = bandwidth_use(evaluated, memory)) {
      row.cycles = memory.cycles;
      row.detail = fmt::format("{} {} of {:.4g} {}s per cycle", use->what, fixed_text(use->used, 2),
                               use->limit, use->unit);
    }
    rows.push_back(std::move(row));
  }
  rows.push_back({arch.compute().name, evaluation.compute_steps,
                  fmt::format("{} of {} work", count_text(evaluation.compute_instances),
                              plural_text(arch.compute_units(), "unit")),
                  !evaluation.bottleneck.valid()});
  return rows;
}

void utilization_row(Markup& out, const char* name, double share, const std::string& why) {
  const auto row = out.in("tr");
  out.leaf("th", {{"scope", "row"}}, name);
  out.leaf("td", {{"class", "number"}}, percent_text(share));
  const auto cell = out.in("td");
  bar(out, {{share, "unit", why}}, fmt::format("{} {}", name, percent_text(share)));
  out.leaf("span", {{"class", "detail"}}, why);
}

void utilization_table(Markup& out, const Evaluated& evaluated) {
  const Evaluation& evaluation = evaluated.evaluation;
  const std::int64_t units = evaluated.problem.arch().compute_units();
  const Utilization used = utilization(evaluation, units);
  const auto table = out.in("table", {{"class", "bars"}});
  head_row(out, {{"utilization"}, {"share", true}, {"of 100 %"}});
  const auto body = out.in("tbody");
  utilization_row(out, "spatial", used.spatial,
                  fmt::format("{} of {} ever work", count_text(evaluation.compute_instances),
                              plural_text(units, "unit")));
  utilization_row(out, "edge", used.edge,
                  used.edge < 1 ? "shorter last passes leave units idle" : "every pass is full");
  utilization_row(out, "temporal", used.temporal,
                  used.temporal < 1
                      ? "units wait for " +
                            node_or_compute_name(evaluated.problem.arch(), evaluation.bottleneck)
                      : "units never wait for a memory");
  utilization_row(out, "total", used.total, "the product of the three");
}

}  // namespace

void cycles_figure(Markup& out, const Evaluated& evaluated) {
  const auto figure = out.in("figure");
  {
    const auto table = out.in("table", {{"class", "bars"}});
    head_row(
        out,
        {{"level"}, {"cycles", true}, {"busy, of 100 %, and how the busiest instance is used"}});
    const auto body = out.in("tbody");
    const double most = static_cast<double>(std::max<std::int64_t>(1, evaluated.evaluation.cycles));
    for (const Row& row : rows_of(evaluated)) {
      const auto line = out.in("tr");
      {
        const auto head = out.in("th", {{"scope", "row"}});
        breakable(out, row.name);
        if (row.bottleneck) out.text(" (bottleneck)");
      }
      out.leaf("td", {{"class", "number"}}, row.cycles ? count_text(*row.cycles) : "-");
      const auto cell = out.in("td");
      if (row.cycles) {
        const double share = static_cast<double>(*row.cycles) / most;
        bar(out, {{share, row.bottleneck ? "hot" : "unit", row.detail}},
            fmt::format("{} busy {}", row.name, percent_text(share)));
      }
      out.leaf("span", {{"class", "detail"}}, row.detail);
    }
  }
  utilization_table(out, evaluated);
}

}  // namespace tilewright
