// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/constraints/constraint_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/constraints/factor_text.h"
#include "tilewright/io/yaml/fault.h"
#include "tilewright/io/yaml/object_reader.h"
#include "tilewright/io/yaml/units.h"

namespace tilewright {
namespace {

using Kind = Constraint::Kind;

constexpr std::string_view kOthers = "...";

template <typename Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

/// A name as written: a whole scalar or key, or a part of a scalar.
struct Word {
  std::string_view text;
  const Span& whole;
  const YamlNode* scalar = nullptr;
  std::size_t offset = 0;

  Span span() const {
    return scalar == nullptr ? whole : span_within(*scalar, offset, text.size());
  }
};

Word whole_word(const YamlNode& scalar) { return {scalar.text, scalar.span}; }

/// Looks up what constraints name; reports what does not exist, with the nearest that does.
class Names {
 public:
  Names(const Problem& problem, Diagnostics& diagnostics)
      : problem_(problem), diagnostics_(diagnostics) {}

  std::optional<NodeId> node(const Word& word) {
    const Arch& arch = problem_.arch();
    if (const auto found = arch.find(word.text)) return found;
    std::vector<std::string> known;
    for (const ArchNode& node : arch.nodes()) known.push_back(node_name(node));
    if (word.text == arch.compute().name) {
      Diagnostic& error = report("K0006", in_backticks(word.text) + " is the compute unit",
                                 word.span(), "constraints are about memories and fan-outs");
      error.helps.push_back("the nodes: " + join_names(known, "and"));
    } else {
      unknown("K0001", "memory or fan-out", "nodes", word, known);
    }
    return std::nullopt;
  }

  std::optional<DimId> dim(const Word& word) {
    const auto found = problem_.workload().find_dim(word.text);
    if (!found) unknown("K0003", "dim", "dims", word, names_of(problem_.workload().dims()));
    return found;
  }

  /// Empty, and reported, if no tensor answers to the name.
  TensorSet tensors(const Word& word) {
    constexpr std::array<std::string_view, 3> kRoles = {"input", "weight", "output"};
    const Workload& workload = problem_.workload();
    const TensorSet found = resolve_tensors(workload, word.text);
    if (found != 0) return found;
    if (std::ranges::find(kRoles, word.text) != kRoles.end()) {
      warn("no tensor of the workload has the role " + in_backticks(word.text), word.span());
      return 0;
    }
    std::vector<std::string> known = names_of(workload.tensors());
    for (const Tensor& tensor : workload.tensors()) {
      if (std::ranges::find(known, tensor.role) == known.end()) known.push_back(tensor.role);
    }
    unknown("K0002", "tensor or role", "tensors and roles", word, known);
    return 0;
  }

  std::optional<int> axis(NodeId fanout, const Word& word) {
    const Fanout& node = problem_.arch().fanout(fanout);
    const auto found = std::ranges::find(node.axes, word.text, &Axis::name);
    if (found != node.axes.end()) return static_cast<int>(found - node.axes.begin());
    Diagnostic& error = report(
        "K0004", fmt::format("{} has no axis {}", in_backticks(node.name), in_backticks(word.text)),
        word.span(), "");
    suggest(error, word, names_of(node.axes), "axes");
    return std::nullopt;
  }

  Diagnostic& report(const char* code, std::string message, const Span& span, std::string label) {
    Diagnostic& error = diagnostics_.error(code, std::move(message));
    error.labels.push_back({span, std::move(label)});
    return error;
  }

  Diagnostic& warn(std::string message, const Span& span) {
    Diagnostic& warning = diagnostics_.warning("K0011", std::move(message));
    warning.labels.push_back({span, "this has no effect"});
    return warning;
  }

 private:
  void unknown(const char* code, const char* what, const char* all, const Word& word,
               const std::vector<std::string>& known) {
    Diagnostic& error =
        report(code, fmt::format("unknown {} {}", what, in_backticks(word.text)), word.span(), "");
    suggest(error, word, known, all);
  }

  static void suggest(Diagnostic& error, const Word& word, const std::vector<std::string>& known,
                      const char* all) {
    const auto near = nearest(word.text, known);
    // Any letter is near any other; only its case says that it was meant.
    const bool letters = near && near->size() == 1 && word.text.size() == 1;
    if (near && (!letters || edit_distance(*near, word.text) == 1)) {
      error.helps.push_back("did you mean " + in_backticks(*near) + "?");
    } else if (!known.empty()) {
      error.helps.push_back(fmt::format("the {}: {}", all, join_names(known, "and")));
    }
  }

