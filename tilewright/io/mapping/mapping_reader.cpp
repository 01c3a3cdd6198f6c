// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/mapping/mapping_reader.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/mapping/nest_builder.h"
#include "tilewright/io/mapping/nest_reader.h"
#include "tilewright/io/yaml/object_reader.h"

namespace tilewright {
namespace {

constexpr std::array<std::string_view, 6> kKeys = {"memory", "keep",   "for",
                                                   "fanout", "parfor", "compute"};

/// A scalar as text whose letters can be pointed at, where it stands in the file as it is.
PlacedText placed(const YamlNode& scalar) {
  PlacedText text{scalar.text, scalar.span, false};
  const int length = static_cast<int>(scalar.text.size());
  if (!scalar.quoted && scalar.span.length == length) {
    text.exact = true;
  } else if (scalar.quoted && !scalar.block && scalar.span.length == length + 2) {
    text.exact = true;
    text.span.column += 1;
  }
  return text;
}

/// From where `item` begins to the end of what it holds on the same line.
Span whole_span(const YamlNode& item) {
  Span span = item.span;
  int end = span.column + span.length;
  const auto include = [&](const Span& part) {
    if (part.line == span.line) end = std::max(end, part.column + part.length);
  };
  for (const YamlEntry& entry : item.entries) {
    include(entry.key_span);
    include(entry.value.span);
    for (const YamlNode& value : entry.value.items) include(value.span);
  }
  span.length = end - span.column;
  return span;
}

/// Reads the list form.
class ListReader {
 public:
  explicit ListReader(NestBuilder& builder) : builder_(builder) {}

  void read(const YamlNode& list) {
    for (const YamlNode& item : list.items) {
      if (builder_.full()) return;
      read_item(item);
    }
  }

 private:
  void read_item(const YamlNode& item) {
    if (!item.is_map()) {
      report_item(item, "expected a node such as `for: [p 8]`, found " + describe(item));
      return;
    }
    if (!check_keys(item)) return;
    const YamlEntry* memory = item.find("memory");
    const YamlEntry* fanout = item.find("fanout");
    const YamlEntry* compute = item.find("compute");
    const YamlEntry* loops = item.find("for");
    const int kinds = (memory != nullptr) + (fanout != nullptr) + (compute != nullptr);
    if (kinds > 1 || (kinds == 0 && loops == nullptr) || (compute != nullptr && loops != nullptr)) {
      report_item(item, kinds > 1 ? "a node is one of `memory`, `fanout` and `compute`"
                                  : "a node needs `memory`, `fanout`, `compute` or just `for`");
      return;
    }
    if (memory != nullptr && expect(item, "keep", "memory")) read_keep(item, *memory);
    if (fanout != nullptr && expect(item, "parfor", "fanout")) read_parfor(item, *fanout);
    if (compute != nullptr) {
      if (const auto name = read_word(compute->value)) builder_.compute(*name);
    }
    if (loops != nullptr) {
      for (const LoopItem& loop : read_loops(*loops)) builder_.temporal_loop(loop);
    }
  }

  void report_item(const YamlNode& item, const std::string& message) {
    Diagnostic& finding = builder_.error("M0012", message, whole_span(item));
    finding.helps.push_back(
        "a node is `{memory: M, keep: [T]}`, `for: [d 8]`, `{fanout: F, parfor: [d 8 on A]}` or "
        "`{compute: C}`");
  }

  bool check_keys(const YamlNode& item) {
    const int before = errors_;
    for (const YamlEntry& entry : item.entries) {
      if (std::find(kKeys.begin(), kKeys.end(), entry.key) == kKeys.end()) report_key(entry);
    }
    for (const auto& [key, owner] : {std::pair("keep", "memory"), std::pair("parfor", "fanout")}) {
      const YamlEntry* entry = item.find(key);
      if (entry == nullptr || item.find(owner) != nullptr || errors_ != before) continue;
      ++errors_;
      builder_.error("F0011", "`" + std::string(key) + "` needs `" + owner + "` next to it",
                     entry->key_span);
    }
    return errors_ == before;
  }

  void report_key(const YamlEntry& entry) {
    ++errors_;
    Diagnostic& finding = builder_.error(
        "F0010", "unknown key " + in_backticks(entry.key) + " in a node of the mapping",
        entry.key_span);
    if (builder_.problem().arch().find(entry.key)) {
      finding.helps.push_back(
          "write the key `memory` or `fanout` before the name; the text form (`" + entry.key +
          ": keep ...`) goes into a block that begins with "
          "`mapping: |`");
      return;
    }
    const std::vector<std::string> keys(kKeys.begin(), kKeys.end());
    if (const auto meant = nearest(entry.key, keys)) {
      finding.helps.push_back("did you mean `" + *meant + "`?");
    } else {
      finding.helps.push_back("the keys: " + join_names(keys, "and"));
    }
  }

