// SPDX-License-Identifier: Apache-2.0
// The nodes of v0.4: `!Container`, `!Component`, `!Parallel`, `!Hierarchical`, `!Pipelined`,
// `!Nothing`. What follows a container in its list is inside it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/timeloop/architecture/attributes.h"
#include "tilewright/timeloop/architecture/levels.h"
#include "tilewright/timeloop/constraints/names_list.h"
#include "tilewright/timeloop/document/reading.h"

namespace tilewright::timeloop {
namespace {

using NameList = std::vector<std::string>;

const YamlNode* child(const YamlNode& node, const char* key) {
  const YamlEntry* entry = node.find(key);
  return entry == nullptr || entry->value.is_null() ? nullptr : &entry->value;
}

class NodesReader {
 public:
  NodesReader(const std::shared_ptr<NameSources>& sources, const NameList& tensors,
              Hardware& hardware, Findings& findings)
      : sources_(sources),
        tensors_(tensors),
        hardware_(hardware),
        findings_(findings),
        diagnostics_(findings.diagnostics) {}

  void read(const YamlNode& nodes) {
    collect_names(nodes);
    read_list(nodes);
    if (hardware_.compute && hardware_.name.empty()) hardware_.name = "timeloop";
  }

 private:
  // Expressions may name any node, also one that comes later.
  void collect_names(const YamlNode& nodes) {
    for (const YamlNode& node : nodes.items) {
      const std::string name = text_of(node, "name");
      if (!name.empty()) sources_->nodes.emplace(name, &node);
      if (const YamlNode* inner = child(node, "nodes")) collect_names(*inner);
    }
  }

  void read_list(const YamlNode& nodes) {
    if (!nodes.is_list()) {
      error_at(diagnostics_, "F0012", "`nodes` is " + describe(nodes) + ", not a list", nodes.span);
      return;
    }
    for (const YamlNode& node : nodes.items) read_node(node);
  }

  bool is_enabled(const YamlNode& node) {
    const YamlNode* enabled = child(node, "enabled");
    return enabled == nullptr ||
           names_here().flag(*enabled, "`enabled`", diagnostics_).value_or(true);
  }

  void read_node(const YamlNode& node) {
    const std::string tag = tag_of(node);
    if (tag == "!Nothing") return;
    if (tag.empty()) {
      error_at(diagnostics_, "A0002", "a node is a `!Component`, a `!Container` or a `!Parallel`",
               node.span,
               node.tag.empty() ? "this node has no tag" : in_backticks(node.tag) + " is none")
          .helps = {"write `- !Component`, or `- !Container` for what encloses the rest",
                    "this is read as a file of Timeloop's, because it has a section "
                    "`architecture`; ours is called `arch`"};
      return;
    }
    check_keys(node, tag);
    if (!is_enabled(node)) return;
    if (tag == "!Container") {
      read_container(node);
    } else if (tag == "!Component") {
      read_component(node);
    } else if (tag == "!Parallel") {
      read_parallel(node);
    } else if (const YamlNode* nodes = child(node, "nodes")) {
      // What is inside such a branch is outside whatever follows it.
      const auto outer = outer_;
      read_list(*nodes);
      outer_ = outer;
    }
  }

  // A node without a tag that has a class can only be a component.
  static std::string tag_of(const YamlNode& node) {
    constexpr std::array<std::string_view, 6> kTags = {"!Component",    "!Container", "!Parallel",
                                                       "!Hierarchical", "!Pipelined", "!Nothing"};
    if (node.tag.empty() && node.find("class") != nullptr) return "!Component";
    if (std::ranges::find(kTags, node.tag) == kTags.end()) return "";
    const bool empty = node.is_null() && node.tag == "!Nothing";
    return node.is_map() || empty ? node.tag : "";
  }

  void check_keys(const YamlNode& node, const std::string& tag) {
    const NameList known{"name",     "class",           "subclass",
                         "spatial",  "attributes",      "constraints",
                         "nodes",    "enabled",         "sparse_optimizations",
                         "version",  "area_scale",      "energy_scale",
                         "networks", "required_actions"};
    for (const YamlEntry& entry : node.entries) {
      const bool free = std::ranges::find(known, entry.key) != known.end() ||
                        entry.key.find("ignore") != std::string::npos;
      if (!free) report_unknown_key(entry, "a `" + tag + "`", known, diagnostics_);
      const bool filled = !entry.value.entries.empty() || !entry.value.items.empty();
      const bool absent = entry.key == "sparse_optimizations" || entry.key == "networks";
      if (absent && filled) {
        findings_.not_modelled(fmt::format("`{}` of `{}`", entry.key, text_of(node, "name")),
                               entry.key_span);
      }
    }
  }

  Names names_here() const {
    Names names(sources_);
    for (auto it = outer_.rbegin(); it != outer_.rend(); ++it) names = names.inside(*it);
    return names;
  }

  Attributes attributes_of(const YamlNode& node, const std::string& name) {
    std::vector<const YamlNode*> outer = outer_;
    if (sources_->variables != nullptr) outer.push_back(sources_->variables);
    return {name, child(node, "attributes"), std::move(outer), names_here(), findings_};
  }