  const Problem& problem_;
  Diagnostics& diagnostics_;
};

class SectionReader {
 public:
  SectionReader(const Problem& problem, Diagnostics& diagnostics)
      : problem_(problem), diagnostics_(diagnostics), names_(problem, diagnostics) {}

  void read(const YamlNode& list) {
    if (!list.is_list()) {
      const std::string is = list.is_null() ? "has no value" : "is " + describe(list);
      Diagnostic& error = names_.report(
          "F0012", fmt::format("`constraints` {}{}", is, list.is_null() ? "" : ", not a list"),
          list.span, "expected a list");
      error.helps.push_back(
          "write `- at: NAME` with the name of a memory or fan-out, then its keys");
      return;
    }
    for (const YamlNode& item : list.items) read_item(item);
  }

  std::vector<Constraint> take_constraints() { return std::move(constraints_); }
  std::vector<Span> take_places() { return std::move(places_); }
  std::vector<UnfitConstraint> take_unfit() { return std::move(unfit_); }
  /// Numbers of the findings that are about those.
  const std::set<std::size_t>& set_aside() const { return aside_; }

 private:
  std::size_t findings() const { return diagnostics_.all().size(); }

  // If all that was found from number `from` on is about what the workload lacks, the constraint
  // does not fit it, and true.
  bool is_unfit(std::size_t from, const std::string& words, const Span& place) {
    constexpr std::array<std::string_view, 4> kLacks = {"K0002", "K0003", "K0007", "K0008"};
    const std::span<const Diagnostic> found = std::span(diagnostics_.all()).subspan(from);
    if (found.empty() || !node_) return false;
    for (const Diagnostic& finding : found) {
      if (std::ranges::find(kLacks, finding.code) == kLacks.end()) return false;
    }
    unfit_.push_back({words, place, found.front()});
    for (std::size_t i = from; i < findings(); ++i) aside_.insert(i);
    return true;
  }

  // `at GLB`, `on X of PE`
  std::string place_words(const std::string& axis = "") const {
    if (!at_fanout()) return "at " + node_text();
    return (axis.empty() ? "of " : "on " + axis + " of ") + node_text();
  }

  // What a node of either kind may be asked; the rest of the keys only one kind may.
  void read_item(const YamlNode& item) {
    const YamlEntry* at = item.find("at");
    const bool named = at != nullptr && at->value.is_scalar();
    ObjectReader reader(
        item, ObjectId::kConstraint,
        named ? "the constraints at " + in_backticks(at->value.text) : "an item of `constraints`",
        diagnostics_);
    if (!reader.is_map()) return;
    node_.reset();
    if (reader.take("at") != nullptr &&
        scalar_text(at->value, "`at`", "the name of a memory or fan-out", diagnostics_)) {
      node_ = names_.node(whole_word(at->value));
    }
    if (const YamlEntry* keep = take(reader, "keep", true)) read_tensors(*keep, Kind::kKeep);
    if (const YamlEntry* bypass = take(reader, "bypass", true)) {
      read_tensors(*bypass, Kind::kBypass);
    }
    if (const YamlEntry* factors = reader.take("factors")) read_factors(*factors, reader);
    if (reader.take_flag("remainders") == false) {
      add({.kind = Kind::kPerfect}, entry_span(*item.find("remainders")));
    }
    if (const YamlEntry* order = take(reader, "order", true)) read_order(*order);
    if (const YamlEntry* dims = take(reader, "dims", false)) read_dims(*dims);
    if (const YamlEntry* share = take(reader, "utilization", false)) read_share(*share, reader);
    reader.finish();
  }

  void add(Constraint constraint, const Span& place) {
    if (!node_) return;
    constraint.node = *node_;
    constraints_.push_back(std::move(constraint));
    places_.push_back(place);
  }

  const std::string& node_text() const { return node_name(problem_.arch().nodes()[node_->pos()]); }
  bool at_fanout() const { return node_ && !problem_.arch().is_memory(*node_); }

