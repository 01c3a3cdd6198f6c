// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/explain_text.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <sstream>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/format/number_text.h"
#include "tilewright/model/derive.h"
#include "tilewright/report/mapping/derivation_text.h"
#include "tilewright/report/mapping/energy_lines.h"
#include "tilewright/report/mapping/evaluation_text.h"

namespace tilewright {
namespace {

using Lines = std::vector<std::string>;

// One figure that can be asked for. Memory names may hold dots, so paths are compared whole.
struct Figure {
  std::string path;
  std::function<Lines()> lines;
};

Lines split_lines(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void add_tensor(const Evaluated& evaluated, const MemoryEvaluation& memory, TensorId tensor,
                const TextOptions& options, std::vector<Figure>& figures) {
  const TensorCounts& counts = memory.tensors[tensor.pos()];
  if (!counts.kept) return;
  const std::string start = evaluated.problem.arch().memory(memory.node).name + "." +
                            evaluated.problem.workload().tensor(tensor).name + ".";
  const NodeId node = memory.node;
  figures.push_back({start + "tile", [&evaluated, node, tensor, tile = counts.tile] {
                       return tile_lines(evaluated.problem, evaluated.mapping, node, tensor, tile);
                     }});
  for (const auto& [name, action] : {std::pair{"reads", Action::kReads},
                                     {"fills", Action::kFills},
                                     {"updates", Action::kUpdates}}) {
    figures.push_back({start + name, [&evaluated, &options, node, tensor, action = action] {
                         const Derivation why =
                             derive(evaluated.problem, evaluated.mapping, node, tensor, action);
                         return derivation_lines(evaluated.problem, evaluated.mapping, node, tensor,
                                                 why, options);
                       }});
  }
  figures.push_back({start + "energy", [&evaluated, &memory, tensor] {
                       return tensor_energy_lines(evaluated, memory, tensor);
                     }});
}

Lines memory_cycles_lines(const Evaluated& evaluated, const MemoryEvaluation& memory,
                          const std::string& path) {
  const std::optional<BandwidthUse> use = bandwidth_use(evaluated, memory);
  if (!use) return {path + " = 0", "  no bandwidth is given: taken as unlimited"};
  const std::int64_t run = evaluated.evaluation.cycles;
  return {path + " = " + count_text(memory.cycles),
          fmt::format("  {} of its busiest instance: {} {}s", use->what,
                      count_text(std::llround(use->used * static_cast<double>(run))), use->unit),
          fmt::format("  at {:.6g} {}s/cycle, rounded up", use->limit, use->unit)};
}

void add_memory(const Evaluated& evaluated, const MemoryEvaluation& memory,
                const TextOptions& options, std::vector<Figure>& figures) {
  const std::string name = evaluated.problem.arch().memory(memory.node).name;
  for (std::size_t t = 0; t < memory.tensors.size(); ++t) {
    add_tensor(evaluated, memory, TensorId(t), options, figures);
  }
  figures.push_back({name + ".cycles", [&evaluated, &memory, name] {
                       return memory_cycles_lines(evaluated, memory, name + ".cycles");
                     }});
  figures.push_back(
      {name + ".energy", [&evaluated, &memory] { return memory_energy_lines(evaluated, memory); }});
}

std::vector<Figure> all_figures(const Evaluated& evaluated, const TextOptions& options) {
  std::vector<Figure> figures;
  const auto add = [&](const char* path,
                       std::string (*section)(const Evaluated&, const TextOptions&)) {
    figures.push_back({path, [&evaluated, &options, section] {
                         return split_lines(section(evaluated, options));
                       }});
  };
  add("cycles", cycles_text);
  add("energy", energy_breakdown_text);
  add("utilization", utilization_text);
  for (const char* path : {"edp", "EDP"}) {
    figures.push_back({path, [&evaluated] { return edp_lines(evaluated); }});
  }
  for (const MemoryEvaluation& memory : evaluated.evaluation.memories) {
    add_memory(evaluated, memory, options, figures);
  }
  figures.push_back({evaluated.problem.arch().compute().name + ".energy",
                     [&evaluated] { return compute_energy_lines(evaluated); }});
  return figures;
}

}  // namespace

std::vector<std::string> explain_lines(const Evaluated& evaluated, const std::string& path,
                                       const TextOptions& options, Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const Figure& figure : all_figures(evaluated, options)) {
    if (figure.path == path) return figure.lines();
    known.push_back(figure.path);
  }
  Diagnostic& found =
      diagnostics.error("C0011", "there is no figure " + in_backticks(path) + " for this mapping");
  if (const auto meant = nearest(path, known)) {
    found.helps.push_back(fmt::format("did you mean `{}`?", *meant));
  } else {
    found.helps.emplace_back(
        "a figure is MEMORY.TENSOR.ACTION, NODE.energy, energy, cycles, edp or utilization");
  }
  return {};
}

}  // namespace tilewright
