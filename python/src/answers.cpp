// SPDX-License-Identifier: Apache-2.0
#include "answers.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "tilewright/advice/conflict_text.h"
#include "tilewright/answers/map_answer.h"
#include "tilewright/base/version.h"
#include "tilewright/files/files.h"
#include "tilewright/io/write.h"
#include "tilewright/result/json/evaluation_json.h"
#include "tilewright/result/json/plan_json.h"
#include "tilewright/result/tile_table.h"

namespace tilewright::python {

Evaluated EvaluationAnswer::view() const {
  Evaluated evaluated{*problem, mapping, evaluation, std::nullopt};
  std::string why;
  if (const auto parsed = parse_objective(objective, why)) {
    evaluated.objective = NamedObjective{objective, *parsed};
  }
  return evaluated;
}

Planned PlanAnswer::view() const {
  return {.result = result,
          .constraints = constraints.empty() ? "" : "constraints.yaml",
          .arch_source = {},
          .sources = layer_constraints};
}

RunInputs inputs_of(const Arch& arch, const Workload* workload, const Network* network,
                    const std::string& constraints) {
  RunInputs inputs;
  const auto add = [&](const char* name, std::string text) {
    inputs.files.push_back(std::make_shared<const SourceFile>(SourceFile{name, std::move(text)}));
  };
  add("arch.yaml", write_arch(arch));
  if (workload != nullptr) add("workload.yaml", write_workload(*workload));
  if (network != nullptr) add("network.yaml", write_network(*network));
  if (!constraints.empty()) add("constraints.yaml", constraints);
  return inputs;
}

namespace {

std::shared_ptr<const SourceFile> constraints_file(const std::string& text) {
  return std::make_shared<const SourceFile>(SourceFile{"constraints.yaml", text});
}

}  // namespace

PlacedConstraints read_placed(const std::string& text, const Problem& problem) {
  if (text.empty()) return {};
  Diagnostics diagnostics;
  std::vector<Span> source;
  auto read = read_constraints(constraints_file(text), problem, diagnostics, &source);
  if (!read || diagnostics.has_errors()) throw FileError(diagnostics);
  return {*std::move(read), place_texts(source)};
}

std::vector<LayerConstraints> read_placed(const std::string& text, const Network& network,
                                          const Arch& arch, bool strict) {
  if (text.empty()) return {};
  Diagnostics diagnostics;
  auto read = read_layer_constraints(constraints_file(text), network, arch, strict, diagnostics);
  if (!read || diagnostics.has_errors()) throw FileError(diagnostics);
  return *std::move(read);
}

std::string tiles_text(const Problem& problem, const Mapping& mapping) {
  return tiles_json(problem, mapping).dump();
}

std::string to_json(const EvaluationAnswer& answer) {
  const Problem& problem = *answer.problem;
  RunInputs inputs = inputs_of(problem.arch(), &problem.workload(), nullptr, "");
  inputs.files.push_back(std::make_shared<const SourceFile>(
      SourceFile{"mapping.nest", write_nest(problem, answer.mapping)}));
  RunRecord run = make_record("evaluate", inputs, problem.conventions());
  if (answer.anyway) run.options["anyway"] = true;
  if (!answer.objective.empty()) run.options["objective"] = answer.objective;
  return evaluation_json(answer.view(), program_version(), run);
}

std::string to_json(const MapAnswer& answer) {
  const Problem& problem = answer.result.given();
  const RunInputs inputs =
      inputs_of(problem.arch(), &problem.workload(), nullptr, answer.constraints);
  return map_json(answer.result,
                  make_record(answer.options, inputs, answer.result, answer.stopped));
}

std::string to_json(const PlanAnswer& answer) {
  const RunInputs inputs =
      inputs_of(answer.result.arch, nullptr, &answer.result.network, answer.constraints);
  return plan_json(answer.view(), program_version(),
                   make_record(answer.options, inputs, answer.result, answer.stopped));
}

}  // namespace tilewright::python