  bool expect(const YamlNode& item, const std::string& key, const std::string& owner) {
    if (item.find(key) != nullptr) return true;
    const YamlEntry& entry = *item.find(owner);
    Diagnostic& finding =
        builder_.error("F0011", "`" + owner + "` needs `" + key + "` next to it", entry.key_span);
    finding.helps.push_back(key == "keep" ? "write `keep: [...]` with the tensors that it keeps"
                                          : "write `parfor: [...]` with its loops, e.g. `p 8`");
    return false;
  }

  std::optional<Word> read_word(const YamlNode& node) {
    if (node.is_scalar()) return Word{node.text, node.span};
    builder_.error("F0012", "expected a name, found " + describe(node), node.span);
    return std::nullopt;
  }

  /// The scalars of a list, or a scalar by itself.
  std::vector<const YamlNode*> scalars(const YamlNode& node, const std::string& what) {
    std::vector<const YamlNode*> result;
    if (node.is_scalar()) {
      result.push_back(&node);
    } else if (!node.is_list()) {
      builder_.error("F0012", "expected a list of " + what + ", found " + describe(node),
                     node.span);
    }
    for (const YamlNode& item : node.items) {
      if (builder_.full()) break;
      if (item.is_scalar()) {
        result.push_back(&item);
      } else {
        report_element(item, what);
      }
    }
    return result;
  }

  void report_element(const YamlNode& item, const std::string& what) {
    Diagnostic& finding = builder_.error(
        "F0012", "expected one of the " + what + ", found " + describe(item), item.span);
    if (item.is_map() && item.entries.size() == 1 && item.entries[0].value.is_scalar()) {
      const YamlEntry& entry = item.entries[0];
      finding.helps.push_back("write " + in_backticks(entry.key + " " + entry.value.text));
    }
  }

  void read_keep(const YamlNode& item, const YamlEntry& memory) {
    const auto name = read_word(memory.value);
    std::vector<Word> tensors;
    for (const YamlNode* node : scalars(item.find("keep")->value, "tensors")) {
      tensors.push_back(Word{node->text, node->span});
    }
    if (name) builder_.keep(*name, tensors, whole_span(item));
  }

  void read_parfor(const YamlNode& item, const YamlEntry& fanout) {
    const auto name = read_word(fanout.value);
    const std::vector<LoopItem> loops = read_loops(*item.find("parfor"));
    if (name) builder_.spatial_loops(*name, loops);
  }

  std::vector<LoopItem> read_loops(const YamlEntry& entry) {
    std::vector<LoopItem> loops;
    for (const YamlNode* node : scalars(entry.value, "loops such as `p 8`")) {
      if (builder_.full()) break;
      read_loop_items(placed(*node), builder_, loops);
    }
    return loops;
  }

  NestBuilder& builder_;
  int errors_ = 0;
};

}  // namespace

std::optional<Mapping> read_nest(std::shared_ptr<const SourceFile> file, const Problem& problem,
                                 Diagnostics& diagnostics, MappingSource* source) {
  NestBuilder builder(problem, diagnostics);
  read_nest_lines(file, builder);
  return builder.finish(Span{file, 0, 0, 1}, source);
}

std::optional<Mapping> read_mapping_node(const YamlNode& node, const Problem& problem,
                                         Diagnostics& diagnostics, MappingSource* source) {
  NestBuilder builder(problem, diagnostics);
  if (node.is_list()) {
    ListReader(builder).read(node);
  } else if (node.is_scalar()) {
    read_nest_lines(scalar_source(node), builder);
  } else {
    Diagnostic& finding =
        builder.error("F0012", "expected a list of nodes, found " + describe(node), node.span);
    finding.helps.push_back(
        "write a list (`- {memory: M, keep: [T]}`), or `mapping: |` and then the "
        "text form");
  }
  return builder.finish(node.span, source);
}

std::optional<Mapping> read_mapping(std::shared_ptr<const SourceFile> file, const Problem& problem,
                                    Diagnostics& diagnostics, MappingSource* source) {
  if (ends_with_ignoring_case(file->name, ".nest")) {
    return read_nest(std::move(file), problem, diagnostics, source);
  }
  const int errors_before = diagnostics.errors();
  const auto root = parse_yaml(file, diagnostics);
  if (!root) return std::nullopt;
  const YamlEntry* section = nullptr;
  if (!root->is_null()) {
    ObjectReader reader(*root, ObjectId::kDocument, in_backticks(file->name), diagnostics);
    for (const char* key : {"workload", "arch", "constraints"}) reader.take(key);
    section = reader.take("mapping");
    reader.finish();
  }
  if (section == nullptr) {
    if (diagnostics.errors() > errors_before) return std::nullopt;
    diagnostics.error("F0011", in_backticks(file->name) + " has no section `mapping`")
        .labels.push_back({Span{file, 0, 0, 1}, ""});
    return std::nullopt;
  }
  auto mapping = read_mapping_node(section->value, problem, diagnostics, source);
  if (diagnostics.errors() != errors_before) return std::nullopt;
  return mapping;
}

}  // namespace tilewright
