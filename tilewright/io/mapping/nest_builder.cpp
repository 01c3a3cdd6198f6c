// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/mapping/nest_builder.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>
#include <utility>

#include "tilewright/base/checked.h"
#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/mapping/canonical_order.h"

namespace tilewright {
namespace {

/// A help that names the nearest candidate, else all of them.
void suggest(Diagnostic& finding, const Word& word, std::span<const std::string> candidates,
             const std::string& what) {
  if (const auto meant = nearest(word.text, candidates)) {
    finding.helps.push_back("did you mean " + in_backticks(*meant) + "?");
  } else if (!candidates.empty()) {
    finding.helps.push_back("the " + what + ": " + join_names(candidates, "and"));
  }
}

template <typename Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

using Placed = std::pair<NestNode, Span>;

/// One span per node of `mapping`, which was made from `placed`: drops, sorts and merges as the
/// constructor of Mapping does. A merged keep node gets the span of its first part.
std::vector<Span> spans_of(const Mapping& mapping, std::vector<Placed> placed) {
  std::erase_if(placed, [](const Placed& entry) {
    return entry.first.is_loop() ? entry.first.factor == 1 : entry.first.tensors == 0;
  });
  std::vector<NestNode> nodes;
  for (const Placed& entry : placed) nodes.push_back(entry.first);
  const std::vector<Placed> given = placed;
  const std::vector<std::size_t> order = canonical_order(nodes);
  for (std::size_t i = 0; i < order.size(); ++i) placed[i] = given[order[i]];
  std::vector<Span> spans;
  std::size_t next = 0;
  for (const NestNode& node : mapping.nodes()) {
    TW_CHECK(next < placed.size(), "every node of the mapping was read somewhere");
    spans.push_back(placed[next].second);
    TensorSet left = node.tensors & ~placed[next++].first.tensors;
    while (left != 0 && next < placed.size()) left &= ~placed[next++].first.tensors;
  }
  return spans;
}

}  // namespace

Span PlacedText::part(std::size_t offset, std::size_t length) const {
  if (!exact) return span;
  Span result = span;
  result.column += static_cast<int>(offset);
  result.length = static_cast<int>(std::max<std::size_t>(length, 1));
  return result;
}

std::optional<std::string> split_loop(std::string_view word) {
  const std::size_t digits = word.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits >= word.size()) return std::nullopt;
  std::string_view dim = word.substr(0, digits);
  if (dim.back() == '=') dim.remove_suffix(1);
  if (dim.empty()) return std::nullopt;
  return std::string(dim) + " " + std::string(word.substr(digits));
}

NestBuilder::NestBuilder(const Problem& problem, Diagnostics& diagnostics)
    : problem_(problem), diagnostics_(diagnostics), errors_before_(diagnostics.errors()) {}

Diagnostic& NestBuilder::error(std::string code, std::string message, const Span& span,
                               std::string label) {
  if (diagnostics_.errors() - errors_before_ + 1 >= kMaxNestErrors) full_ = true;
  Diagnostic& finding = diagnostics_.error(std::move(code), std::move(message));
  finding.labels.push_back(Label{span, std::move(label)});
  if (full_) finding.notes.push_back("the rest of the mapping was not read");
  return finding;
}

void NestBuilder::add(NestNode node, const Span& span, bool rest) {
  if (full_) return;
  if (entries_.size() >= kMaxNestNodes) {
    full_ = true;
    error("M0009", "the mapping has more than 10,000 nodes", span);
    return;
  }
  entries_.push_back(Entry{node, span, rest});
}

void NestBuilder::check_nothing_inside_compute(const Span& span) {
  if (!compute_) return;
  Diagnostic& finding =
      error("M0010", "the compute unit is the last node: nothing lies inside it", span);
  finding.labels.push_back(Label{*compute_, "the compute unit"});
  compute_.reset();  // once is enough
}

