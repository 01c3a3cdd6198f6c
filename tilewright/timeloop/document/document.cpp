// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/document/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/timeloop/timeloop.h"

namespace tilewright::timeloop {
namespace {

constexpr std::array<std::string_view, 5> kConstraints = {
    "constraints", "architecture_constraints", "arch_constraints", "mapspace_constraints",
    "extra_mapping_constraints"};

// Read by nobody here: descriptions for energy estimators, settings of a run, other outputs.
constexpr std::array<std::string_view, 16> kIgnored = {"globals",
                                                       "components",
                                                       "compound_components",
                                                       "mapspace",
                                                       "ERT_summary",
                                                       "ART_summary",
                                                       "energy_estimation",
                                                       "action_counts",
                                                       "version",
                                                       "primitive_components",
                                                       "flattened_architecture",
                                                       "model",
                                                       "dumped_by_timeloop_front_end",
                                                       "environment_variables",
                                                       "search",
                                                       "processors"};

constexpr std::array<std::string_view, 2> kSparse = {"sparse_optimizations", "layout"};

// Keys that no file of ours has at its top.
constexpr std::array<std::string_view, 20> kTelling = {"architecture",
                                                       "problem",
                                                       "mapper",
                                                       "mapspace",
                                                       "ERT",
                                                       "ART",
                                                       "compound_components",
                                                       "components",
                                                       "variables",
                                                       "globals",
                                                       "architecture_constraints",
                                                       "arch_constraints",
                                                       "mapspace_constraints",
                                                       "extra_mapping_constraints",
                                                       "sparse_optimizations",
                                                       "ERT_summary",
                                                       "ART_summary",
                                                       "energy_estimation",
                                                       "action_counts",
                                                       "primitive_components"};

template <std::size_t n>
bool among(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::ranges::find(words, word) != words.end();
}

std::string with_underscores(std::string text) {
  std::ranges::replace(text, '-', '_');
  return text;
}

// Old files have hyphens in keys. Names of components may have them as well: those are the keys of
// an energy table.
void replace_hyphens(YamlNode& node) {
  for (YamlNode& item : node.items) replace_hyphens(item);
  for (YamlEntry& entry : node.entries) {
    if (entry.key != "tables") replace_hyphens(entry.value);
    if (entry.key.find('-') == std::string::npos) continue;
    std::string key = with_underscores(entry.key);
    if (node.find(key) == nullptr) entry.key = std::move(key);
  }
}

class SectionReader {
 public:
  SectionReader(Document& document, Findings& findings)
      : document_(document), diagnostics_(findings.diagnostics), findings_(findings) {}

  void add(YamlNode tree, const std::shared_ptr<const SourceFile>& file) {
    if (tree.is_null()) {
      diagnostics_.warning("F0016", in_backticks(file->name) + " is empty")
          .labels.push_back({Span{file, 0, 0, 1}, ""});
      return;
    }
    if (!tree.is_map()) {
      diagnostics_
          .error("F0012", fmt::format("{} is {}, not a map of sections", in_backticks(file->name),
                                      describe(tree)))
          .labels.push_back({tree.span, ""});
      return;
    }
    for (YamlEntry& entry : tree.entries) {
      Section section{with_underscores(entry.key), entry.key_span, std::move(entry.value)};
      replace_hyphens(section.node);
      place(std::move(section));
    }
  }

 private:
  void place(Section section) {
    const std::string name = section.name;
    if (name == "architecture") return place_once(document_.architecture, std::move(section));
    if (name == "problem") return place_once(document_.problem, std::move(section));
    if (name == "mapping") return place_once(document_.mapping, std::move(section));
    if (name == "ERT") return place_once(document_.ert, std::move(section));
    if (name == "ART") return place_once(document_.art, std::move(section));
    if (name == "mapper") return place_once(document_.mapper, std::move(section));
    if (name == "variables") return add_variables(std::move(section));
    if (among(name, kConstraints)) {
      document_.constraints.push_back(std::move(section));
      return;
    }
    if (among(name, kSparse)) return add_sparse(section);
    // Anchors are often collected under a key that nobody reads.
    if (among(name, kIgnored) || name.find("ignore") != std::string::npos) return;
    report_unknown(section);
  }

  void place_once(std::optional<Section>& place, Section section) {
    // Timeloop's front end writes `mapping: []` where a mapper will fill it in.
    if (section.node.is_null() || (section.node.is_list() && section.node.items.empty())) return;
    if (!place) {
      place = std::move(section);
      return;
    }
    Diagnostic& error =
        diagnostics_.error("F0013", "section `" + section.name + "` is given twice");
    error.labels.push_back({section.place, "given again here"});
    error.labels.push_back({place->place, "first given here"});
    error.helps.emplace_back("give only one of the two files");
  }

  // Later files change what earlier ones have set.
  void add_variables(Section section) {
    document_.variables.kind = YamlNode::Kind::kMap;
    for (YamlEntry& entry : section.node.entries) {
      const auto found = std::ranges::find(document_.variables.entries, entry.key, &YamlEntry::key);
      if (found == document_.variables.entries.end()) {
        document_.variables.entries.push_back(std::move(entry));
      } else {
        *found = std::move(entry);
      }
    }
  }

