// SPDX-License-Identifier: Apache-2.0
// The older form (v0.2, v0.3): `subtree` inside `subtree`, each with a list `local`. How many there
// are of each is in the names, `PE[0..167]`, and how they are laid out in `meshX` and `meshY`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/timeloop/architecture/attributes.h"
#include "tilewright/timeloop/architecture/component_name.h"
#include "tilewright/timeloop/architecture/levels.h"
#include "tilewright/timeloop/document/reading.h"

namespace tilewright::timeloop {
namespace {

constexpr std::int64_t kMostInstances = std::int64_t{1} << 31U;

/// A level and how many copies of it there are.
struct Placed {
  std::int64_t mesh_x = 1;
  std::int64_t mesh_y = 1;
  std::string container;  // whose copies it is among the first to be in
};

class SubtreeReader {
 public:
  SubtreeReader(const std::shared_ptr<NameSources>& sources, Hardware& hardware, Findings& findings)
      : sources_(sources),
        hardware_(hardware),
        findings_(findings),
        diagnostics_(findings.diagnostics) {}

  void read(const YamlNode& architecture) {
    const int before = diagnostics_.errors();
    read_branch(architecture);
    if (diagnostics_.errors() > before || !hardware_.compute) return;
    for (std::size_t i = 0; i < hardware_.levels.size(); ++i) set_axes(i);
  }

 private:
  // A node with `local`, `subtree` or both.
  void read_branch(const YamlNode& node) {
    std::string container;
    if (const YamlEntry* name = node.find("name")) {
      const ComponentName parsed = parse_component_name(name->value.text);
      multiply(parsed.copies, name->value.span);
      if (hardware_.name.empty()) hardware_.name = parsed.name;
      if (parsed.copies > 1) container = parsed.name;
    }
    const auto outer = outer_;
    if (const YamlEntry* attributes = node.find("attributes")) {
      outer_.insert(outer_.begin(), &attributes->value);
    }
    check_keys(node);
    if (!container.empty()) container_ = container;
    if (const YamlEntry* local = node.find("local")) read_local(local->value);
    const YamlEntry* subtree = node.find("subtree");
    if (subtree != nullptr && !subtree->value.is_null()) {
      const bool one = subtree->value.is_list() && subtree->value.items.size() == 1;
      if (one) {
        read_branch(subtree->value.items.front());
      } else {
        error_at(diagnostics_, "T0009", "`subtree` must be a list of one branch",
                 subtree->value.span, "Timeloop takes one as well");
      }
    }
    outer_ = outer;
  }

  void check_keys(const YamlNode& node) {
    const std::vector<std::string> known{"version", "name", "attributes", "local", "subtree"};
    for (const YamlEntry& entry : node.entries) {
      if (std::ranges::find(known, entry.key) == known.end()) {
        report_unknown_key(entry, "a branch of the architecture", known, diagnostics_);
      }
    }
  }

  void multiply(std::int64_t copies, const Span& place) {
    if (!__builtin_mul_overflow(copies_, copies, &copies_) && copies_ <= kMostInstances) return;
    error_at(diagnostics_, "T0009", "there are more than 2^31 of this", place);
    copies_ = 1;
  }

  void read_local(const YamlNode& list) {
    if (!list.is_list()) {
      error_at(diagnostics_, "F0012", "`local` is " + describe(list) + ", not a list", list.span);
      return;
    }
    for (const YamlNode& node : list.items) read_component(node);
  }

  void read_component(const YamlNode& node) {
    const YamlEntry* name = node.find("name");
    if (name == nullptr || !name->value.is_scalar() || name->value.text.empty()) {
      error_at(diagnostics_, "F0011", "a component has no `name`", node.span);
      return;
    }
    const ComponentName parsed = parse_component_name(name->value.text);
    const std::vector<std::string> known{"name",       "class",      "subclass",
                                         "attributes", "enabled",    "required_actions",
                                         "networks",   "constraints"};
    for (const YamlEntry& entry : node.entries) {
      if (std::ranges::find(known, entry.key) == known.end()) {
        report_unknown_key(entry, "a component", known, diagnostics_);
      }
    }
    const YamlEntry* type = node.find("class");
    const std::string class_name =
        type != nullptr && type->value.is_scalar() ? type->value.text : "";
    const ComponentKind kind = kind_of_class(class_name);
    if (kind == ComponentKind::kUnknown) {
      diagnostics_
          .warning("T0007", fmt::format("component {} of class {} is ignored",
                                        in_backticks(parsed.name), in_backticks(class_name)))
          .labels.push_back({name->value.span, "neither a memory nor a compute unit"});
      return;
    }
    if (kind == ComponentKind::kNetwork) {
      findings_.not_modelled(fmt::format("network `{}`", parsed.name), name->value.span);
      return;
    }
    place_component(node, parsed, class_name, kind);
  }

