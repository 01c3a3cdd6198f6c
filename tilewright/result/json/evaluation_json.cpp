// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/json/evaluation_json.h"

#include <nlohmann/json.hpp>

#include "tilewright/format/json_text.h"
#include "tilewright/io/write.h"
#include "tilewright/plan/traffic.h"
#include "tilewright/result/assumptions.h"
#include "tilewright/result/caveats.h"
#include "tilewright/result/json/run_json.h"
#include "tilewright/result/tile_table.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

Json workload_json(const Workload& workload) {
  Json dims = Json::object();
  for (const Dim& dim : workload.dims()) dims[dim.name] = dim.size;
  return {{"name", workload.name()}, {"einsum", to_einsum(workload)}, {"dims", dims}};
}

Json arch_json(const Arch& arch) {
  Json result = {{"name", arch.name()}, {"compute_units", arch.compute_units()}};
  if (arch.clock_hz()) result["clock_hz"] = to_double(*arch.clock_hz());
  return result;
}

Json tensor_json(const Evaluated& evaluated, const MemoryEvaluation& memory, TensorId tensor) {
  const TensorCounts& counts = memory.tensors[tensor.pos()];
  const ResolvedMemory& resolved = evaluated.problem.memory(memory.node);
  Json result = {{"name", evaluated.problem.workload().tensor(tensor).name},
                 {"bits", resolved.bits[tensor.pos()]},
                 {"tile", counts.tile}};
  if (resolved.partial_bits[tensor.pos()] != resolved.bits[tensor.pos()]) {
    result["partial_bits"] = resolved.partial_bits[tensor.pos()];
    result["unfinished"] = counts.unfinished;
    result["finished_updates"] = counts.finished_updates;
  }
  if (const auto room = room_bits(evaluated.problem, memory.node, tensor)) {
    result["room_bits"] = *room;
  }
  result["reads"] = counts.reads;
  result["fills"] = counts.fills;
  result["updates"] = counts.updates;
  result["peak_reads"] = counts.peak_reads;
  result["peak_writes"] = counts.peak_writes;
  result["refetch"] = refetch(evaluated, memory, tensor);
  result["energy_pj"] = counts.energy_pj;
  return result;
}

Json memory_json(const Evaluated& evaluated, const MemoryEvaluation& memory) {
  const Arch& arch = evaluated.problem.arch();
  Json tensors = Json::array();
  for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
    if (memory.tensors[t].kept) tensors.push_back(tensor_json(evaluated, memory, TensorId(t)));
  }
  return {{"name", arch.memory(memory.node).name},
          {"instances", arch.instances(memory.node)},
          {"working", memory.instances},
          {"cycles", memory.cycles},
          {"energy_pj", memory.energy_pj},
          {"leakage_pj", memory.leakage_pj},
          {"tensors", tensors}};
}

Json off_chip_json(const Evaluated& evaluated) {
  const Arch& arch = evaluated.problem.arch();
  Json names = Json::array();
  for (const NodeId id : arch.off_chip_memories()) names.push_back(arch.memory(id).name);
  Json result = {{"memories", names}, {"bits", nullptr}};
  try {
    result["bits"] = off_chip_bits(evaluated.problem, evaluated.evaluation);
  } catch (const OverflowError&) {  // elements can be counted, their bits cannot
  }
  return result;
}

}  // namespace

std::string evaluation_json(const Evaluated& evaluated, const std::string& version,
                            const RunRecord& run) {
  const Evaluation& evaluation = evaluated.evaluation;
  const Arch& arch = evaluated.problem.arch();
  const Utilization used = utilization(evaluation, arch.compute_units());
  Json root;
  root["tilewright"] = {{"version", version}, {"schema", kResultSchema}};
  root["workload"] = workload_json(evaluated.problem.workload());
  root["arch"] = arch_json(arch);
  root["mapping"] = write_nest(evaluated.problem, evaluated.mapping);
  root["tiles"] = tiles_json(evaluated.problem, evaluated.mapping);
  root["conventions"] = {{"holes_are_data", evaluated.problem.conventions().holes_are_data},
                         {"drains_are_reads", evaluated.problem.conventions().drains_are_reads}};
  root["computes"] = evaluation.computes;
  root["cycles"] = evaluation.cycles;
  if (const auto time = seconds(evaluated)) root["seconds"] = *time;
  root["energy_pj"] = evaluation.energy_pj;
  root["edp_pj_cycles"] = evaluation.energy_pj * static_cast<double>(evaluation.cycles);
  if (evaluated.objective) {
    root["objective"] = {{"name", evaluated.objective->name},
                         {"score", score(evaluated.objective->objective, evaluation)}};
  }
  root["bottleneck"] = node_or_compute_name(arch, evaluation.bottleneck);
  root["utilization"] = {{"total", used.total},
                         {"spatial", used.spatial},
                         {"edge", used.edge},
                         {"temporal", used.temporal}};
  root["compute"] = {{"name", arch.compute().name},
                     {"units", arch.compute_units()},
                     {"working", evaluation.compute_instances},
                     {"cycles", evaluation.compute_steps},
                     {"energy_pj", evaluation.compute_energy_pj}};
  root["memories"] = Json::array();
  for (const MemoryEvaluation& memory : evaluation.memories) {
    root["memories"].push_back(memory_json(evaluated, memory));
  }
  root["off_chip"] = off_chip_json(evaluated);
  root["assumptions"] = find_assumptions(arch);
  root["caveats"] = find_caveats(evaluated);
  add_run(run, root);
  return json_text(root);
}

}  // namespace tilewright