  /// The entry of a key that only memories (or only fan-outs) have; null if it is absent or `at`
  /// is of the other kind.
  const YamlEntry* take(ObjectReader& reader, std::string_view key, bool of_memory) {
    const YamlEntry* entry = reader.take(key);
    if (entry == nullptr || !node_ || at_fanout() != of_memory) return entry;
    Diagnostic& error = names_.report(
        "K0006",
        fmt::format("`{}` is for {}, but {} is a {}", key, of_memory ? "memories" : "fan-outs",
                    in_backticks(node_text()), of_memory ? "fan-out" : "memory"),
        entry->key_span, "");
    if (key == "order") {
      error.helps.push_back(
          "spatial loops have no order; `dims` says which dims may be spread over an axis");
    } else if (key == "dims") {
      error.helps.push_back("`factors: [c = 1]` keeps loops over `c` away from a memory");
    } else {
      std::vector<std::string> others;
      for (const NodeId id : of_memory ? problem_.arch().memories() : problem_.arch().fanouts()) {
        others.push_back(node_name(problem_.arch().nodes()[id.pos()]));
      }
      if (others.empty()) return nullptr;
      error.helps.push_back(fmt::format("give it at a {}: {}", of_memory ? "memory" : "fan-out",
                                        join_names(others, "or")));
    }
    return nullptr;
  }

  /// The scalars of a list; reports what is none of them.
  std::vector<const YamlNode*> scalars(const YamlNode& node, const std::string& where,
                                       const char* what) {
    std::vector<const YamlNode*> result;
    if (!node.is_list()) {
      const std::string message = node.is_null()
                                      ? where + " has no value"
                                      : fmt::format("{} is {}, not a list", where, describe(node));
      Diagnostic& error =
          names_.report("F0012", message, node.span, fmt::format("expected a list of {}s", what));
      if (node.is_scalar()) error.helps.push_back("write " + in_backticks("[" + node.text + "]"));
    }
    for (const YamlNode& item : node.items) {
      const std::string one = fmt::format("a {} in {}", what, where);
      if (scalar_text(item, one, fmt::format("a {}", what), diagnostics_)) result.push_back(&item);
    }
    return result;
  }

  /// The same for names, each at most once.
  std::vector<const YamlNode*> distinct(const YamlNode& node, const std::string& where,
                                        const char* what) {
    std::vector<const YamlNode*> result;
    std::map<std::string_view, const YamlNode*> seen;
    for (const YamlNode* word : scalars(node, where, what)) {
      const auto [first, added] = seen.emplace(word->text, word);
      if (added) {
        result.push_back(word);
        continue;
      }
      Diagnostic& error = names_.report(
          "F0009", fmt::format("{} occurs twice in {}", in_backticks(word->text), where),
          word->span, "given again here");
      error.labels.push_back({first->second->span, "first given here"});
    }
    return result;
  }

  void read_tensors(const YamlEntry& entry, Kind kind) {
    TensorSet set = 0;
    for (const YamlNode* word : distinct(entry.value, "`" + entry.key + "`", "tensor")) {
      const std::size_t before = findings();
      set |= names_.tensors(whole_word(*word));
      if (node_)
        is_unfit(before, fmt::format("{} {} {}", entry.key, word->text, place_words()), word->span);
    }
    if (entry.value.is_list() && entry.value.items.empty()) {
      Diagnostic& warning = names_.warn("`" + entry.key + "` names no tensor", entry_span(entry));
      if (kind == Kind::kKeep) {
        warning.helps.push_back("to keep nothing here, name all tensors in `bypass`");
      }
    }
    if (set != 0) add({.kind = kind, .tensors = set}, entry_span(entry));
  }

  void read_factors(const YamlEntry& entry, const ObjectReader& reader) {
    const YamlNode& list = entry.value;
    if (list.is_map()) {
      std::string instead;
      for (const YamlEntry& part : list.entries) {
        const std::string value = part.value.is_scalar() ? part.value.text : "1";
        instead += fmt::format("{}{} = {}", instead.empty() ? "" : ", ", part.key, value);
      }
      names_.report("F0012", "`factors` is a map, not a list", list.span, "expected a list")
          .helps.push_back("write " + in_backticks("[" + instead + "]"));
      return;
    }
    for (const YamlNode* text : scalars(list, "`factors`", "factor")) {
      TextFault fault;
      if (const auto factor = parse_factor(text->text, fault)) {
        const std::size_t before = findings();
        read_factor(*factor, *text);
        if (node_) is_unfit(before, factor_words(*factor), text->span);
      } else {
        report_fault(fault, *text, reader.where("factors"), diagnostics_);
      }
    }
  }

