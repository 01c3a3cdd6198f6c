// SPDX-License-Identifier: Apache-2.0
#include "tilewright/advice/violation_text.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tilewright/advice/mapping_repair.h"
#include "tilewright/advice/tile_text.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/mapping/sums.h"

namespace tilewright {
namespace {

using Kind = Violation::Kind;
using NodeKind = NestNode::Kind;

/// Makes the finding for one violation.
class Reporter {
 public:
  Reporter(const Problem& problem, const Mapping& mapping, const MappingSource& source,
           const std::vector<Violation>& violations, Diagnostics& diagnostics)
      : problem_(problem),
        mapping_(mapping),
        source_(source),
        violations_(violations),
        repairer_(problem, mapping, violations),
        diagnostics_(diagnostics) {}

  void report(const Violation& violation);

 private:
  const Workload& workload() const { return problem_.workload(); }
  const NestNode& node(int position) const {
    return mapping_.nodes()[static_cast<std::size_t>(position)];
  }
  int size() const { return static_cast<int>(mapping_.nodes().size()); }

  std::string node_text(NodeId id) const {
    return in_backticks(node_name(problem_.arch().nodes()[id.pos()]));
  }
  std::string tensor_text(TensorId id) const { return in_backticks(workload().tensor(id).name); }
  const std::string& dim_name(DimId id) const { return workload().dim(id).name; }
  std::string dim_text(DimId id) const { return in_backticks(dim_name(id)); }
  std::string loop_text(DimId dim, std::int64_t factor) const {
    return in_backticks(dim_name(dim) + " " + std::to_string(factor));
  }
  std::string loop_text(int position) const {
    return loop_text(node(position).dim, node(position).factor);
  }
  std::string tensors_text(TensorSet tensors, const char* last) const {
    std::vector<std::string> names;
    for (std::size_t t = 0; t < workload().tensors().size(); ++t) {
      if ((tensors & only(TensorId(t))) != 0) names.push_back(workload().tensors()[t].name);
    }
    return join_names(names, last);
  }

  Diagnostic& error(const char* code, const std::string& message) {
    return diagnostics_.error(code, message);
  }
  /// Underlines the node at `position`; -1: the mapping as a whole.
  void label(Diagnostic& finding, int position, const std::string& text) const {
    Span span = source_.whole;
    if (position >= 0 && source_.nodes.size() == mapping_.nodes().size()) {
      span = source_.nodes[static_cast<std::size_t>(position)];
    }
    if (span.file) finding.labels.push_back(Label{span, text});
  }
  std::vector<int> loops_over(DimId dim) const {
    std::vector<int> loops;
    for (int i = 0; i < size(); ++i) {
      if (node(i).is_loop() && node(i).dim == dim) loops.push_back(i);
    }
    return loops;
  }
  /// The keep node of `tensor` that lies furthest out and before `end`; -1 if there is none.
  int first_keep(TensorId tensor, NodeId memory, int end) const {
    for (int i = 0; i < end; ++i) {
      const bool kept = node(i).kind == NodeKind::kKeep && (node(i).tensors & only(tensor)) != 0;
      if (kept && (!memory.valid() || node(i).node == memory)) return i;
    }
    return -1;
  }
  std::string product_text(const std::vector<int>& loops, int changed, std::int64_t factor) const {
    std::string text;
    for (const int i : loops) {
      text += (text.empty() ? "" : " x ") + with_commas(i == changed ? factor : node(i).factor);
    }
    return text;
  }

  void report_uncovered(const Violation& violation);
  void report_overcovered(const Violation& violation);
  void report_keep(const Violation& violation);
  void report_not_kept(const Violation& violation);
  void report_loop_outside(const Violation& violation);
  void report_fanout_order(const Violation& violation);
  void report_fanout_split(const Violation& violation);
  void report_axis(const Violation& violation);
  void report_capacity(const Violation& violation);

  void add_uncovered_help(Diagnostic& finding, const Violation& violation) const;
  void add_axis_help(Diagnostic& finding, const Violation& violation,
                     const std::vector<int>& loops) const;
  SizeUnit unit_of(const Violation& violation, const std::vector<int>& keeps) const;
  std::string capacity_message(const Violation& violation, const std::vector<int>& keeps,
                               const SizeUnit& unit) const;
  void add_tile_notes(Diagnostic& finding, const Violation& violation,
                      const std::vector<int>& keeps, const SizeUnit& unit) const;
  std::string available_note(const Violation& violation, const SizeUnit& unit) const;
  void add_capacity_helps(Diagnostic& finding, const Violation& violation,
                          const SizeUnit& unit) const;
  std::string shortening_help(const Violation& violation, const Shortening& shortening,
                              const SizeUnit& unit) const;
  std::string rest_text(const Step& step) const;

