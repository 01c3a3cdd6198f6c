// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/arch/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

constexpr const char* kExample = "for example `--with DRAM.bandwidth='12.8 GB/s'`";

// Lets a tree, which was read from a copy of `file` with blanks before it, stand in `file`.
void move_to(const std::shared_ptr<const SourceFile>& file, YamlNode& node) {
  node.span.file = file;
  for (YamlNode& item : node.items) move_to(file, item);
  for (YamlEntry& entry : node.entries) {
    entry.key_span.file = file;
    move_to(file, entry.value);
  }
}

YamlEntry* find_entry(YamlNode& map, std::string_view key) {
  const auto found = std::ranges::find(map.entries, key, &YamlEntry::key);
  return found == map.entries.end() ? nullptr : &*found;
}

// The name of a node; empty if it has none.
std::string name_of(const YamlNode& node) {
  for (const char* kind : {"memory", "fanout", "compute"}) {
    const YamlEntry* entry = node.is_map() ? node.find(kind) : nullptr;
    if (entry != nullptr && entry->value.is_scalar()) return entry->value.text;
  }
  return "";
}

class Changer {
 public:
  Changer(YamlNode& arch, Diagnostics& diagnostics) : arch_(arch), diagnostics_(diagnostics) {}

  void apply(const std::shared_ptr<const SourceFile>& file) {
    file_ = file;
    const std::string& text = file->text;
    const std::size_t sign = text.find('=');
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    path_end_ =
        sign == std::string::npos || sign == 0 ? 0 : text.find_last_not_of(' ', sign - 1) + 1;
    if (sign == std::string::npos || path_end_ <= begin) {
      Diagnostic& error =
          report("A0010", in_backticks(text) + " is not an override of the architecture", 0,
                 text.size(), "expected `NODE.key=value`");
      error.helps.emplace_back(kExample);
      return;
    }
    const std::string path = text.substr(begin, path_end_ - begin);
    const auto [first, added] = seen_.emplace(path, span(begin, path.size()));
    if (!added) {
      report("F0009", in_backticks(path) + " is given twice", begin, path.size(),
             "given again here")
          .labels.push_back({first->second, "first given here"});
      return;
    }
    std::optional<YamlNode> value = read_value(sign + 1);
    if (!value) return;
    if (path.find('.') == std::string::npos) {
      change_arch(path, begin, std::move(*value));
    } else {
      change_node(path, begin, std::move(*value));
    }
  }

 private:
  Span span(std::size_t offset, std::size_t length) const {
    return {file_, 1, static_cast<int>(offset) + 1, std::max(1, static_cast<int>(length))};
  }

  Diagnostic& report(const char* code, std::string message, std::size_t offset, std::size_t length,
                     std::string label) {
    Diagnostic& error = diagnostics_.error(code, std::move(message));
    error.labels.push_back({span(offset, length), std::move(label)});
    return error;
  }

  // What stands behind the sign, as YAML, each part at its place in the option.
  std::optional<YamlNode> read_value(std::size_t begin) {
    const auto copy = std::make_shared<const SourceFile>(
        SourceFile{file_->name, std::string(begin, ' ') + file_->text.substr(begin)});
    Diagnostics found;
    std::optional<YamlNode> value = parse_yaml(copy, found);
    for (const Diagnostic& finding : found.all()) {
      Diagnostic& moved = diagnostics_.error("", "");
      moved = finding;
      for (Label& label : moved.labels) label.span.file = file_;
    }
    if (!value) return std::nullopt;
    move_to(file_, *value);
    if (value->is_null()) value->span = span(begin, 0);
    return value;
  }

  std::vector<std::string> node_names() const {
    std::vector<std::string> names;
    const YamlEntry* nodes = arch_.find("nodes");
    if (nodes == nullptr) return names;
    for (const YamlNode& node : nodes->value.items) {
      if (std::string name = name_of(node); !name.empty()) names.push_back(std::move(name));
    }
    return names;
  }