  void read_factor(const FactorText& factor, const YamlNode& text) {
    const auto word = [&](const FactorText::Word& part) {
      return Word{part.text, text.span, &text, part.offset};
    };
    const auto dim = names_.dim(word(factor.dim));
    const bool fits = !dim || fits_dim(factor, *dim, word(factor.number));
    if (!node_) return;
    std::optional<int> axis = -1;
    if (at_fanout()) {
      axis = factor.axis ? names_.axis(*node_, word(*factor.axis)) : only_axis(factor, text);
    } else if (factor.axis) {
      names_
          .report("K0004", fmt::format("{} is a memory and has no axes", in_backticks(node_text())),
                  word(*factor.axis).span(), "")
          .helps.push_back(fmt::format("write `{} {} {}`", factor.dim.text,
                                       relation_of(factor.kind), factor.number.text));
      return;
    }
    if (!dim || !axis || !fits) return;
    const std::int64_t value = factor.value.value_or(problem_.workload().dim(*dim).size);
    add({.kind = factor.kind, .dim = *dim, .axis = *axis, .value = value}, text.span);
  }

  std::string factor_words(const FactorText& factor) const {
    std::string axis = factor.axis ? factor.axis->text : "";
    const bool chosen = axis.empty() && at_fanout() && !problem_.arch().fanout(*node_).axes.empty();
    if (chosen) axis = problem_.arch().fanout(*node_).axes.front().name;
    return fmt::format("{} {} {} {}", factor.dim.text, relation_of(factor.kind), factor.number.text,
                       place_words(axis));
  }

  bool fits_dim(const FactorText& factor, DimId dim, const Word& number) {
    const std::int64_t size = problem_.workload().dim(dim).size;
    if (factor.kind == Kind::kAtMost || !factor.value || *factor.value <= size) return true;
    const std::string& name = factor.dim.text;
    const std::int64_t value = *factor.value;
    Diagnostic& error = names_.report(
        "K0007",
        fmt::format("a factor of `{}` cannot be {}{}: `{}` is {}", name,
                    factor.kind == Kind::kAtLeast ? "at least " : "", value, name, size),
        number.span(), fmt::format("{} > {}", value, size));
    error.notes.push_back(size == 1
                              ? fmt::format("`{}` has size 1, so its only factor is 1", name)
                              : fmt::format("a loop over `{}` has 1 to {} iterations", name, size));
    const std::string up_to = fmt::format("`{} <= {}`, which means up to {}", name, value, value);
    if (factor.kind == Kind::kAtLeast) {
      error.helps.push_back(size == 1 ? "leave it out"
                                      : fmt::format("write `{} >= {}` or less", name, size));
    } else {
      error.helps.push_back(fmt::format("write `{} = {}`, or {}", name, size, up_to));
    }
    return false;
  }

  // `on` may be left out where there is nothing to choose.
  std::optional<int> only_axis(const FactorText& factor, const YamlNode& text) {
    const std::vector<std::string> axes = names_of(problem_.arch().fanout(*node_).axes);
    if (axes.size() == 1) return 0;
    Diagnostic& error = names_.report("K0004",
                                      fmt::format("{} has {} axes: a factor must name one of them",
                                                  in_backticks(node_text()), axes.size()),
                                      text.span, "");
    if (axes.empty()) return std::nullopt;
    error.helps.push_back(fmt::format("write `{} {} {} on {}`; the axes: {}", factor.dim.text,
                                      relation_of(factor.kind), factor.number.text, axes.front(),
                                      join_names(axes, "and")));
    return std::nullopt;
  }

  void read_order(const YamlEntry& entry) {
    const std::size_t before = findings();
    read_order_of(entry);
    std::vector<std::string> words;
    for (const YamlNode& word : entry.value.items) words.push_back(word.text);
    if (node_) {
      is_unfit(before, fmt::format("order {} {}", fmt::join(words, ", "), place_words()),
               entry_span(entry));
    }
  }

  void read_order_of(const YamlEntry& entry) {
    const int before = diagnostics_.errors();
    Constraint order{.kind = Kind::kOrder};
    bool others = false;
    for (const YamlNode* word : distinct(entry.value, "`order`", "dim")) {
      if (word->text == kOthers) {
        others = true;
      } else if (const auto dim = names_.dim(whole_word(*word))) {
        (others ? order.innermost : order.outermost).push_back(*dim);
      }
    }
    if (diagnostics_.errors() != before) return;
    if (!others && !is_complete(order.outermost, entry)) return;
    if (order.outermost.empty() && order.innermost.empty()) {
      names_.warn("`order` names no dim", entry_span(entry));
      return;
    }
    const Span place = entry_span(entry);
    const auto [first, added] =
        node_ ? orders_.emplace(*node_, place) : std::pair(orders_.end(), true);
    if (added) {
      add(std::move(order), place);
      return;
    }
    Diagnostic& error = names_.report(
        "K0009", fmt::format("the loops of {} have two orders", in_backticks(node_text())), place,
        "the second one");
    error.labels.push_back({first->second, "the first one"});
    error.helps.push_back("keep one of the two; `...` in it leaves the others free");
  }

