// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/architecture/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>

#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/ranges.h"
#include "tilewright/timeloop/architecture/component_name.h"

namespace tilewright::timeloop {
namespace {

using Actions = std::map<std::string, double>;

/// Reads the tables of either kind, as a list (v0.3, v0.4) or a map by name (v0.2).
class TableReader {
 public:
  TableReader(const Section& section, Findings& findings)
      : section_(section),
        diagnostics_(findings.diagnostics),
        names_(std::make_shared<NameSources>()) {}

  std::map<std::string, Actions> energies() {
    std::map<std::string, Actions> result;
    each_table([&](const std::string& name, const YamlNode& node, bool listed) {
      Actions& actions = result[name];
      const YamlEntry* list = listed ? node.find("actions") : nullptr;
      if (list != nullptr && list->value.is_list()) {
        for (const YamlNode& item : list->value.items) {
          const YamlEntry* action = item.find("name");
          if (action != nullptr && action->value.is_scalar())
            add(action->value.text, item, actions);
        }
        return;
      }
      // v0.2: an action has an energy, or a list of them, one for each choice of arguments.
      for (const YamlEntry& entry : node.entries) {
        if (!entry.value.is_list()) add(entry.key, entry.value, actions);
        for (const YamlNode& item : entry.value.items) add(entry.key, item, actions);
      }
    });
    return result;
  }

  std::map<std::string, double> areas() {
    std::map<std::string, double> result;
    each_table([&](const std::string& name, const YamlNode& node, bool) {
      const YamlEntry* area = node.find("area");
      if (area == nullptr) return;
      if (const auto value =
              figure(area->value, "the area of " + in_backticks(name), Quantity::kArea)) {
        result[name] = *value;
      }
    });
    return result;
  }

 private:
  template <typename Visit>
  void each_table(Visit visit) {
    const YamlEntry* tables = section_.node.find("tables");
    if (tables == nullptr) {
      diagnostics_.error("F0011", "`" + section_.name + "` has no `tables`")
          .labels.push_back({section_.place, ""});
      return;
    }
    for (const YamlNode& item : tables->value.items) {
      const YamlEntry* name = item.find("name");
      if (name == nullptr || !name->value.is_scalar()) {
        diagnostics_.error("F0011", "a table has no `name`").labels.push_back({item.span, ""});
        continue;
      }
      visit(parse_component_name(name->value.text).name, item, true);
    }
    for (const YamlEntry& entry : tables->value.entries) {
      visit(parse_component_name(entry.key).name, entry.value, false);
    }
  }

  // In the ranges that our own files have; what is smaller counts as 0.
  std::optional<double> figure(const YamlNode& node, const std::string& where, Quantity quantity) {
    const auto value = names_.number(node, where, diagnostics_);
    if (!value) return std::nullopt;
    if (*value >= 0 && *value < least_figure(quantity)) return 0;
    TextFault fault;
    if (*value > 0 && in_range(node.text, *value, quantity, fault)) return value;
    Diagnostic& error = diagnostics_.error(
        "T0008", fmt::format("{} is {:g}, which is out of range", where, *value));
    error.labels.push_back({node.span, ""});
    error.notes = fault.notes;
    return std::nullopt;
  }

  // Of several choices of arguments the most expensive counts, as in Timeloop.
  void add(const std::string& action, const YamlNode& node, Actions& actions) {
    const YamlEntry* energy = node.find("energy");
    if (energy == nullptr) return;
    const auto value =
        figure(energy->value, "the energy of " + in_backticks(action), Quantity::kEnergy);
    if (!value) return;
    const auto [it, added] = actions.emplace(action, *value);
    if (!added) it->second = std::max(it->second, *value);
  }

  const Section& section_;
  Diagnostics& diagnostics_;
  Names names_;
};

// The first of these actions that is there.
std::optional<double> first_of(const Actions& actions, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto it = actions.find(name);
    if (it != actions.end()) return it->second;
  }
  return std::nullopt;
}

void add_to_memory(const Actions& actions, Memory& memory) {
  memory.energy.read_pj = first_of(actions, {"random_read", "read"});
  memory.energy.fill_pj = first_of(actions, {"random_fill", "random_write", "fill", "write"});
  memory.energy.update_pj = first_of(actions, {"random_update", "random_write", "update", "write"});
  memory.energy.source = "ERT";
  memory.leakage_pj_per_cycle = first_of(actions, {"leak", "idle"}).value_or(0);
}

void add_to_compute(const Actions& actions, Compute& compute) {
  compute.energy_pj = first_of(actions, {"mac_random", "mult_random", "mac", "mult", "compute"});
  compute.source = "ERT";
  compute.leakage_pj_per_cycle = first_of(actions, {"leak", "idle"}).value_or(0);
}

void report_missing(const std::vector<std::string>& missing, const Span& place, bool table,
                    Diagnostics& diagnostics) {
  if (missing.empty()) return;
  const std::string message =
      table ? fmt::format("the `ERT` has no energy for {}", join_names(missing, "and"))
            : "no energies are given: there is no `ERT` among the files";
  Diagnostic& found = diagnostics.warning("T0011", message);
  found.labels.push_back({place, "they count as 0"});
  found.notes.emplace_back("energies of components come from Accelergy, which is not run here");
  found.helps.emplace_back(
      "give the `ERT.yaml` of an earlier run, such as `outputs/timeloop-mapper.ERT.yaml`");
}

}  // namespace

void add_energies(const Section* ert, Hardware& hardware, Findings& findings) {
  std::map<std::string, Actions> tables;
  if (ert != nullptr) tables = TableReader(*ert, findings).energies();
  std::vector<std::string> missing;
  for (Level& level : hardware.levels) {
    if (!level.is_memory()) continue;
    const auto table = tables.find(level.name);
    if (table == tables.end()) {
      missing.push_back("`" + level.name + "`");
    } else {
      add_to_memory(table->second, *level.memory);
    }
  }
  const auto table = tables.find(hardware.compute->name);
  if (table == tables.end()) {
    missing.push_back("`" + hardware.compute->name + "`");
  } else {
    add_to_compute(table->second, *hardware.compute);
  }
  report_missing(missing, ert == nullptr ? hardware.place : ert->place, ert != nullptr,
                 findings.diagnostics);
}

void add_areas(const Section& art, Hardware& hardware, Findings& findings) {
  const std::map<std::string, double> areas = TableReader(art, findings).areas();
  const auto find = [&](const std::string& name) {
    const auto it = areas.find(name);
    return it == areas.end() ? 0 : it->second;
  };
  for (Level& level : hardware.levels) {
    if (level.is_memory()) level.memory->area_um2 = find(level.name);
  }
  hardware.compute->area_um2 = find(hardware.compute->name);
}

}  // namespace tilewright::timeloop
