// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/nest_text.h"

#include <algorithm>

#include "tilewright/base/checked.h"
#include "tilewright/format/number_text.h"
#include "tilewright/mapping/violation.h"

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

class NestWriter {
 public:
  NestWriter(const Problem& problem, const Mapping& mapping, const TextOptions& options)
      : problem_(problem), mapping_(mapping), options_(options) {}

  std::string text() const {
    const std::vector<Line> named = lines(true);
    const int column = notes_column(named);
    for (const Line& line : named) {
      if (wrap_items(line.notes, "  ", options_.width - column - 2).size() > 1) {
        return join(lines(false));
      }
    }
    return join(named);
  }

 private:
  std::vector<Line> lines(bool with_names) const {
    const std::span<const NestNode> nodes = mapping_.nodes();
    std::vector<std::int64_t> last(nodes.size(), 0);
    for (const RaggedLoop& loop : find_ragged_loops(problem_.workload(), mapping_)) {
      last[static_cast<std::size_t>(loop.position)] = loop.last;
    }
    std::vector<Line> result;
    for (std::size_t i = 0; i < nodes.size();) {
      std::size_t end = i + 1;
      while (end < nodes.size() && same_line(nodes[i], nodes[end])) ++end;
      if (nodes[i].is_loop()) {
        const std::span<const std::int64_t> lasts(last);
        add_loops(nodes.subspan(i, end - i), lasts.subspan(i, end - i), result);
      } else {
        add_keep(static_cast<int>(i), with_names, result);
      }
      i = end;
    }
    result.push_back({problem_.arch().compute().name, Style::kBold, {}});
    return result;
  }

  // Tensors of one keep node, in as many lines as they need: the reader joins them again.
  void add_keep(int position, bool with_names, std::vector<Line>& result) const {
    const NestNode& node = mapping_.nodes()[static_cast<std::size_t>(position)];
    const std::string start = problem_.arch().memory(node.node).name + ": keep";
    bool first = true;
    for (std::size_t t = 0; t < problem_.workload().tensors().size(); ++t) {
      const TensorId tensor(t);
      if ((node.tensors & only(tensor)) == 0) continue;
      const std::string& name = problem_.workload().tensor(tensor).name;
      const bool fits =
          !first && display_width(result.back().text) + 1 + display_width(name) <= options_.width;
      if (!fits) result.push_back({start, Style::kMemory, {}});
      first = false;
      const std::int64_t tile = tile_elements(problem_, mapping_, tensor, position);
      result.back().text += " " + name;
      result.back().notes.push_back((with_names ? name + " " : "") + count_text(tile));
    }
  }

  // Loops that share a line, in as many lines as they need.
  void add_loops(std::span<const NestNode> loops, std::span<const std::int64_t> last,
                 std::vector<Line>& result) const {
    const bool in_space = loops.front().kind == Kind::kSpatial;
    const std::string start =
        in_space ? problem_.arch().fanout(loops.front().node).name + ": parfor " : "  for ";
    bool first = true;
    for (std::size_t i = 0; i < loops.size(); ++i) {
      const std::string text = loop_text(problem_, loops[i]);
      const bool fits =
          !first && display_width(result.back().text) + 2 + display_width(text) <= options_.width;
      if (fits) {
        result.back().text += ", " + text;
      } else {
        result.push_back({start + text, in_space ? Style::kBold : Style::kPlain, {}});
      }
      first = false;
      if (last[i] > 0) result.back().notes.push_back(loop_text(problem_, loops[i], last[i]));
    }
  }

  // Where notes start: behind all texts that have some, long ones aside.
  static int notes_column(const std::vector<Line>& lines) {
    constexpr int kWidestText = 54;
    int column = 0;
    for (const Line& line : lines) {
      const int width = display_width(line.text);
      if (!line.notes.empty() && width <= kWidestText) column = std::max(column, width);
    }
    return column + 2;
  }

  std::string join(const std::vector<Line>& lines) const {
    const int column = notes_column(lines);
    std::string result;
    for (const Line& line : lines) {
      const int width = display_width(line.text);
      // A text that reaches into the notes' column has its notes on lines of their own.
      int used = width + 2 > column ? options_.width : width;
      result += paint(line.text, line.style, options_);
      for (const std::string& note : wrap_items(line.notes, "  ", options_.width - column - 2)) {
        if (used >= column) {
          result += "\n";
          used = 0;
        }
        result += std::string(static_cast<std::size_t>(column - used), ' ');
        result += paint("# " + note, Style::kDim, options_);
        used = options_.width;
      }
      result += "\n";
    }
    return result;
  }

  const Problem& problem_;
  const Mapping& mapping_;
  const TextOptions& options_;
};

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
  return NestWriter(problem, mapping, options).text();
}

}  // namespace tilewright
