// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <utility>

#include "tilewright/format/number_text.h"
#include "tilewright/html/figures/figures.h"
#include "tilewright/html/parts.h"
#include "tilewright/mapping/violation.h"
#include "tilewright/model/derive.h"
#include "tilewright/report/mapping/derivation_text.h"
#include "tilewright/report/mapping/nest_text.h"

namespace tilewright {
namespace {

// What a loop does to a tensor, seen from the next memory inside it that keeps the tensor.
struct Role {
  LoopRole::Kind kind = LoopRole::Kind::kMoves;
  std::string parent;
  std::string child;
  bool held = false;  // stays in `parent`, from which a compute unit, which keeps nothing, reads it
};
using Roles = std::map<std::pair<int, std::size_t>, Role>;  // by position and tensor

std::string word(const Role& role, bool output) {
  using Kind = LoopRole::Kind;
  switch (role.kind) {
    case Kind::kMoves:
      return "moves";
    case Kind::kRepeats:
      return role.held ? "held" : "again";
    case Kind::kStays:
      return "stays";
    case Kind::kSplits:
      return "split";
    case Kind::kShares:
      return output ? "summed" : "shared";
    case Kind::kCopies:
      return "copied";
  }
  return "";
}

// Reused, could have been, or neither.
std::string style(const Role& role, TensorId tensor) {
  using Kind = LoopRole::Kind;
  if (role.kind == Kind::kMoves || role.kind == Kind::kSplits) return "moves";
  const bool lost = role.kind == Kind::kCopies || (role.kind == Kind::kRepeats && !role.held);
  return tensor_class(tensor) + (lost ? " lost" : " reuse");
}

std::string why(const Role& role, const std::string& tensor, bool output) {
  if (role.held) {
    return fmt::format("{} is held in {}, where {} finds it every step", tensor, role.parent,
                       role.child);
  }
  return fmt::format("{} between {} and {}: {}", tensor, role.parent, role.child,
                     role_text(role.kind, tensor, output));
}

class NestTable {
 public:
  NestTable(Markup& out, const Evaluated& evaluated, Detail detail)
      : out_(out),
        evaluated_(evaluated),
        problem_(evaluated.problem),
        workload_(evaluated.problem.workload()),
        nodes_(evaluated.mapping.nodes()),
        detail_(detail) {
    for (const RaggedLoop& loop : find_ragged_loops(workload_, evaluated.mapping)) {
      last_[loop.position] = loop.last;
    }
    for (std::size_t t = 0; t < workload_.tensors().size(); ++t) find_roles(TensorId(t));
  }

  void write() {
    const Wide frame(out_, "loop nest of " + workload_.name());
    const auto table = out_.in("table", {{"class", "nest"}});
    std::vector<Column> titles = {{"outermost first"}};
    for (const Tensor& tensor : workload_.tensors()) titles.push_back({tensor.name});
    head_row(out_, titles);
    const auto body = out_.in("tbody");
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is_loop()) {
        write_loop(static_cast<int>(i));
      } else {
        write_keep(static_cast<int>(i));
      }
    }
    const auto row = out_.in("tr", {{"class", "keep"}});
    out_.leaf("th", {{"scope", "row"}}, problem_.arch().compute().name);
    for (std::size_t t = 0; t < workload_.tensors().size(); ++t) out_.leaf("td", "");
  }

 private:
  // Every loop lies between two keep nodes of a tensor, or inside the last: that link decides.
  void find_roles(TensorId tensor) {
    const bool output = tensor == workload_.output();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is_loop() || (nodes_[i].tensors & only(tensor)) == 0) continue;
      const Derivation derivation = derive(problem_, evaluated_.mapping, nodes_[i].node, tensor,
                                           output ? Action::kUpdates : Action::kReads);
      for (const LoopRole& loop : derivation.loops) {
        if (loop.position < static_cast<int>(i)) continue;
        Role& role = roles_[{loop.position, tensor.pos()}];
        role = {loop.kind, problem_.arch().memory(nodes_[i].node).name,
                node_or_compute_name(problem_.arch(), derivation.child), false};
        role.held = loop.kind == LoopRole::Kind::kRepeats && !derivation.child.valid();
      }
    }
  }

  void write_keep(int position) {
    const NestNode& node = nodes_[static_cast<std::size_t>(position)];
    const auto row = out_.in("tr", {{"class", "keep"}});
    out_.leaf("th", {{"scope", "row"}}, problem_.arch().memory(node.node).name);
    for (std::size_t t = 0; t < workload_.tensors().size(); ++t) {
      const TensorId tensor(t);
      if ((node.tensors & only(tensor)) == 0) {
        out_.leaf("td", {{"class", "moves"}}, "");
        continue;
      }
      const std::int64_t tile = tile_elements(problem_, evaluated_.mapping, tensor, position);
      const std::string style = tensor_class(tensor) + " kept";
      if (detail_ == Detail::kBrief) {
        out_.leaf("td", {{"class", style}}, count_text(tile));
      } else {
        const std::string why =
            join_lines(tile_lines(problem_, evaluated_.mapping, node.node, tensor, tile));
        out_.leaf("td", {{"class", style}, {"title", why}}, count_text(tile));
      }
    }
  }

  void write_loop(int position) {
    const NestNode& node = nodes_[static_cast<std::size_t>(position)];
    const bool in_space = node.kind == NestNode::Kind::kSpatial;
    const auto row = out_.in("tr", {{"class", in_space ? "space" : "time"}});
    {
      const auto head = out_.in("th", {{"scope", "row"}});
      out_.text((in_space ? "parfor " : "for ") + loop_text(problem_, node));
      if (const auto last = last_.find(position); last != last_.end()) {
        out_.leaf("span", {{"class", "ragged"}}, " last " + count_text(last->second));
      }
    }
    for (std::size_t t = 0; t < workload_.tensors().size(); ++t) write_role(position, TensorId(t));
  }

  void write_role(int position, TensorId tensor) {
    const auto found = roles_.find({position, tensor.pos()});
    if (found == roles_.end()) {
      out_.leaf("td", "");
      return;
    }
    const Role& role = found->second;
    const bool output = tensor == workload_.output();
    if (detail_ == Detail::kBrief) {
      out_.leaf("td", {{"class", style(role, tensor)}}, word(role, output));
      return;
    }
    const std::string title = why(role, workload_.tensor(tensor).name, output);
    out_.leaf("td", {{"class", style(role, tensor)}, {"title", title}}, word(role, output));
  }

  Markup& out_;
  const Evaluated& evaluated_;
  const Problem& problem_;
  const Workload& workload_;
  std::span<const NestNode> nodes_;
  Detail detail_;
  std::map<int, std::int64_t> last_;
  Roles roles_;
};

}  // namespace

void nest_figure(Markup& out, const Evaluated& evaluated, Detail detail) {
  const auto figure = out.in("figure");
  NestTable(out, evaluated, detail).write();
  if (detail == Detail::kBrief) return;
  const auto note = out.in("figcaption");
  out.text(
      "A number is a tile in elements, kept in that memory. Filled: the loop reuses the tensor. "
      "Its tile stays in the next memory inside (stays) or in the innermost one (held), one read "
      "serves several copies (shared), or results are added on the way out (summed). Striped: the "
      "tensor does not depend on the dim, and yet its tiles are sent again, because a loop inside "
      "moves them (again) or every copy is served separately (copied). Blank: every step needs new "
      "data (moves, split). ");
  out.leaf("span", {{"class", "ragged"}}, "last 3");
  out.text(" is the number of steps in the last pass, if that is fewer.");
}

}  // namespace tilewright
