// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/mapping/derivation_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "tilewright/format/number_text.h"
#include "tilewright/mapping/violation.h"

namespace tilewright {
namespace {

using Lines = std::vector<std::string>;

// `m 32 x c 3 x r 3`
std::string product_text(const Workload& workload, const std::vector<DimCount>& counts) {
  std::string text;
  for (const DimCount& count : counts) {
    if (count.count == 1 && counts.size() > 1) continue;
    if (!text.empty()) text += " x ";
    text += workload.dim(count.dim).name + " " + count_text(count.count);
  }
  return text;
}

std::int64_t product(const std::vector<DimCount>& counts) {
  std::int64_t result = 1;
  for (const DimCount& count : counts) result *= count.count;
  return result;
}

Lines loop_lines(const Problem& problem, const Mapping& mapping, TensorId tensor,
                 const Derivation& derivation) {
  const Workload& workload = problem.workload();
  std::vector<std::pair<std::string, std::string>> rows;
  std::size_t widest = 0;
  for (const LoopRole& role : derivation.loops) {
    const NestNode& node = mapping.nodes()[static_cast<std::size_t>(role.position)];
    std::string loop =
        fmt::format("{} {} {}", node.kind == NestNode::Kind::kSpatial ? "parfor" : "for",
                    workload.dim(node.dim).name, count_text(node.factor));
    if (node.kind == NestNode::Kind::kSpatial)
      loop += " on " + problem.arch().fanout(node.node).name;
    widest = std::max(widest, loop.size());
    rows.emplace_back(std::move(loop), role_text(role.kind, workload.tensor(tensor).name,
                                                 tensor == workload.output()));
  }
  Lines lines;
  for (const auto& [loop, text] : rows)
    lines.push_back(fmt::format("    {:<{}}  {}", loop, widest, text));
  return lines;
}

// whole = elements * affine * passes, one line each.
void add_factors(const Workload& workload, TensorId tensor, const Derivation& derivation,
                 Lines& lines) {
  if (!derivation.elements.empty()) {
    lines.push_back(fmt::format("  elements   {:>14}  {}", count_text(product(derivation.elements)),
                                product_text(workload, derivation.elements)));
  }
  if (derivation.has_affine) {
    std::string ranks;
    for (const Rank& rank : workload.tensor(tensor).ranks) {
      if (rank.terms.size() < 2) continue;
      if (!ranks.empty()) ranks += ", ";
      ranks += to_subscript(workload, rank);
    }
    lines.push_back(fmt::format("  x along    {:>14}  {}: whole tiles, one after the other",
                                count_text(derivation.affine), ranks));
  }
  lines.push_back(fmt::format("  x passes   {:>14}  {}", count_text(product(derivation.passes)),
                              derivation.passes.empty()
                                  ? "nothing is moved twice"
                                  : product_text(workload, derivation.passes)));
  lines.push_back(fmt::format("  =          {:>14}", count_text(derivation.whole)));
}

}  // namespace

std::string action_name(Action action) {
  switch (action) {
    case Action::kReads:
      return "reads";
    case Action::kFills:
      return "fills";
    case Action::kUpdates:
      return "updates";
  }
  return "";
}

std::string role_text(LoopRole::Kind kind, const std::string& tensor, bool output) {
  using Kind = LoopRole::Kind;
  switch (kind) {
    case Kind::kMoves:
      return "every step needs another tile of " + tensor;
    case Kind::kRepeats:
      return "tiles are sent again every step: a loop inside moves them";
    case Kind::kStays:
      return "the tile stays (stationary)";
    case Kind::kSplits:
      return "every copy has its own tile";
    case Kind::kShares:
      return output ? "results are summed on the way out (reduction)"
                    : "children share one read (multicast)";
    case Kind::kCopies:
      return "every copy is served separately";
  }
  return "";
}

std::vector<std::string> derivation_lines(const Problem& problem, const Mapping& mapping,
                                          NodeId memory, TensorId tensor,
                                          const Derivation& derivation,
                                          const TextOptions& options) {
  const Arch& arch = problem.arch();
  const Workload& workload = problem.workload();
  const std::string name = workload.tensor(tensor).name;
  const std::string path =
      arch.memory(memory).name + "." + name + "." + action_name(derivation.action);
  Lines lines{path + " = " + count_text(derivation.value)};
  if (!derivation.parent.valid()) {
    const bool fills = derivation.action == Action::kFills;
    lines.push_back(fills ? "  " + arch.memory(memory).name + " is the home of " + name +
                                ": nothing fills it"
                          : "  " + name + " is an input, which is never updated");
    return lines;
  }
  const std::string child =
      derivation.child.valid() ? arch.memory(derivation.child).name : arch.compute().name;
  lines.push_back(fmt::format("  {} {} {}: {} at a time", arch.memory(derivation.parent).name,
                              tensor == workload.output() ? "takes results from" : "serves", child,
                              derivation.child.valid()
                                  ? "a tile of " + count_text(derivation.child_tile) + " elements"
                                  : std::string("an element")));
  if (!derivation.loops.empty()) lines.push_back("  loops outside " + child + ", outermost first:");
  for (std::string& line : loop_lines(problem, mapping, tensor, derivation))
    lines.push_back(std::move(line));
  add_factors(workload, tensor, derivation, lines);
  const auto subtract = [&](const char* label, std::int64_t value, const char* why) {
    if (value != 0)
      lines.push_back(fmt::format("  {:<10} {:>14}  {}", label, count_text(value), why));
  };
  subtract("- kept", derivation.held_back, "the overlap of consecutive tiles is retained");
  subtract("- first", derivation.first_touches, "first touches: no partial sum to fetch yet");
  subtract("+ drained", derivation.drained, "sending results outwards (--drains-are-reads)");
  const bool corrected = derivation.value != derivation.whole;
  if (corrected) lines.push_back(fmt::format("  =          {:>14}", count_text(derivation.value)));
  for (std::string& line : lines) line = clip(line, options.width, options);
  return lines;
}

std::vector<std::string> tile_lines(const Problem& problem, const Mapping& mapping, NodeId memory,
                                    TensorId tensor, std::int64_t tile) {
  const Workload& workload = problem.workload();
  Lines lines{fmt::format("{}.{}.tile = {}", problem.arch().memory(memory).name,
                          workload.tensor(tensor).name, count_text(tile))};
  for (std::size_t i = 0; i < mapping.nodes().size(); ++i) {
    const NestNode& node = mapping.nodes()[i];
    if (node.is_loop() || node.node != memory || (node.tensors & only(tensor)) == 0) continue;
    const std::vector<std::int64_t> extents = tile_extents(problem, mapping, static_cast<int>(i));
    for (const Rank& rank : workload.tensor(tensor).ranks) {
      std::string parts;
      for (const Term& term : rank.terms) {
        if (!parts.empty()) parts += ", ";
        parts += workload.dim(term.dim).name + " " + count_text(extents[term.dim.pos()]);
      }
      lines.push_back(fmt::format("  along {}: {}", to_subscript(workload, rank), parts));
    }
  }
  return lines;
}

}  // namespace tilewright