std::optional<NodeId> NestBuilder::find_node(const Word& name, bool want_memory) {
  const Arch& arch = problem_.arch();
  const std::string wanted = want_memory ? "memory" : "fan-out";
  const auto found = arch.find(name.text);
  if (found && arch.is_memory(*found) == want_memory) return found;
  std::vector<std::string> candidates;
  for (const NodeId id : want_memory ? arch.memories() : arch.fanouts()) {
    candidates.push_back(node_name(arch.nodes()[id.pos()]));
  }
  const std::string quoted = in_backticks(name.text);
  if (found || name.text == arch.compute().name) {
    const std::string is = !found ? "the compute unit" : want_memory ? "a fan-out" : "a memory";
    const std::string verb = want_memory ? "`keep`" : "`parfor`";
    Diagnostic& finding =
        error("M0008", quoted + " is " + is + ", but " + verb + " needs a " + wanted, name.span);
    if (!candidates.empty()) {
      finding.helps.push_back(std::string(want_memory ? "the memories: " : "the fan-outs: ") +
                              join_names(candidates, "and"));
    }
    return std::nullopt;
  }
  Diagnostic& finding = error("M0002", "unknown " + wanted + " " + quoted, name.span);
  suggest(finding, name, candidates, want_memory ? "memories" : "fan-outs");
  return std::nullopt;
}

std::optional<DimId> NestBuilder::find_dim(const Word& name) {
  const auto found = problem_.workload().find_dim(name.text);
  if (found) return found;
  Diagnostic& finding = error("M0004", "unknown dim " + in_backticks(name.text), name.span);
  if (const auto meant = split_loop(name.text)) {
    const std::string dim = meant->substr(0, meant->find(' '));
    if (problem_.workload().find_dim(dim)) {
      finding.helps.push_back("write " + in_backticks(*meant));
      return std::nullopt;
    }
  }
  suggest(finding, name, names_of(problem_.workload().dims()), "dims");
  return std::nullopt;
}

std::optional<TensorId> NestBuilder::find_tensor(const Word& name) {
  const Workload& workload = problem_.workload();
  const auto found = workload.find_tensor(name.text);
  if (found) return found;
  Diagnostic& finding = error("M0003", "unknown tensor " + in_backticks(name.text), name.span);
  std::vector<std::string> with_role;
  for (const Tensor& tensor : workload.tensors()) {
    if (tensor.role == name.text) with_role.push_back(tensor.name);
  }
  if (with_role.empty()) {
    suggest(finding, name, names_of(workload.tensors()), "tensors");
  } else {
    finding.helps.push_back("that is a role; a mapping names the tensor: " +
                            join_names(with_role, "or"));
  }
  return std::nullopt;
}

std::optional<int> NestBuilder::find_axis(NodeId fanout, const LoopItem& item) {
  const Fanout& node = problem_.arch().fanout(fanout);
  const std::vector<std::string> names = names_of(node.axes);
  if (!item.axis) {
    if (node.axes.size() == 1) return 0;
    Diagnostic& finding =
        error("M0005",
              in_backticks(node.name) + " has " + std::to_string(node.axes.size()) +
                  " axes: the loop must name one of them",
              item.span);
    if (!names.empty()) {
      finding.helps.push_back(
          "write " + in_backticks(item.dim.text + " " + item.factor.text + " on " + names.front()) +
          "; the axes: " + join_names(names, "and"));
    }
    return std::nullopt;
  }
  const auto found = std::find(names.begin(), names.end(), item.axis->text);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  Diagnostic& finding =
      error("M0005", in_backticks(node.name) + " has no axis " + in_backticks(item.axis->text),
            item.axis->span);
  suggest(finding, *item.axis, names, "axes");
  return std::nullopt;
}

std::optional<std::int64_t> NestBuilder::read_factor(const LoopItem& item) {
  const std::string& text = item.factor.text;
  if (text == "*") return 1;
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault == std::errc() && end == text.data() + text.size() && value >= 1) return value;
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && fault == std::errc::result_out_of_range) {
    error("M0006", "the factor " + in_backticks(text) + " is too large", item.factor.span,
          "at most " + std::to_string(std::numeric_limits<std::int64_t>::max()));
    return std::nullopt;
  }
  Diagnostic& finding = error("M0006", in_backticks(text) + " is not a factor", item.factor.span,
                              "a whole number of at least 1, or `*`");
  if (problem_.workload().find_dim(text) &&
      item.dim.text.find_first_not_of("0123456789") == std::string::npos) {
    finding.helps.push_back("write " + in_backticks(text + " " + item.dim.text));
  }
  return std::nullopt;
}