  void add_sparse(const Section& section) {
    const YamlEntry* targets = section.node.find("targets");
    const YamlNode& list = targets == nullptr ? section.node : targets->value;
    const bool empty = list.is_null() || (list.is_list() && list.items.empty());
    const bool only_version =
        list.is_map() && list.entries.size() == 1 && list.entries.front().key == "version";
    if (!empty && !only_version) findings_.not_modelled("`" + section.name + "`", section.place);
  }

  void report_unknown(const Section& section) {
    std::vector<std::string> known{"architecture", "problem", "mapping",     "mapper",
                                   "variables",    "ERT",     "constraints", "components",
                                   "workload",     "arch",    "network"};
    Diagnostic& found = diagnostics_.warning(
        "T0004", "section " + in_backticks(section.name) + " is unknown and ignored");
    found.labels.push_back({section.place, "not a section of a Timeloop file"});
    if (const auto near = nearest(section.name, known)) {
      found.helps.push_back("did you mean `" + *near + "`?");
    }
  }

  Document& document_;
  Diagnostics& diagnostics_;
  Findings& findings_;
};

void refuse_cfg(const std::shared_ptr<const SourceFile>& file, Diagnostics& diagnostics) {
  Diagnostic& error = diagnostics.error("T0005", in_backticks(file->name) +
                                                     " is in libconfig's language (`.cfg`), "
                                                     "which is not read");
  error.labels.push_back({Span{file, 0, 0, 1}, ""});
  error.helps.emplace_back(
      "write it as YAML: `a = ( {b = 1; }, ... );` becomes `a: [{b: 1}, ...]`, and the sections "
      "`arch`, `problem` and `mapping` become `architecture`, `problem` and `mapping`");
}

// The keys that begin a line in the first column.
bool has_top_key(std::string_view text, bool (*wanted)(std::string_view)) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) continue;
    std::string_view key = line.substr(0, colon);
    while (key.ends_with(' ')) key.remove_suffix(1);
    if (wanted(key)) return true;
  }
  return false;
}

bool contains_key(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    std::size_t after = at + key.size();
    while (after < text.size() && text[after] == ' ') ++after;
    const bool begins =
        at == 0 || std::string_view(" \n{,-\"'").find(text[at - 1]) != std::string_view::npos;
    if (begins && after < text.size() && text[after] == ':') return true;
  }
  return false;
}

}  // namespace

bool is_timeloop(const SourceFile& file) {
  if (ends_with_ignoring_case(file.name, ".cfg")) return true;
  if (ends_with_ignoring_case(file.name, ".nest")) return false;
  const std::string_view text = file.text;
  const std::string_view start =
      text.substr(std::min(text.find_first_not_of(" \r\n"), text.size()));
  if (start.starts_with("{{") || start.starts_with("{%") || start.starts_with("{#")) return true;
  if (start.starts_with('{')) return false;  // JSON: a result of ours
  const auto telling = [](std::string_view key) {
    return among(with_underscores(std::string(key)), kTelling);
  };
  if (has_top_key(text, telling)) return true;
  if (has_top_key(text, [](std::string_view key) { return key == "mapping"; })) {
    return contains_key(text, "target");
  }
  if (has_top_key(text, [](std::string_view key) { return key == "constraints"; })) {
    return contains_key(text, "targets");
  }
  return false;
}

std::shared_ptr<NameSources> Document::names() const {
  auto sources = std::make_shared<NameSources>();
  sources->variables = variables.is_map() ? &variables : nullptr;
  if (sources->variables != nullptr) sources->spec["variables"] = &variables;
  for (const auto* section : {&architecture, &problem, &mapping, &mapper}) {
    if (section->has_value()) sources->spec[(*section)->name] = &(*section)->node;
  }
  return sources;
}

Document read_sections(const std::vector<std::shared_ptr<const SourceFile>>& files,
                       TreeLoader& loader, Findings& findings) {
  Document document;
  SectionReader reader(document, findings);
  std::vector<std::pair<std::shared_ptr<const SourceFile>, YamlNode>> trees;
  const auto is_included = [&](const std::shared_ptr<const SourceFile>& file) {
    const auto& included = loader.included();
    return std::ranges::find(included, file) != included.end();
  };
  // Templates first: a file that one of them includes is read there, and may make sense only there.
  for (const bool templates : {true, false}) {
    for (const auto& file : files) {
      if (is_template(*file) != templates || is_included(file)) continue;
      if (ends_with_ignoring_case(file->name, ".cfg")) {
        refuse_cfg(file, findings.diagnostics);
      } else if (auto tree = loader.load(file)) {
        trees.emplace_back(file, *std::move(tree));
      }
    }
  }
  for (auto& [file, tree] : trees) {
    if (!is_included(file)) reader.add(std::move(tree), file);
  }
  return document;
}

}  // namespace tilewright::timeloop
