// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/json/plan_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tilewright/format/csv_text.h"
#include "tilewright/format/json_text.h"
#include "tilewright/io/write.h"
#include "tilewright/result/assumptions.h"
#include "tilewright/result/json/evaluation_json.h"
#include "tilewright/result/json/run_json.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

const char* kind_name(LayerKind kind) {
  switch (kind) {
    case LayerKind::kMapped:
      return "mapped";
    case LayerKind::kTraffic:
      return "traffic";
    case LayerKind::kNothing:
      break;
  }
  return "nothing";
}

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// What cannot hold together; empty if that is not why there is no mapping.
Json conflict_json(const Planned& planned, const Solved& solved) {
  Json lines = Json::array();
  for (const ConflictLine& line : conflict_lines(planned, solved)) {
    lines.push_back({{"place", line.place}, {"demand", line.demand}, {"change", line.change}});
  }
  return lines;
}

// What was mapped, and the best mapping as `evaluate --json` has it.
Json problem_json(const Planned& planned, const Solved& solved, const std::string& version) {
  Json json;
  json["name"] = solved.problem->workload().name();
  json["ending"] = ending_name(solved.ending);
  json["proved"] = solved.status == Status::kProved;
  json["score"] = solved.best ? Json(solved.best->score) : Json(nullptr);
  json["bound"] = or_null(solved.bound);
  json["gap"] = or_null(solved_gap(solved));
  json["workload"] = write_workload(solved.problem->workload());
  // With edges on chip a layer sees less of the accelerator.
  if (!(solved.problem->arch() == planned.result.arch))
    json["arch"] = write_arch(solved.problem->arch());
  json["constraints"] = solved.asked.constraints.size();
  json["without"] = solved.asked.without;
  if (!solved.best) {
    json["why_not"] = why_not(planned, solved);
    json["conflict"] = conflict_json(planned, solved);
    return json;
  }
  json["mapping"] = write_nest(*solved.problem, solved.best->mapping);
  Json result = Json::parse(
      evaluation_json({*solved.problem, solved.best->mapping, solved.best->evaluation}, version));
  for (const char* known : {"tilewright", "workload", "arch", "mapping", "conventions"}) {
    result.erase(known);
  }
  json["evaluation"] = std::move(result);
  return json;
}

Json layer_json(const Planned& planned, std::size_t index) {
  const Layer& layer = planned.result.network.layers[index];
  const PlannedLayer& each = planned.result.plan.layers[index];
  Json json = {{"name", layer.name},
               {"op", layer.op},
               {"kind", kind_name(layer.kind)},
               {"count", layer.count},
               {"problem", or_null(each.solved)},
               {"energy_pj", each.energy_pj},
               {"cycles", each.cycles},
               {"dram_bits", each.dram_bits}};
  if (const auto time = plan_seconds(planned, each.cycles)) json["seconds"] = *time;
  if (const Solved* solved = find_solved(planned, each)) json["without"] = solved->asked.without;
  if (layer.kind != LayerKind::kNothing) json["bottleneck"] = layer_bottleneck(planned, each);
  return json;
}

Json totals_json(const Planned& planned) {
  const PlanTotals& totals = planned.result.plan.totals;
  Json json = {{"energy_pj", totals.energy_pj},
               {"cycles", totals.cycles},
               {"edp_pj_cycles", totals.energy_pj * totals.cycles},
               {"edp_bound_pj_cycles", totals.bound > 0 ? Json(totals.bound) : Json(nullptr)},
               {"computes", totals.computes},
               {"utilization", totals.utilization},
               {"dram_bits", totals.dram_bits},
               {"proved", totals.proved},
               {"proved_without", totals.proved_without},
               {"without", count_unmet(planned)},
               {"unmapped", totals.unmapped}};
  if (const auto time = plan_seconds(planned, totals.cycles)) json["seconds"] = *time;
  return json;
}

std::string number(double value) { return fmt::format("{}", value); }

}  // namespace