void NestBuilder::keep(const Word& memory, std::span<const Word> tensors, const Span& span) {
  check_nothing_inside_compute(span);
  const auto node = find_node(memory, true);
  TensorSet set = 0;
  for (const Word& word : tensors) {
    if (full_) return;
    const auto tensor = find_tensor(word);
    if (!tensor) continue;
    if ((set & only(*tensor)) != 0) {
      error("M0011", in_backticks(word.text) + " is named twice", word.span);
    }
    set |= only(*tensor);
  }
  if (node) add(tilewright::keep(*node, set), span, false);
}

void NestBuilder::temporal_loop(const LoopItem& item) {
  check_nothing_inside_compute(item.span);
  if (item.axis) {
    Diagnostic& finding =
        error("M0001", "a temporal loop has no axis", item.axis->span, "`on` needs a `parfor`");
    finding.helps.push_back("for a spatial loop, write " +
                            in_backticks("NAME: parfor " + item.dim.text + " " + item.factor.text +
                                         " on " + item.axis->text) +
                            " with the name of a fan-out");
  }
  const auto dim = find_dim(item.dim);
  const auto factor = read_factor(item);
  if (dim && factor) add(temporal(*dim, *factor), item.span, item.factor.text == "*");
}

void NestBuilder::spatial_loops(const Word& fanout, std::span<const LoopItem> items) {
  check_nothing_inside_compute(fanout.span);
  const auto node = find_node(fanout, false);
  for (const LoopItem& item : items) {
    if (full_) return;
    const auto dim = find_dim(item.dim);
    const auto factor = read_factor(item);
    if (!node) continue;
    const auto axis = find_axis(*node, item);
    if (!dim || !factor || !axis) continue;
    add(spatial(*node, *axis, *dim, *factor), item.span, item.factor.text == "*");
  }
}

void NestBuilder::compute(const Word& name) {
  check_nothing_inside_compute(name.span);
  compute_ = name.span;
  const Arch& arch = problem_.arch();
  if (name.text == arch.compute().name) return;
  const std::string quoted = in_backticks(name.text);
  const bool node = arch.find(name.text).has_value();
  Diagnostic& finding = error(
      "M0002", node ? quoted + " is not the compute unit" : "unknown name " + quoted, name.span);
  finding.helps.push_back("the compute unit is " + in_backticks(arch.compute().name));
}

void NestBuilder::resolve_rests() {
  const std::span<const Dim> dims = problem_.workload().dims();
  std::vector<std::int64_t> product(dims.size(), 1);
  std::vector<const Entry*> rest(dims.size(), nullptr);
  for (const Entry& entry : entries_) {
    if (!entry.node.is_loop()) continue;
    const std::size_t dim = entry.node.dim.pos();
    if (entry.rest && rest[dim] != nullptr) {
      Diagnostic& finding =
          error("M0007", "two loops over " + in_backticks(dims[dim].name) + " take what is left",
                entry.span, "give one of them a number");
      finding.labels.push_back(Label{rest[dim]->span, "the first `*`"});
    }
    if (entry.rest) rest[dim] = &entry;
    if (__builtin_mul_overflow(product[dim], entry.node.factor, &product[dim])) {
      product[dim] = std::numeric_limits<std::int64_t>::max();  // covers any dim: 1 is left
    }
  }
  for (Entry& entry : entries_) {
    if (!entry.rest) continue;
    const std::size_t dim = entry.node.dim.pos();
    entry.node.factor = ceil_div(dims[dim].size, product[dim]);
  }
}

std::optional<Mapping> NestBuilder::finish(const Span& whole, MappingSource* source) {
  resolve_rests();
  if (diagnostics_.errors() != errors_before_) return std::nullopt;
  std::vector<NestNode> nodes;
  std::vector<Placed> placed;
  for (const Entry& entry : entries_) {
    nodes.push_back(entry.node);
    if (source != nullptr) placed.emplace_back(entry.node, entry.span);
  }
  Mapping mapping(std::move(nodes));
  if (source != nullptr) {
    source->whole = whole;
    source->nodes = spans_of(mapping, std::move(placed));
  }
  return mapping;
}

}  // namespace tilewright
