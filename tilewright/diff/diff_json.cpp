// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "tilewright/diff/diff_text.h"
#include "tilewright/format/json_text.h"
#include "tilewright/io/write.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

Json pair_json(const Json& before, const Json& after) {
  return {{"before", before}, {"after", after}};
}

Json side_json(const DiffSide& side) {
  return {{"file", side.name},
          {"version", side.version},
          {"command", side.run.command},
          {"workload", side.evaluated.problem.workload().name()},
          {"arch", side.evaluated.problem.arch().name()},
          {"proved", side.proved ? Json(*side.proved) : Json(nullptr)},
          {"mapping", write_nest(side.evaluated.problem, side.evaluated.mapping)}};
}

Json totals_json(const Evaluated& before, const Evaluated& after) {
  const auto edp = [](const Evaluation& evaluation) {
    return evaluation.energy_pj * static_cast<double>(evaluation.cycles);
  };
  const auto used = [](const Evaluated& side) {
    return utilization(side.evaluation, side.problem.arch().compute_units()).total;
  };
  const auto bottleneck = [](const Evaluated& side) {
    return node_or_compute_name(side.problem.arch(), side.evaluation.bottleneck);
  };
  return {{"energy_pj", pair_json(before.evaluation.energy_pj, after.evaluation.energy_pj)},
          {"cycles", pair_json(before.evaluation.cycles, after.evaluation.cycles)},
          {"edp_pj_cycles", pair_json(edp(before.evaluation), edp(after.evaluation))},
          {"utilization", pair_json(used(before), used(after))},
          {"bottleneck", pair_json(bottleneck(before), bottleneck(after))}};
}

Json part_json(const PartDifference& part) {
  Json counts = Json::object();
  for (const CountDifference& count : part.counts) {
    counts[count.action] = pair_json(count.before, count.after);
  }
  return {{"name", part.name},
          {"energy_pj", pair_json(part.before_pj, part.after_pj)},
          {"counts", counts},
          {"reasons", part.reasons}};
}

}  // namespace

std::string diff_json(const DiffSide& before, const DiffSide& after, const std::string& version) {
  const ResultDiff diff = find_differences(before, after);
  Json root;
  root["tilewright"] = {{"version", version}, {"schema", kResultSchema}};
  root["before"] = side_json(before);
  root["after"] = side_json(after);
  add_settings(diff.settings, root);
  root["totals"] = totals_json(before.evaluated, after.evaluated);
  root["utilization"] = Json::array();
  for (const FactorDifference& factor : diff.factors) {
    root["utilization"].push_back({{"factor", factor.name},
                                   {"before", factor.before},
                                   {"after", factor.after},
                                   {"reasons", factor.reasons}});
  }
  root["energy"] = Json::array();
  for (const PartDifference& part : diff.parts) root["energy"].push_back(part_json(part));
  return json_text(root);
}

std::string plan_diff_json(const PlanSide& before, const PlanSide& after,
                           const std::string& version) {
  const PlanDiff diff = find_differences(before, after);
  Json root;
  root["tilewright"] = {{"version", version}, {"schema", kResultSchema}};
  root["files"] = pair_json(before.name, after.name);
  add_settings(diff.settings, root);
  root["totals"] = {{"energy_pj", pair_json(before.plan.energy_pj, after.plan.energy_pj)},
                    {"cycles", pair_json(before.plan.cycles, after.plan.cycles)},
                    {"utilization", pair_json(before.plan.utilization, after.plan.utilization)},
                    {"dram_bits", pair_json(before.plan.dram_bits, after.plan.dram_bits)}};
  root["layers"] = Json::array();
  for (const auto& [left, right] : diff.layers) {
    root["layers"].push_back({{"name", left.name},
                              {"count", pair_json(left.count, right.count)},
                              {"energy_pj", pair_json(left.energy_pj, right.energy_pj)},
                              {"cycles", pair_json(left.cycles, right.cycles)}});
  }
  return json_text(root);
}

}  // namespace tilewright