  bool is_complete(const std::vector<DimId>& listed, const YamlEntry& entry) {
    std::vector<std::string> absent;
    const auto dims = problem_.workload().dims();
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const bool there = std::ranges::find(listed, DimId(d)) != listed.end();
      if (!there && dims[d].size > 1) absent.push_back(dims[d].name);
    }
    if (absent.empty()) return true;
    Diagnostic& error = names_.report("K0008", "`order` leaves out " + join_names(absent, "and"),
                                      entry_span(entry), "");
    std::string words;
    for (const YamlNode& word : entry.value.items) words += word.text + ", ";
    error.helps.push_back("write `...` where the others may be, for example " +
                          in_backticks("[" + words + "...]"));
    return false;
  }

  void read_dims(const YamlEntry& entry) {
    const YamlNode& map = entry.value;
    if (!map.is_map()) {
      const std::string message = map.is_null()
                                      ? "`dims` has no value"
                                      : fmt::format("`dims` is {}, not a map", describe(map));
      names_.report("F0012", message, map.span, "expected `{X: [c, m]}`: an axis and its dims");
      return;
    }
    std::map<int, std::pair<Constraint, Span>> by_axis;
    for (const YamlEntry& part : map.entries) {
      Constraint allowed{.kind = Kind::kAxisDims};
      const std::size_t before = findings();
      std::vector<std::string> words;
      const std::string where = fmt::format("{} in `dims`", in_backticks(part.key));
      for (const YamlNode* word : distinct(part.value, where, "dim")) {
        words.push_back(word->text);
        if (const auto dim = names_.dim(whole_word(*word))) allowed.dims.push_back(*dim);
      }
      if (!node_) continue;
      const std::string text =
          fmt::format("only {} {}", fmt::join(words, ", "), place_words(part.key));
      const bool unfit = is_unfit(before, text, entry_span(part));
      const auto axis = names_.axis(*node_, {part.key, part.key_span});
      if (unfit || !axis) continue;
      allowed.axis = *axis;
      by_axis.emplace(*axis, std::pair(std::move(allowed), entry_span(part)));
    }
    for (auto& [axis, placed] : by_axis) add(std::move(placed.first), placed.second);
  }

  void read_share(const YamlEntry& entry, const ObjectReader& reader) {
    const std::string where = reader.where("utilization");
    const auto text = scalar_text(entry.value, where, "a share such as `75 %`", diagnostics_);
    if (!text) return;
    TextFault fault;
    if (const auto share = parse_share(*text, fault)) {
      add({.kind = Kind::kUtilization, .share = *share}, entry_span(entry));
    } else {
      report_fault(fault, entry.value, where, diagnostics_);
    }
  }

  const Problem& problem_;
  Diagnostics& diagnostics_;
  Names names_;
  std::optional<NodeId> node_;  // of the item; nothing if `at` does not say
  std::map<NodeId, Span> orders_;
  std::vector<Constraint> constraints_;
  std::vector<Span> places_;
  std::vector<UnfitConstraint> unfit_;
  std::set<std::size_t> aside_;  // findings about them
};

}  // namespace

std::optional<std::vector<Constraint>> read_constraints_node(const YamlNode& node,
                                                             const Problem& problem,
                                                             Diagnostics& diagnostics,
                                                             std::vector<Span>* source,
                                                             std::vector<UnfitConstraint>* unfit) {
  const int before = diagnostics.errors();
  Diagnostics found;
  SectionReader reader(problem, found);
  reader.read(node);
  for (std::size_t i = 0; i < found.all().size(); ++i) {
    const Diagnostic& finding = found.all()[i];
    if (unfit != nullptr && reader.set_aside().contains(i)) continue;
    const bool error = finding.severity == Severity::kError;
    (error ? diagnostics.error("", "") : diagnostics.warning("", "")) = finding;
  }
  if (diagnostics.errors() != before) return std::nullopt;
  if (source != nullptr) *source = reader.take_places();
  if (unfit != nullptr) *unfit = reader.take_unfit();
  return reader.take_constraints();
}

}  // namespace tilewright