  // `clock`
  void change_arch(const std::string& key, std::size_t at, YamlNode value) {
    const std::vector<std::string> names = node_names();
    if (key != "nodes" && std::ranges::find(names, key) == names.end()) {
      set(arch_, key, at, std::move(value));
      return;
    }
    Diagnostic& error =
        report("A0010",
               key == "nodes" ? "`nodes` cannot be replaced as a whole"
                              : fmt::format("which figure of {} is meant?", in_backticks(key)),
               at, key.size(), "");
    error.helps.push_back(key == "nodes" ? kExample
                                         : fmt::format("write `--with {}.KEY=VALUE`; `tilewright "
                                                       "doc arch` lists the keys",
                                                       printable(key)));
  }

  // `GLB.energy.read`. Names of nodes may have dots: the longest one that fits is meant.
  void change_node(const std::string& path, std::size_t at, YamlNode value) {
    const std::vector<std::string> names = node_names();
    std::string best;
    for (const std::string& name : names) {
      const bool fits = path.starts_with(name + ".") && path.size() > name.size() + 1;
      if (fits && name.size() > best.size()) best = name;
    }
    if (best.empty()) {
      const std::string given = path.substr(0, path.find('.'));
      Diagnostic& error =
          report("A0010", fmt::format("the architecture has no node {}", in_backticks(given)), at,
                 given.size(), "");
      if (const auto near = nearest(given, names)) {
        error.helps.push_back("did you mean " + in_backticks(*near) + "?");
      } else if (!names.empty()) {
        error.helps.push_back("its nodes: " + join_names(names, "and"));
      }
      return;
    }
    for (YamlNode& node : find_entry(arch_, "nodes")->value.items) {
      if (name_of(node) != best) continue;
      set_inside(node, best, at + best.size() + 1, std::move(value));
      return;
    }
  }

  // Sets what the rest of the path, which begins at `at`, names inside `map`, which is called
  // `what`.
  void set_inside(YamlNode& map, const std::string& what, std::size_t at, YamlNode value) {
    const std::string rest = file_->text.substr(at, path_end_ - at);
    const std::size_t dot = find_entry(map, rest) != nullptr ? std::string::npos : rest.find('.');
    if (dot == std::string::npos || dot == 0 || dot + 1 == rest.size()) {
      set(map, rest, at, std::move(value));
      return;
    }
    const std::string key = rest.substr(0, dot);
    YamlEntry* entry = find_entry(map, key);
    if (entry == nullptr) {
      YamlNode inner;
      inner.kind = YamlNode::Kind::kMap;
      inner.span = span(at, key.size());
      entry = &map.entries.emplace_back(YamlEntry{key, span(at, key.size()), std::move(inner)});
    }
    if (!entry->value.is_map()) {
      Diagnostic& error = report("A0010",
                                 fmt::format("{} of {} is {}, not a map", in_backticks(key),
                                             in_backticks(what), describe(entry->value)),
                                 at, rest.size(), "there is nothing inside it");
      error.labels.push_back({entry->value.span, "given here"});
      error.helps.push_back(fmt::format("replace it as a whole: `--with {}.{}=VALUE`",
                                        printable(what), printable(key)));
      return;
    }
    set_inside(entry->value, what + "." + key, at + dot + 1, std::move(value));
  }

  void set(YamlNode& map, const std::string& key, std::size_t at, YamlNode value) {
    YamlEntry changed{key, span(at, key.size()), std::move(value)};
    if (YamlEntry* entry = find_entry(map, key)) {
      *entry = std::move(changed);
    } else {
      map.entries.push_back(std::move(changed));
    }
  }

  YamlNode& arch_;
  Diagnostics& diagnostics_;
  std::shared_ptr<const SourceFile> file_;  // of the text that is applied ...
  std::size_t path_end_ = 0;                // ... and where its path ends
  std::map<std::string, Span> seen_;        // by path
};

}  // namespace

Overrides make_overrides(std::span<const std::string> texts, const std::string& name) {
  Overrides overrides;
  for (const std::string& text : texts) {
    overrides.push_back(std::make_shared<const SourceFile>(SourceFile{name, text}));
  }
  return overrides;
}

void apply_overrides(const Overrides& overrides, YamlNode& arch, Diagnostics& diagnostics) {
  if (!arch.is_map()) return;  // its reader says so
  Changer changer(arch, diagnostics);
  for (const auto& text : overrides) changer.apply(text);
}

}  // namespace tilewright
