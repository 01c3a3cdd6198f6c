// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/nest_text.h"

#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

// One line of the nest: what is read back, and the notes beside it.
struct Line {
  std::string text;
  Style style = Style::kPlain;
  std::vector<std::string> notes;
};

using Kind = NestNode::Kind;

// Nodes that share a line: loops in time; loops of one fan-out.
bool same_line(const NestNode& a, const NestNode& b) {
  return a.is_loop() && a.kind == b.kind && a.node == b.node;
}

Line keep_line(const Problem& problem, const Mapping& mapping, int position) {
  const NestNode& node = mapping.nodes()[static_cast<std::size_t>(position)];
  Line line{node_name(problem.arch().nodes()[node.node.pos()]) + ": keep", Style::kMemory, {}};
  for (std::size_t t = 0; t < problem.workload().tensors().size(); ++t) {
    const TensorId tensor(t);
    if ((node.tensors & only(tensor)) == 0) continue;
    const std::string& name = problem.workload().tensor(tensor).name;
    line.text += " " + name;
    line.notes.push_back(name + " " +
                         count_text(tile_elements(problem, mapping, tensor, position)));
  }
  return line;
}

// The loops from `begin` on that share a line, broken where they would pass `width`.
std::vector<Line> loop_lines(const Problem& problem, std::span<const NestNode> loops,
                             std::span<const std::int64_t> last, int width) {
  const bool in_space = loops.front().kind == Kind::kSpatial;
  const std::string start =
      in_space ? node_name(problem.arch().nodes()[loops.front().node.pos()]) + ": parfor "
               : "  for ";
  std::vector<Line> lines;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const std::string text = loop_text(problem, loops[i]);
    const bool fits =
        !lines.empty() && display_width(lines.back().text) + 2 + display_width(text) <= width;
    if (fits) {
      lines.back().text += ", " + text;
    } else {
      lines.push_back({start + text, in_space ? Style::kBold : Style::kPlain, {}});
    }
    if (last[i] > 0) lines.back().notes.push_back(loop_text(problem, loops[i], last[i]));
  }
  return lines;
}

std::vector<Line> nest_lines(const Problem& problem, const Mapping& mapping, int width) {
  const std::span<const NestNode> nodes = mapping.nodes();
  std::vector<std::int64_t> last(nodes.size(), 0);
  for (const RaggedLoop& loop : find_ragged_loops(problem.workload(), mapping)) {
    last[static_cast<std::size_t>(loop.position)] = loop.last;
  }
  std::vector<Line> lines;
  for (std::size_t i = 0; i < nodes.size();) {
    if (!nodes[i].is_loop()) {
      lines.push_back(keep_line(problem, mapping, static_cast<int>(i)));
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < nodes.size() && same_line(nodes[i], nodes[end])) ++end;
    const std::span<const std::int64_t> lasts(last);
    for (Line& line :
         loop_lines(problem, nodes.subspan(i, end - i), lasts.subspan(i, end - i), width)) {
      lines.push_back(std::move(line));
    }
    i = end;
  }
  lines.push_back({problem.arch().compute().name, Style::kBold, {}});
  return lines;
}

}  // namespace

std::vector<RaggedLoop> find_ragged_loops(const Workload& workload, const Mapping& mapping) {
  std::vector<std::int64_t> left;  // n_i of docs/model.md (1), by dim
  for (const Dim& dim : workload.dims()) left.push_back(dim.size);
  std::vector<RaggedLoop> result;
  const std::span<const NestNode> nodes = mapping.nodes();
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (!nodes[i].is_loop()) continue;
    std::int64_t& n = left[nodes[i].dim.pos()];
    const std::int64_t passes = ceil_div(n, nodes[i].factor);
    const std::int64_t remainder = n - (passes - 1) * nodes[i].factor;
    if (remainder < nodes[i].factor) result.push_back({static_cast<int>(i), remainder});
    n = passes;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::string loop_text(const Problem& problem, const NestNode& loop, std::int64_t last) {
  std::string text = problem.workload().dim(loop.dim).name + " " + std::to_string(loop.factor);
  if (last > 0) return text + " (last " + std::to_string(last) + ")";
  if (loop.kind == Kind::kSpatial) {
    const Fanout& fanout = problem.arch().fanout(loop.node);
    if (fanout.axes.size() > 1) {
      text += " on " + fanout.axes[static_cast<std::size_t>(loop.axis)].name;
    }
  }
  return text;
}

std::string nest_text(const Problem& problem, const Mapping& mapping, const TextOptions& options) {
  const std::vector<Line> lines = nest_lines(problem, mapping, options.width);
  constexpr int kWidestText = 44;
  int column = 0;
  for (const Line& line : lines) {
    const int width = display_width(line.text);
    if (!line.notes.empty() && width <= kWidestText) column = std::max(column, width);
  }
  column += 2;
  std::string result;
  for (const Line& line : lines) {
    const std::vector<std::string> notes = wrap_items(line.notes, "  ", options.width - column - 2);
    result += paint(line.text, line.style, options);
    // A text that reaches into the notes' column has its notes on the lines below.
    const bool too_long = display_width(line.text) + 2 > column;
    if (too_long && !notes.empty()) result += "\n";
    for (std::size_t i = 0; i < notes.size(); ++i) {
      const int used = i == 0 && !too_long ? display_width(line.text) : 0;
      result += std::string(static_cast<std::size_t>(column - used), ' ');
      result += paint("# " + notes[i], Style::kDim, options);
      if (i + 1 < notes.size()) result += "\n";
    }
    result += "\n";
  }
  return result;
}

}  // namespace tilewright