  std::string name_of(const YamlNode& node) {
    std::string name = text_of(node, "name");
    if (name.empty()) error_at(diagnostics_, "F0011", "a node has no `name`", node.span);
    return name;
  }

  // The axes of `spatial`, those of size 1 left out.
  std::vector<Axis> read_axes(const YamlNode& node, const Attributes& attributes) {
    std::vector<Axis> axes;
    const YamlNode* spatial = child(node, "spatial");
    if (spatial == nullptr) return axes;
    if (!spatial->is_map()) {
      error_at(diagnostics_, "F0012",
               "`spatial` is " + describe(*spatial) + ", not `{meshX: 4, meshY: 2}`",
               spatial->span);
      return axes;
    }
    const NameList known{"meshX", "meshY"};
    for (const YamlEntry& entry : spatial->entries) {
      if (std::ranges::find(known, entry.key) == known.end()) {
        report_unknown_key(entry, "`spatial`", known, diagnostics_);
        continue;
      }
      const std::string where = fmt::format("`{}` of `{}`", entry.key, attributes.component());
      const auto size = attributes.names().whole(entry.value, where, 1, diagnostics_);
      if (size && *size > 1) axes.push_back({entry.key == "meshX" ? "X" : "Y", *size});
    }
    std::ranges::sort(axes, {}, &Axis::name);
    return axes;
  }

  // A level that holds nothing, for what is spread out.
  Level& add_spread(const YamlNode& node, const std::string& name, const std::string& fanout,
                    const Attributes& attributes) {
    Level level;
    level.name = name;
    level.place = node.find("name")->value.span;
    level.fanout = fanout;
    level.axes = read_axes(node, attributes);
    level.axes_place =
        node.find("spatial") == nullptr ? level.place : entry_span(*node.find("spatial"));
    if (const YamlNode* constraints = child(node, "constraints")) {
      level.spatial = child(*constraints, "spatial");
    }
    hardware_.levels.push_back(std::move(level));
    return hardware_.levels.back();
  }

  void check_constraint_keys(const YamlNode& node) {
    const YamlNode* constraints = child(node, "constraints");
    if (constraints == nullptr) return;
    const NameList known{"spatial", "temporal", "dataspace", "max_overbooked_proportion"};
    for (const YamlEntry& entry : constraints->entries) {
      if (std::ranges::find(known, entry.key) == known.end()) {
        report_unknown_key(entry, "`constraints`", known, diagnostics_);
      } else if (entry.key == "max_overbooked_proportion" && !entry.value.is_null()) {
        findings_.not_modelled("`max_overbooked_proportion`", entry.key_span);
      }
    }
  }

  void read_container(const YamlNode& node) {
    const std::string name = name_of(node);
    if (name.empty()) return;
    check_place(node, name);
    check_constraint_keys(node);
    const Attributes attributes = attributes_of(node, name);
    if (hardware_.name.empty()) hardware_.name = name;
    if (!hardware_.clock_hz) hardware_.clock_hz = read_clock(attributes);
    Level& level = add_spread(node, name, name, attributes);
    if (const YamlNode* constraints = child(node, "constraints")) {
      level.temporal = child(*constraints, "temporal");
    }
    if (const YamlNode* inner = child(node, "attributes")) outer_.insert(outer_.begin(), inner);
    if (const YamlNode* nodes = child(node, "nodes")) read_list(*nodes);
  }

  void check_place(const YamlNode& node, const std::string& name) {
    if (!hardware_.compute) return;
    error_at(diagnostics_, "A0004",
             "compute unit " + in_backticks(hardware_.compute->name) + " is not the last node",
             hardware_.compute_place, "nodes follow it")
        .labels.push_back({node.span, in_backticks(name) + " is inside it"});
  }

  ComponentKind kind_of_node(const YamlNode& node, const std::string& name) {
    const std::string type = text_of(node, "class");
    ComponentKind kind = kind_of_class(type);
    if (kind == ComponentKind::kUnknown) kind = kind_of_class(text_of(node, "subclass"));
    if (kind == ComponentKind::kUnknown) {
      const YamlEntry* entry = node.find("class");
      error_at(
          diagnostics_, "A0002",
          fmt::format("what `{}` is cannot be told from its class {}", name, in_backticks(type)),
          entry == nullptr ? node.span : entry->value.span)
          .helps.emplace_back(
              "a memory has `DRAM`, `SRAM`, `regfile`, `smartbuffer` or `storage` in its class, a "
              "compute unit `mac` or `compute`; a component of your own may say `class: storage` "
              "and `subclass: NAME`");
    }
    return kind;
  }