  const Problem& problem_;
  const Mapping& mapping_;
  const MappingSource& source_;
  const std::vector<Violation>& violations_;
  Repairer repairer_;
  Diagnostics& diagnostics_;
};

void Reporter::report(const Violation& violation) {
  switch (violation.kind) {
    case Kind::kUncovered:
      return report_uncovered(violation);
    case Kind::kOvercovered:
      return report_overcovered(violation);
    case Kind::kNotKept:
      return report_not_kept(violation);
    case Kind::kKeptTwice:
    case Kind::kKeepOrder:
    case Kind::kMayNotKeep:
      return report_keep(violation);
    case Kind::kLoopOutsideHome:
      return report_loop_outside(violation);
    case Kind::kFanoutOrder:
      return report_fanout_order(violation);
    case Kind::kFanoutSplit:
      return report_fanout_split(violation);
    case Kind::kTooManyLoops:
      label(error("M0227", "the mapping has " + with_commas(violation.value) + " loops, at most " +
                               with_commas(violation.limit) + " are possible"),
            -1, "");
      return;
    case Kind::kAxis:
      return report_axis(violation);
    case Kind::kCapacity:
    case Kind::kPartition:
      return report_capacity(violation);
  }
}

void Reporter::report_uncovered(const Violation& violation) {
  const std::vector<int> loops = loops_over(violation.dim);
  const std::string dim = dim_text(violation.dim);
  const std::string limit = with_commas(violation.limit);
  if (loops.empty()) {
    Diagnostic& finding = error("M0210", "no loop covers " + dim + ", which is " + limit);
    label(finding, -1, "");
    return add_uncovered_help(finding, violation);
  }
  const std::string value = with_commas(violation.value);
  const std::string verb =
      loops.size() == 1 ? "the loop over " + dim + " covers " : "the loops over " + dim + " cover ";
  Diagnostic& finding = error("M0210", verb + value + ", but " + dim + " is " + limit);
  for (const int loop : loops) label(finding, loop, "");
  if (loops.size() > 1) {
    finding.notes.push_back(product_text(loops, -1, 1) + " = " + value);
  }
  add_uncovered_help(finding, violation);
}

void Reporter::add_uncovered_help(Diagnostic& finding, const Violation& violation) const {
  const std::vector<int> loops = loops_over(violation.dim);
  for (const int loop : loops) {  // the outermost loop in time
    if (node(loop).kind != NodeKind::kTemporal) continue;
    std::int64_t others = 1;
    for (const int other : loops) others *= other == loop ? 1 : node(other).factor;
    const std::int64_t factor = violation.limit / others + (violation.limit % others != 0);
    if (!repairer_.set_factor(violation, loop, factor)) continue;
    std::string help =
        "write " + loop_text(violation.dim, factor) + " instead of " + loop_text(loop);
    if (loops.size() > 1) {
      help += ": " + product_text(loops, loop, factor) + " = " + with_commas(others * factor);
    }
    if (others * factor > violation.limit) help += ", the last pass is shorter";
    finding.helps.push_back(help);
    return;
  }
  for (int i = size() - 1; i >= 0; --i) {  // a new loop inside the outermost memory
    if (node(i).kind != NodeKind::kKeep || node(i).node != node(0).node) continue;
    const std::int64_t factor =
        violation.limit / violation.value + (violation.limit % violation.value != 0);
    if (!repairer_.replace(violation, i, {node(i), temporal(violation.dim, factor)})) continue;
    finding.helps.push_back("add " + loop_text(violation.dim, factor) + " inside " +
                            node_text(node(i).node) + "; `" + dim_name(violation.dim) +
                            " *` means as many as are left");
    return;
  }
}

void Reporter::report_overcovered(const Violation& violation) {
  const std::string left = violation.limit == 1
                               ? "no more than 1 step is left"
                               : "only " + with_commas(violation.limit) + " are left";
  Diagnostic& finding = error("M0211", loop_text(violation.position) + " has " +
                                           with_commas(violation.value) + " steps, but " + left);
  label(finding, violation.position, "");
  std::vector<int> inside = loops_over(violation.dim);
  std::erase_if(inside, [&](int i) { return i <= violation.position; });
  const std::string size = with_commas(workload().dim(violation.dim).size);
  if (!inside.empty()) {
    finding.notes.push_back(dim_text(violation.dim) + " is " + size +
                            ", and the loops over it further in take " +
                            product_text(inside, -1, 1) + " at a time");
  } else {
    finding.notes.push_back(dim_text(violation.dim) + " is " + size);
  }
  if (!repairer_.set_factor(violation, violation.position, violation.limit)) return;
  finding.helps.push_back(violation.limit == 1
                              ? "leave this loop out"
                              : "write " + loop_text(violation.dim, violation.limit));
}

void Reporter::report_not_kept(const Violation& violation) {
  const std::string tensor = tensor_text(violation.tensor);
  Diagnostic& finding = error("M0220", "no memory keeps " + tensor);
  label(finding, -1, "");
  for (const NodeId memory : problem_.arch().memories()) {
    const NestNode added = keep(memory, only(violation.tensor));
    std::vector<NestNode> nodes = {added};
    if (size() > 0) nodes.push_back(node(0));
    if (!repairer_.replace(violation, 0, nodes)) continue;
    const bool there = size() > 0 && node(0).kind == NodeKind::kKeep && node(0).node == memory;
    finding.helps.push_back(there ? "add " + tensor + " to what " + node_text(memory) + " keeps"
                                  : "let " + node_text(memory) + " keep " + tensor +
                                        ", in front of all loops");
    return;
  }
}

void Reporter::report_keep(const Violation& violation) {
  const std::string memory = node_text(violation.node);
  const std::string tensor = tensor_text(violation.tensor);
  NestNode without = node(violation.position);
  without.tensors &= ~only(violation.tensor);
  const bool cured = repairer_.replace(violation, violation.position, {without}).has_value();
  const std::string help = "leave " + tensor + " out here";
  Diagnostic* finding = nullptr;
  if (violation.kind == Kind::kKeptTwice) {
    finding = &error("M0221", memory + " keeps " + tensor + " twice");
    label(*finding, violation.position, "again here");
    const int first = first_keep(violation.tensor, violation.node, violation.position);
    if (first >= 0) label(*finding, first, "first here");
  } else if (violation.kind == Kind::kKeepOrder) {
    const std::string other = node_text(violation.other);
    finding = &error("M0222", memory + " keeps " + tensor + " inside " + other +
                                  ", but in the architecture it lies outside");
    label(*finding, violation.position, "too far in");
    const int outer = first_keep(violation.tensor, violation.other, violation.position);
    if (outer >= 0) label(*finding, outer, other + " keeps it here");
  } else {
    finding = &error("M0223", memory + " may not keep " + tensor);
    label(*finding, violation.position, "");
    const TensorSet may = problem_.memory(violation.node).may_keep;
    finding->notes.push_back("the architecture allows it to keep " +
                             (may == 0 ? "nothing" : tensors_text(may, "and")));
  }
  if (cured) finding->helps.push_back(help);
}

void Reporter::report_loop_outside(const Violation& violation) {
  const std::string memory = node_text(violation.node);
  TensorSet tensors = 0;
  for (const Violation& other : violations_) {
    const bool same = other.kind == violation.kind && other.node == violation.node &&
                      other.position == violation.position;
    if (!same) continue;
    if (&other < &violation) return;  // reported together with that one
    tensors |= only(other.tensor);
  }
  const std::string tensor = tensors_text(tensors, "and");
  Diagnostic& finding =
      error("M0224", "the loop " + loop_text(violation.position) + " lies outside " + memory +
                         ", the outermost memory that keeps " + tensor);
  label(finding, violation.position, "outside");
  const int home = first_keep(violation.tensor, violation.node, size());
  if (home < 0) return;
  label(finding, home, "kept here");
  if (repairer_.move(violation, violation.position, home)) {
    finding.helps.push_back("move the loop inside " + memory);
    return;
  }
  for (int i = 0; i < violation.position; ++i) {
    if (node(i).kind != NodeKind::kKeep) continue;
    NestNode more = node(i);
    more.tensors |= tensors;
    if (!repairer_.replace(violation, i, {more})) continue;
    finding.helps.push_back("let " + node_text(more.node) + " keep " + tensor + " as well");
    return;
  }
}

void Reporter::report_fanout_order(const Violation& violation) {
  for (const Violation& other : violations_) {  // once for two nodes, whichever way round
    if (&other == &violation) break;
    if (other.kind != violation.kind) continue;
    if (other.node == violation.node && other.other == violation.other) return;
    if (other.node == violation.other && other.other == violation.node) return;
  }
  const std::string fanout = node_text(violation.node);
  const bool inside = violation.other < violation.node;
  Diagnostic& finding =
      error("M0225", "the loops of " + fanout + " must lie " + (inside ? "inside " : "outside ") +
                         node_text(violation.other) + ", as in the architecture");
  int first = -1;
  int last = -1;
  for (int i = 0; i < size(); ++i) {
    if (node(i).kind != NodeKind::kSpatial || node(i).node != violation.node) continue;
    if (first < 0) first = i;
    last = i;
  }
  label(finding, violation.position, "");
  if (first < 0 || node(violation.position).node == violation.node) return;
  label(finding, first, "the loops of " + fanout);
  if (repairer_.move(violation, violation.position, inside ? first - 1 : last)) {
    finding.helps.push_back("move " + node_text(violation.other) +
                            (inside ? " in front of" : " behind") + " the loops of " + fanout);
  }
}

void Reporter::report_fanout_split(const Violation& violation) {
  const std::string fanout = node_text(violation.node);
  Diagnostic& finding = error("M0226", "the loops of " + fanout + " are not next to each other");
  label(finding, violation.position, "apart from the others");
  for (int i = 0; i < violation.position; ++i) {
    if (node(i).kind != NodeKind::kSpatial || node(i).node != violation.node) continue;
    label(finding, i, "the first");
    if (repairer_.move(violation, violation.position, i)) {
      finding.helps.push_back("write them in one `parfor`");
    }
    return;
  }
}

void Reporter::report_axis(const Violation& violation) {
  const Fanout& fanout = problem_.arch().fanout(violation.node);
  const std::string& axis = fanout.axes[static_cast<std::size_t>(violation.axis)].name;
  Diagnostic& finding = error("M0202", with_commas(violation.value) + " children needed along " +
                                           in_backticks(axis) + " of " + in_backticks(fanout.name) +
                                           ", which has " + with_commas(violation.limit) + " (" +
                                           percent(violation.value, violation.limit) + ")");
  std::vector<int> loops;
  for (int i = 0; i < size(); ++i) {
    const NestNode& loop = node(i);
    if (loop.kind != NodeKind::kSpatial || loop.node != violation.node) continue;
    if (loop.axis == violation.axis) loops.push_back(i);
  }
  for (const int loop : loops) label(finding, loop, "spread along " + in_backticks(axis));
  if (loops.size() > 1) {
    finding.notes.push_back(product_text(loops, -1, 1) + " = " + with_commas(violation.value));
  }
  add_axis_help(finding, violation, loops);
}

void Reporter::add_axis_help(Diagnostic& finding, const Violation& violation,
                             const std::vector<int>& loops) const {
  const Fanout& fanout = problem_.arch().fanout(violation.node);
  const std::string& axis = fanout.axes[static_cast<std::size_t>(violation.axis)].name;
  const auto busy = [&](const Repair& repair) {
    const Step& step = repair.steps.front();
    return violation.value / node(step.position).factor * step.factor;
  };
  std::optional<Repair> exact;
  for (const bool exactly : {true, false}) {
    std::optional<Repair> best;
    for (const int loop : loops) {
      std::optional<Repair> repair = repairer_.spread(violation, loop, exactly);
      if (repair && (!best || busy(*repair) > busy(*best))) best = std::move(repair);
    }
    if (!best || (exact && busy(*best) <= busy(*exact))) continue;
    const Step& step = best->steps.front();
    const NestNode& loop = node(step.position);
    std::string help;
    if (exactly) {
      help = with_commas(loop.factor) + " = " + with_commas(step.factor) + " x " +
             with_commas(loop.factor / step.factor) + ": ";
    }
    const std::string item = dim_name(loop.dim) + " " + std::to_string(step.factor) + " on " + axis;
    help += step.factor == 1
                ? "leave " + loop_text(step.position) + " out"
                : "write " + in_backticks(item) + " instead of " + loop_text(step.position);
    help += ", with " + rest_text(step) + ": " + with_commas(busy(*best)) + " of " +
            with_commas(violation.limit) + " busy (" + percent(busy(*best), violation.limit) + ")";
    if (!step.divides) help += ", and a remainder";
    finding.helps.push_back(help);
    if (exactly) exact = std::move(best);
  }
}

std::string Reporter::rest_text(const Step& step) const {
  const DimId dim = node(step.position).dim;
  const std::string at = step.rest_at.valid() ? " at " + node_text(step.rest_at) : "";
  if (step.rest_position < 0) return loop_text(dim, step.rest) + " added" + at;
  return loop_text(dim, step.rest) + " instead of " + loop_text(step.rest_position) + at;
}

SizeUnit Reporter::unit_of(const Violation& violation, const std::vector<int>& keeps) const {
  const ResolvedMemory& memory = problem_.memory(violation.node);
  std::int64_t bits = 0;
  for (const int position : keeps) {
    const TensorSet tensors = counted_tensors(problem_, mapping_, violation, position);
    for (std::size_t t = 0; t < memory.bits.size(); ++t) {
      if ((tensors & only(TensorId(t))) == 0) continue;
      const std::int64_t width = element_bits(problem_, mapping_.nodes(), TensorId(t), position);
      if (bits != 0 && bits != width) return SizeUnit(0);
      bits = width;
    }
  }
  return SizeUnit(bits);
}

std::string Reporter::capacity_message(const Violation& violation, const std::vector<int>& keeps,
                                       const SizeUnit& unit) const {
  TensorSet tensors = 0;
  for (const int position : keeps) {
    tensors |= counted_tensors(problem_, mapping_, violation, position);
  }
  const bool one = (tensors & (tensors - 1)) == 0;
  std::string message = one ? "the tile of " : "the tiles of ";
  message += tensors_text(tensors, "and") + (one ? " does not fit in " : " do not fit in ");
  if (violation.kind == Kind::kPartition) message += "its partition of ";
  message += node_text(violation.node) + ": " + unit.amount(violation.value) + " needed, " +
             unit.number(violation.limit) + " available";
  if (violation.limit > 0) message += " (" + percent(violation.value, violation.limit) + ")";
  return message;
}

void Reporter::add_tile_notes(Diagnostic& finding, const Violation& violation,
                              const std::vector<int>& keeps, const SizeUnit& unit) const {
  struct Row {
    std::string name, amount, how;
  };
  std::vector<Row> rows;
  std::size_t name_width = 0;
  std::size_t amount_width = 0;
  const ResolvedMemory& memory = problem_.memory(violation.node);
  for (const int position : keeps) {
    const TensorSet tensors = counted_tensors(problem_, mapping_, violation, position);
    for (std::size_t t = 0; t < memory.bits.size(); ++t) {
      const TensorId tensor(t);
      if ((tensors & only(tensor)) == 0) continue;
      const std::int64_t elements = tile_elements(problem_, mapping_, tensor, position);
      const std::int64_t bits = element_bits(problem_, mapping_.nodes(), tensor, position);
      std::string how = tile_text(problem_, mapping_, tensor, position);
      if (unit.word_bits() == 0) {
        const std::string count = with_commas(elements);
        how = count + " x " + std::to_string(bits) + " bit;  " + count + " = " + how;
      }
      if (bits != memory.bits[t]) how += ", partial sums";
      rows.push_back({workload().tensor(tensor).name, unit.number(elements * bits), how});
      name_width = std::max(name_width, rows.back().name.size());
      amount_width = std::max(amount_width, rows.back().amount.size());
    }
  }
  for (const Row& row : rows) {
    finding.notes.push_back(row.name + std::string(name_width - row.name.size() + 2, ' ') +
                            std::string(amount_width - row.amount.size(), ' ') + row.amount +
                            " = " + row.how);
  }
}

std::string Reporter::available_note(const Violation& violation, const SizeUnit& unit) const {
  const Memory& memory = problem_.arch().memory(violation.node);
  const auto bits = violation.kind == Kind::kPartition
                        ? problem_.memory(violation.node).partition_bits[violation.tensor.pos()]
                        : memory.capacity_bits;
  if (!bits) return {};
  std::string text =
      violation.kind == Kind::kPartition ? "the partition" : node_text(violation.node);
  text += " has ";
  text += size_text(*bits);
  if (unit.word_bits() > 0) {
    text += " = " + unit.amount(*bits) + " of " + std::to_string(unit.word_bits()) + " bit";
  }
  if (memory.buffering > 1) {
    text += "; buffering " + std::to_string(memory.buffering) + " leaves " +
            unit.amount(violation.limit) + " for a tile";
  }
  return text;
}

void Reporter::report_capacity(const Violation& violation) {
  const std::vector<int> keeps = keeps_of(problem_, mapping_, violation);
  const SizeUnit unit = unit_of(violation, keeps);
  Diagnostic& finding = error(violation.kind == Kind::kCapacity ? "M0201" : "M0203",
                              capacity_message(violation, keeps, unit));
  for (const int position : keeps) label(finding, position, "");
  add_tile_notes(finding, violation, keeps, unit);
  if (std::string note = available_note(violation, unit); !note.empty()) {
    finding.notes.push_back(std::move(note));
  }
  add_capacity_helps(finding, violation, unit);
}

std::string Reporter::shortening_help(const Violation& violation, const Shortening& shortening,
                                      const SizeUnit& unit) const {
  const Step& largest = shortening.largest.steps.front();
  const DimId dim = node(largest.position).dim;
  const auto needs = [&](const Repair& repair) {
    return unit.amount(bits_needed(problem_, repair.mapping, violation));
  };
  std::string help;
  if (shortening.divides) {
    const Step& step = shortening.divides->steps.front();
    help = loop_text(dim, step.factor) + " fits (" + needs(*shortening.divides) + ") and divides " +
           with_commas(workload().dim(dim).size) + ", with " + rest_text(step);
  }
  if (!shortening.divides || shortening.divides->steps.front().factor < largest.factor) {
    help += std::string(help.empty() ? "" : ";\n") + loop_text(dim, largest.factor) + " fits (" +
            needs(shortening.largest) + ") and leaves a remainder, with " + rest_text(largest);
  }
  if (shortening.misses) {
    const std::int64_t missing =
        bits_needed(problem_, shortening.misses->mapping, violation) - violation.limit;
    const std::int64_t word = std::max<std::int64_t>(unit.word_bits(), 1);
    help += ";\n" + loop_text(dim, shortening.misses->steps.front().factor) + " misses by " +
            unit.amount((missing + word - 1) / word * word);
  }
  return help;
}

void Reporter::add_capacity_helps(Diagnostic& finding, const Violation& violation,
                                  const SizeUnit& unit) const {
  struct Choice {
    Shortening shortening;
    bool in_time;
    std::int64_t bits;
  };
  std::vector<Choice> choices;
  for (const int loop : loops_inside(problem_, mapping_, violation)) {
    auto shortening = repairer_.shorten(violation, loop);
    if (!shortening) continue;
    const std::int64_t bits = bits_needed(problem_, shortening->largest.mapping, violation);
    choices.push_back({std::move(*shortening), node(loop).kind == NodeKind::kTemporal, bits});
  }
  std::stable_sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
    return a.in_time != b.in_time ? a.in_time : a.bits > b.bits;
  });
  for (std::size_t i = 0; i < std::min<std::size_t>(choices.size(), 2); ++i) {
    const Shortening& shortening = choices[i].shortening;
    const int loop = shortening.largest.steps.front().position;
    label(finding, loop, i == 0 ? "shorten this loop" : "or this one");
    finding.helps.push_back(shortening_help(violation, shortening, unit));
  }
  if (!choices.empty()) return;
  const auto several = repairer_.shorten_several(violation);
  if (!several) return;
  std::string loops;
  for (const Step& step : several->steps) {
    loops += (loops.empty() ? "" : " and ") + loop_text(node(step.position).dim, step.factor) +
             " instead of " + loop_text(step.position);
    label(finding, step.position, "");
  }
  finding.helps.push_back("no single loop is enough: " + loops + ", with the rest outside " +
                          node_text(violation.node) + ", fit (" +
                          unit.amount(bits_needed(problem_, several->mapping, violation)) + ")");
}

}  // namespace

void report_violations(const Problem& problem, const Mapping& mapping, const MappingSource& source,
                       const std::vector<Violation>& violations, Diagnostics& diagnostics) {
  Reporter reporter(problem, mapping, source, violations, diagnostics);
  const std::size_t most = std::min<std::size_t>(violations.size(), kMaxReportedViolations);
  for (std::size_t i = 0; i < most; ++i) reporter.report(violations[i]);
  if (most == violations.size()) return;
  const auto more = static_cast<std::int64_t>(violations.size() - most);
  Diagnostic& finding =
      diagnostics.error("M0228", with_commas(more) + " more violations are not shown");
  if (source.whole.file) finding.labels.push_back(Label{source.whole, ""});
}

}  // namespace tilewright
