// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/mapping/nest_reader.h"
#include "tilewright/io/write.h"
#include "tilewright/io/yaml/yaml_scalar.h"

namespace tilewright {
namespace {

using Kind = NestNode::Kind;

/// A keep node, or neighbouring loops of one kind (and one fan-out) that share a line.
using Line = std::span<const NestNode>;

std::vector<Line> lines_of(const Mapping& mapping) {
  const std::span<const NestNode> nodes = mapping.nodes();
  std::vector<Line> lines;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= nodes.size(); ++i) {
    const bool joins = i < nodes.size() && nodes[i].is_loop() &&
                       nodes[i].kind == nodes[begin].kind && nodes[i].node == nodes[begin].node;
    if (joins) continue;
    lines.push_back(nodes.subspan(begin, i - begin));
    begin = i;
  }
  return lines;
}

std::vector<std::string> kept_names(const Problem& problem, TensorSet tensors) {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < problem.workload().tensors().size(); ++t) {
    const TensorId tensor(t);
    if ((tensors & only(tensor)) != 0) names.push_back(problem.workload().tensor(tensor).name);
  }
  return names;
}

/// `p 8` or `q 14 on X`.
std::string loop_text(const Problem& problem, const NestNode& loop) {
  std::string text = nest_name(problem.workload().dim(loop.dim).name);
  text += ' ' + std::to_string(loop.factor);
  if (loop.kind == Kind::kSpatial) {
    const Fanout& fanout = problem.arch().fanout(loop.node);
    text += " on " + nest_name(fanout.axes[static_cast<std::size_t>(loop.axis)].name);
  }
  return text;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string yaml_list(std::vector<std::string> texts) {
  for (std::string& text : texts) text = yaml_scalar(text);
  return '[' + join(texts, ", ") + ']';
}

}  // namespace

std::string write_nest(const Problem& problem, const Mapping& mapping) {
  std::string text;
  for (const Line& line : lines_of(mapping)) {
    const NestNode& first = line.front();
    std::vector<std::string> parts;
    if (first.kind == Kind::kKeep) {
      for (const std::string& name : kept_names(problem, first.tensors)) {
        parts.push_back(nest_name(name));
      }
      text += nest_name(problem.arch().memory(first.node).name) + ": keep " + join(parts, " ");
    } else {
      for (const NestNode& loop : line) parts.push_back(loop_text(problem, loop));
      text += first.kind == Kind::kTemporal
                  ? (text.empty() ? "for " : "  for ")
                  : nest_name(problem.arch().fanout(first.node).name) + ": parfor ";
      text += join(parts, ", ");
    }
    text += '\n';
  }
  return text + nest_name(problem.arch().compute().name) + '\n';
}

std::string write_mapping(const Problem& problem, const Mapping& mapping) {
  std::string text = "mapping:\n";
  for (const Line& line : lines_of(mapping)) {
    const NestNode& first = line.front();
    if (first.kind == Kind::kKeep) {
      text += "  - {memory: " + yaml_scalar(problem.arch().memory(first.node).name) +
              ", keep: " + yaml_list(kept_names(problem, first.tensors)) + "}\n";
      continue;
    }
    std::vector<std::string> loops;
    for (const NestNode& loop : line) loops.push_back(loop_text(problem, loop));
    if (first.kind == Kind::kTemporal) {
      text += "  - for: " + yaml_list(std::move(loops)) + '\n';
    } else {
      text += "  - {fanout: " + yaml_scalar(problem.arch().fanout(first.node).name) +
              ", parfor: " + yaml_list(std::move(loops)) + "}\n";
    }
  }
  return text + "  - {compute: " + yaml_scalar(problem.arch().compute().name) + "}\n";
}

}  // namespace tilewright
