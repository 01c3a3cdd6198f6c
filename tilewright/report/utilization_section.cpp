// SPDX-License-Identifier: Apache-2.0
// How busy the compute units are, and what keeps them from being busier.
#include <fmt/format.h>

#include <algorithm>

#include "tilewright/report/evaluation_text.h"
#include "tilewright/report/nest_text.h"
#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

// What the mapping does with one axis of a fan-out.
struct AxisUse {
  std::string name;
  std::int64_t size = 1;
  std::int64_t used = 1;
  std::vector<std::string> loops;  // `c 3`
};

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

// `PE.Y 9 of 12 (c 3 * s 3)`
std::string axis_text(const AxisUse& use) {
  std::string text = fmt::format("{} {} of {}", use.name, use.used, use.size);
  if (!use.loops.empty()) text += fmt::format(" ({})", fmt::join(use.loops, " * "));
  return text;
}

std::string idle_text(const std::vector<AxisUse>& uses) {
  std::vector<std::string> sentences;
  for (const AxisUse& use : uses) {
    if (use.used >= use.size) continue;
    std::string text = fmt::format("{} of {} idle on {}", use.size - use.used, use.size, use.name);
    if (use.size / use.used > 1) {
      text += fmt::format(" (room for one more loop of up to {})", use.size / use.used);
    }
    sentences.push_back(text);
  }
  return fmt::format("{}", fmt::join(sentences, ", "));
}

std::string ragged_text(const Evaluated& evaluated) {
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
  return fmt::format("units wait for {} in {} of {} cycles",
                     node_or_compute_name(evaluated.problem.arch(), evaluation.bottleneck),
                     count_text(evaluation.cycles - evaluation.compute_steps),
                     count_text(evaluation.cycles));
}

}  // namespace

std::string utilization_text(const Evaluated& evaluated, const TextOptions& options) {
  const Evaluation& evaluation = evaluated.evaluation;
  const Utilization used = utilization(evaluation, evaluated.problem.arch().compute_units());
  const std::vector<AxisUse> uses = axis_uses(evaluated);
  std::string result =
      fmt::format("{} {} = spatial {} x edge {} x temporal {}\n",
                  paint("utilization", Style::kHeading, options),
                  paint(percent_text(used.total), Style::kBold, options),
                  percent_text(used.spatial), percent_text(used.edge), percent_text(used.temporal));
  const auto add = [&](const char* name, double factor, std::string text) {
    if (text.empty()) return;
    result +=
        wrap_words(fmt::format("  {:<10}{:>7}  ", name, percent_text(factor)), text, options.width);
  };
  std::vector<std::string> axes;
  for (const AxisUse& use : uses) axes.push_back(axis_text(use));
  const std::string space = fmt::format("{}", fmt::join(axes, ", "));
  add("spatial", used.spatial, space);
  if (const std::string idle = idle_text(uses); !idle.empty()) {
    result += wrap_words(std::string(21, ' '), idle, options.width);
  }
  add("edge", used.edge, used.edge < 1 ? ragged_text(evaluated) : "every pass is full");
  add("temporal", used.temporal,
      used.temporal < 1 ? wait_text(evaluated) : "units never wait for a memory");
  return result;
}

}  // namespace tilewright