  void read_component(const YamlNode& node) {
    const std::string name = name_of(node);
    if (name.empty()) return;
    const ComponentKind kind = kind_of_node(node, name);
    if (kind == ComponentKind::kUnknown) return;
    if (kind == ComponentKind::kNetwork) {
      findings_.not_modelled(fmt::format("network `{}`", name), node.span);
      return;
    }
    check_place(node, name);
    check_constraint_keys(node);
    const Attributes attributes = attributes_of(node, name);
    if (!hardware_.clock_hz) hardware_.clock_hz = read_clock(attributes);
    if (node.find("spatial") != nullptr) {
      const std::string fanout = name + "_array";
      if (add_spread(node, name, fanout, attributes).axes.empty()) hardware_.levels.pop_back();
    }
    if (kind == ComponentKind::kCompute) {
      hardware_.compute.emplace();
      hardware_.compute->name = name;
      hardware_.compute_place = node.find("name")->value.span;
      return;
    }
    Level level;
    level.name = name;
    level.place = node.find("name")->value.span;
    level.memory = read_memory(attributes, level);
    if (const YamlNode* constraints = child(node, "constraints")) {
      level.temporal = child(*constraints, "temporal");
      level.dataspace = child(*constraints, "dataspace");
    }
    if (level.dataspace != nullptr) {
      level.keep_place = level.dataspace->span;
      level.bypass =
          read_kept_spaces(*level.dataspace, "`" + name + "`", tensors_, diagnostics_).bypass;
    }
    hardware_.levels.push_back(std::move(level));
  }

  // The data spaces that anything in a branch keeps.
  NameList kept_in(const YamlNode& node) {
    NameList kept;
    if (const YamlNode* constraints = child(node, "constraints")) {
      if (const YamlNode* dataspace = child(*constraints, "dataspace")) {
        Diagnostics ignored;  // the component itself is read as well
        kept = read_kept_spaces(*dataspace, "a branch", tensors_, ignored).keep;
      }
    }
    if (const YamlNode* nodes = child(node, "nodes")) {
      for (const YamlNode& inner : nodes->items) {
        for (std::string& name : kept_in(inner)) kept.push_back(std::move(name));
      }
    }
    return kept;
  }

  // Side by side: each data space goes through exactly one branch.
  void read_parallel(const YamlNode& node) {
    const YamlNode* nodes = child(node, "nodes");
    if (nodes == nullptr || !nodes->is_list()) {
      error_at(diagnostics_, "F0011", "a `!Parallel` has no list of `nodes`", node.span);
      return;
    }
    std::vector<std::pair<std::string, Span>> taken;
    for (const YamlNode& branch : nodes->items) {
      const NameList kept = kept_in(branch);
      for (const std::string& name : kept) {
        const auto other = std::ranges::find(taken, name, &std::pair<std::string, Span>::first);
        if (other == taken.end()) continue;
        error_at(diagnostics_, "T0009",
                 in_backticks(name) + " is kept in two branches of a `!Parallel`", branch.span,
                 "kept here")
            .labels.push_back({other->second, "and here"});
      }
      for (const std::string& name : kept) taken.emplace_back(name, branch.span);
      const std::size_t before = hardware_.levels.size();
      const auto outer = outer_;
      read_node(branch);
      outer_ = outer;
      for (std::size_t i = before; i < hardware_.levels.size(); ++i) {
        set_bypass(hardware_.levels[i], kept);
      }
      for (std::size_t i = before; i < hardware_.levels.size(); ++i) {
        if (hardware_.levels[i].is_memory() || hardware_.levels[i].axes.empty()) continue;
        error_at(diagnostics_, "T0009", "a branch of a `!Parallel` cannot be spread out",
                 branch.span)
            .helps.emplace_back("put the `spatial` on a container before the `!Parallel`");
      }
    }
    for (const std::string& name : tensors_) {
      const auto found = std::ranges::find(taken, name, &std::pair<std::string, Span>::first);
      if (found != taken.end() || tensors_are_guessed()) continue;
      error_at(diagnostics_, "T0009", "no branch of this `!Parallel` keeps " + in_backticks(name),
               node.span)
          .helps.push_back(fmt::format(
              "to let it pass by, add `- !Nothing {{constraints: {{dataspace: {{keep: [{}]}}}}}}`",
              name));
    }
  }

  // Without a problem it is not known which data spaces there are.
  bool tensors_are_guessed() const { return !sources_->spec.contains("problem"); }

  void set_bypass(Level& level, const NameList& kept) {
    for (const std::string& name : tensors_) {
      const bool here = std::ranges::find(kept, name) != kept.end();
      const bool listed = std::ranges::find(level.bypass, name) != level.bypass.end();
      if (!here && !listed) level.bypass.push_back(name);
    }
  }

  const std::shared_ptr<NameSources>& sources_;
  const NameList& tensors_;
  Hardware& hardware_;
  Findings& findings_;
  Diagnostics& diagnostics_;
  std::vector<const YamlNode*> outer_;  // attributes of enclosing containers, innermost first
};

}  // namespace

bool read_nodes(const YamlNode& nodes, const std::shared_ptr<NameSources>& sources,
                const std::vector<std::string>& tensors, Hardware& hardware, Findings& findings) {
  const int before = findings.diagnostics.errors();
  NodesReader(sources, tensors, hardware, findings).read(nodes);
  return findings.diagnostics.errors() == before;
}

}  // namespace tilewright::timeloop