  void place_component(const YamlNode& node, const ComponentName& parsed,
                       const std::string& class_name, ComponentKind kind) {
    const Span place = node.find("name")->value.span;
    const YamlEntry* own = node.find("attributes");
    std::vector<const YamlNode*> outer = outer_;
    if (sources_->variables != nullptr) outer.push_back(sources_->variables);
    Names names(sources_);
    for (auto it = outer_.rbegin(); it != outer_.rend(); ++it) names = names.inside(*it);
    const Attributes attributes(parsed.name, own == nullptr ? nullptr : &own->value,
                                std::move(outer), std::move(names), findings_);
    if (!hardware_.clock_hz) hardware_.clock_hz = read_clock(attributes);
    const Placed placed = read_mesh(attributes, parsed, place);
    if (kind == ComponentKind::kCompute) {
      hardware_.compute.emplace();
      hardware_.compute->name = parsed.name;
      hardware_.compute_place = place;
      compute_ = placed;
      return;
    }
    if (hardware_.compute) {
      error_at(diagnostics_, "A0004",
               "compute unit " + in_backticks(hardware_.compute->name) + " is not the last",
               hardware_.compute_place, "memory " + in_backticks(parsed.name) + " follows it");
      return;
    }
    Level level;
    level.name = parsed.name;
    level.place = place;
    // Outputs have such stand-ins for what is only spread out.
    if (class_name == "dummy_storage") {
      level.name = without_dummy(parsed.name);
    } else {
      level.memory = read_memory(attributes, level);
    }
    hardware_.levels.push_back(std::move(level));
    placed_.push_back(placed);
  }

  static std::string without_dummy(const std::string& name) {
    constexpr std::string_view kHead = "inter_";
    constexpr std::string_view kTail = "_spatial";
    const bool inter = name.starts_with(kHead) && name.ends_with(kTail) &&
                       name.size() > kHead.size() + kTail.size();
    return inter ? name.substr(kHead.size(), name.size() - kHead.size() - kTail.size()) : name;
  }

  // What is not given follows from the number of instances; without any mesh all lie along X.
  Placed read_mesh(const Attributes& attributes, const ComponentName& parsed, const Span& place) {
    Placed placed;
    placed.container = container_;
    std::int64_t instances = 0;
    if (__builtin_mul_overflow(copies_, parsed.copies, &instances) || instances > kMostInstances) {
      error_at(diagnostics_, "T0009", "there are more than 2^31 of this", place);
      return placed;
    }
    instances = attributes.mesh("instances").value_or(instances);
    const auto x = attributes.mesh("meshX");
    const auto y = attributes.mesh("meshY");
    const std::int64_t known = x.value_or(1) <= kMostInstances && y.value_or(1) <= kMostInstances
                                   ? x.value_or(1) * y.value_or(1)
                                   : 0;
    const bool fits = known > 0 && instances % known == 0 && (!x || !y || instances == known);
    if (!fits) {
      error_at(diagnostics_, "T0009",
               fmt::format("there are {} of `{}`, but meshX is {} and meshY is {}", instances,
                           parsed.name, x ? std::to_string(*x) : "not given",
                           y ? std::to_string(*y) : "not given"),
               place);
      return placed;
    }
    placed.mesh_x = x ? *x : instances / known;
    placed.mesh_y = y ? *y : (x ? instances / known : 1);
    if (!x && y) placed.mesh_x = instances / *y;
    return placed;
  }

  // Between level `i` and the next one inside it.
  void set_axes(std::size_t i) {
    const bool last = i + 1 == hardware_.levels.size();
    const Placed& outer = placed_[i];
    const Placed& inner = last ? compute_ : placed_[i + 1];
    const std::string& name = last ? hardware_.compute->name : hardware_.levels[i + 1].name;
    Level& level = hardware_.levels[i];
    const Span& place = last ? hardware_.compute_place : hardware_.levels[i + 1].place;
    if (inner.mesh_x % outer.mesh_x != 0 || inner.mesh_y % outer.mesh_y != 0) {
      error_at(
          diagnostics_, "T0009",
          fmt::format("the mesh of `{}` is {} x {}, which does not divide that of `{}`, {} x {}",
                      level.name, outer.mesh_x, outer.mesh_y, name, inner.mesh_x, inner.mesh_y),
          place)
          .labels.push_back({level.place, ""});
      return;
    }
    if (inner.mesh_x > outer.mesh_x) level.axes.push_back({"X", inner.mesh_x / outer.mesh_x});
    if (inner.mesh_y > outer.mesh_y) level.axes.push_back({"Y", inner.mesh_y / outer.mesh_y});
    level.axes_place = place;
    const bool contained = !inner.container.empty() && inner.container != outer.container;
    level.fanout = !level.is_memory() ? level.name : contained ? inner.container : name + "_array";
  }

  const std::shared_ptr<NameSources>& sources_;
  Hardware& hardware_;
  Findings& findings_;
  Diagnostics& diagnostics_;
  std::vector<const YamlNode*> outer_;
  std::vector<Placed> placed_;  // by level
  Placed compute_;
  std::int64_t copies_ = 1;
  std::string container_;
};

}  // namespace

bool read_subtree(const YamlNode& architecture, const std::shared_ptr<NameSources>& sources,
                  Hardware& hardware, Findings& findings) {
  const int before = findings.diagnostics.errors();
  SubtreeReader(sources, hardware, findings).read(architecture);
  return findings.diagnostics.errors() == before;
}

}  // namespace tilewright::timeloop
