// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/utilization_parts.h"

#include <fmt/format.h>

#include "tilewright/format/number_text.h"
#include "tilewright/report/mapping/nest_text.h"

namespace tilewright {

std::vector<AxisUse> axis_uses(const Evaluated& evaluated) {
  const Arch& arch = evaluated.problem.arch();
  std::vector<AxisUse> uses;
  for (const NodeId id : arch.fanouts()) {
    const Fanout& fanout = arch.fanout(id);
    for (std::size_t a = 0; a < fanout.axes.size(); ++a) {
      const Axis& axis = fanout.axes[a];
      AxisUse use{
          fanout.axes.size() > 1 ? fanout.name + "." + axis.name : fanout.name, axis.size, 1, {}};
      for (const NestNode& node : evaluated.mapping.nodes()) {
        const bool here = node.kind == NestNode::Kind::kSpatial && node.node == id &&
                          node.axis == static_cast<int>(a);
        if (!here) continue;
        use.used = checked_mul(use.used, node.factor);
        use.loops.push_back(
            fmt::format("{} {}", evaluated.problem.workload().dim(node.dim).name, node.factor));
      }
      if (use.size > 1 || use.used > 1) uses.push_back(std::move(use));
    }
  }
  return uses;
}

std::string axis_text(const AxisUse& use) {
  std::string text = fmt::format("{} {} of {}", use.name, use.used, use.size);
  if (!use.loops.empty()) text += fmt::format(" ({})", fmt::join(use.loops, " * "));
  return text;
}

std::string edge_text(const Evaluated& evaluated) {
  const Evaluation& evaluation = evaluated.evaluation;
  if (utilization(evaluation, evaluated.problem.arch().compute_units()).edge >= 1) {
    return "every pass is full";
  }
  std::vector<std::string> loops;
  const auto& mapping = evaluated.mapping;
  for (const RaggedLoop& loop : find_ragged_loops(evaluated.problem.workload(), mapping)) {
    const NestNode& node = mapping.nodes()[static_cast<std::size_t>(loop.position)];
    if (node.kind != NestNode::Kind::kSpatial) continue;
    loops.push_back(loop_text(evaluated.problem, node, loop.last));
  }
  if (loops.empty()) return "units idle in shorter last passes";
  return fmt::format("units idle in the last pass of {}", fmt::join(loops, ", "));
}

std::string wait_text(const Evaluated& evaluated) {
  const Evaluation& evaluation = evaluated.evaluation;
  if (evaluation.cycles <= evaluation.compute_steps) return "units never wait for a memory";
  return fmt::format("units wait for {} in {} of {} cycles",
                     node_or_compute_name(evaluated.problem.arch(), evaluation.bottleneck),
                     count_text(evaluation.cycles - evaluation.compute_steps),
                     count_text(evaluation.cycles));
}

}  // namespace tilewright