std::string plan_json(const Planned& planned, const std::string& version, const RunRecord& run) {
  Json root;
  root["tilewright"] = {{"version", version}, {"kind", "plan"}, {"schema", kPlanSchema}};
  root["network"] = planned.result.network.name;
  root["arch"] = write_arch(planned.result.arch);
  root["search"] = {{"space", planned.result.request.space},
                    {"mapper", mapper_name(planned.result.request.mapper)},
                    {"objective", planned.result.request.objective.name},
                    {"keep_on_chip", planned.result.request.keep_on_chip},
                    {"constraints", planned.constraints}};
  if (planned.result.request.placement != "even") {
    root["search"]["placement"] = planned.result.request.placement;
  }
  root["conventions"] = {{"holes_are_data", planned.result.request.conventions.holes_are_data},
                         {"drains_are_reads", planned.result.request.conventions.drains_are_reads}};
  root["assumptions"] = find_assumptions(planned.result.arch);
  root["off_chip"] = Json::array();
  for (const NodeId id : planned.result.arch.off_chip_memories()) {
    root["off_chip"].push_back(planned.result.arch.memory(id).name);
  }
  root["totals"] = totals_json(planned);
  if (planned.result.request.keep_on_chip) {
    Json edges = Json::array();
    for (const std::size_t edge : planned.result.plan.resident) {
      edges.push_back(planned.result.network.edges[edge].name);
    }
    root["on_chip"] = {
        {"memory", planned.result.plan.buffer.valid()
                       ? Json(planned.result.arch.memory(planned.result.plan.buffer).name)
                       : Json(nullptr)},
        {"edges", edges}};
  }
  root["problems"] = Json::array();
  for (const Solved& solved : planned.result.plan.solved) {
    root["problems"].push_back(problem_json(planned, solved, version));
  }
  root["layers"] = Json::array();
  for (std::size_t l = 0; l < planned.result.network.layers.size(); ++l) {
    root["layers"].push_back(layer_json(planned, l));
  }
  add_run(run, root);
  return json_text(root);
}

std::string plan_csv(const Planned& planned) {
  std::string text =
      "layer,op,domain,kind,count,problem,computes,cycles,seconds,energy_pj,edp_pj_cycles,"
      "utilization,dram_bits,bottleneck,proved,gap,why_not,without\n";
  for (std::size_t l = 0; l < planned.result.network.layers.size(); ++l) {
    const Layer& layer = planned.result.network.layers[l];
    const PlannedLayer& each = planned.result.plan.layers[l];
    const Solved* solved = find_solved(planned, each);
    const bool known = solved == nullptr || solved->best;
    const auto time = plan_seconds(planned, each.cycles);
    const std::optional<double> gap = solved == nullptr ? std::nullopt : solved_gap(*solved);
    const std::vector<std::string> cells = {
        csv_cell(layer.name),
        csv_cell(layer.op),
        csv_cell(layer.domain),
        kind_name(layer.kind),
        fmt::format("{}", layer.count),
        each.solved ? fmt::format("{}", *each.solved) : "",
        layer.workload ? fmt::format("{}", layer.workload->computes()) : "",
        known ? number(each.cycles) : "",
        known && time ? number(*time) : "",
        known ? number(each.energy_pj) : "",
        known ? number(each.energy_pj * each.cycles) : "",
        solved != nullptr && known ? number(layer_utilization(planned, each)) : "",
        known ? number(each.dram_bits) : "",
        layer.kind == LayerKind::kNothing ? "" : csv_cell(layer_bottleneck(planned, each)),
        solved == nullptr                   ? ""
        : solved->status == Status::kProved ? "yes"
                                            : "no",
        gap ? number(*gap) : "",
        solved == nullptr ? "" : csv_cell(why_not(planned, *solved)),
        solved == nullptr ? ""
                          : csv_cell(fmt::format("{}", fmt::join(solved->asked.without, "; ")))};
    text += csv_line(cells);
  }
  return text;
}

}  // namespace tilewright
