// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/architecture/build.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "tilewright/io/yaml/object_reader.h"

namespace tilewright::timeloop {
namespace {

/// Names that our files can have, each only once.
class NameMaker {
 public:
  std::string make(std::string name) {
    for (char& c : name) {
      const bool good =
          std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
      if (!good) c = '_';
    }
    if (!is_name(name)) name = "the_" + name;
    std::string unique = name;
    for (int i = 2; !used_.insert(unique).second; ++i) unique = name + "_" + std::to_string(i);
    return unique;
  }

 private:
  std::set<std::string> used_;
};

// The tensors that a memory may keep.
Selection selection_of(const Level& level, const std::vector<std::string>& tensors) {
  if (level.bypass.empty()) return {};
  Selection selection{false, {}};
  for (const std::string& name : tensors) {
    if (std::ranges::find(level.bypass, name) == level.bypass.end()) {
      selection.names.push_back(name);
    }
  }
  return selection;
}

// `no_reuse` of all data spaces: nothing is multicast, nothing is summed on the way.
void set_reuse(const Level& level, Fanout& fanout, const std::vector<std::string>& tensors,
               Findings& findings) {
  if (level.spatial == nullptr) return;
  for (const char* key : {"no_reuse", "no_multicast_no_reduction"}) {
    const YamlEntry* entry = level.spatial->find(key);
    if (entry == nullptr || entry->value.items.empty()) continue;
    std::set<std::string> names;
    for (const YamlNode& item : entry->value.items) {
      if (item.text == "*") names.insert(tensors.begin(), tensors.end());
      names.insert(item.text);
    }
    const auto named = [&](const std::string& name) { return names.contains(name); };
    if (std::ranges::all_of(tensors, named)) {
      fanout.multicast = Multicast::kNone;
      fanout.reduction = false;
    } else {
      findings.not_modelled("spatial `no_reuse` of some data spaces only, at `" + level.name + "`",
                            entry->key_span);
    }
  }
}

}  // namespace

std::optional<Arch> build_arch(Hardware& hardware, const std::vector<std::string>& tensors,
                               ArchSource& source, Findings& findings) {
  Diagnostics& diagnostics = findings.diagnostics;
  std::vector<ArchNode> nodes;
  NameMaker names;
  Compute compute = *hardware.compute;
  // Memories first: they keep their names, a fan-out of the same name gets another.
  std::vector<std::string> memory_names;
  for (const Level& level : hardware.levels) {
    memory_names.push_back(level.is_memory() ? names.make(level.name) : "");
  }
  compute.name = names.make(compute.name);
  for (std::size_t i = 0; i < hardware.levels.size(); ++i) {
    Level& level = hardware.levels[i];
    if (level.is_memory()) {
      Memory memory = *level.memory;
      memory.name = memory_names[i];
      memory.keep = selection_of(level, tensors);
      level.memory_node = NodeId(nodes.size());
      nodes.emplace_back(std::move(memory));
      source.nodes.push_back({level.place, level.capacity_place, level.keep_place, {}, {}});
    }
    if (level.axes.empty()) continue;
    Fanout fanout{names.make(level.fanout), level.axes};
    set_reuse(level, fanout, tensors, findings);
    level.fanout_node = NodeId(nodes.size());
    source.nodes.push_back(
        {level.place, {}, {}, {}, std::vector<Span>(level.axes.size(), level.axes_place)});
    nodes.emplace_back(std::move(fanout));
  }
  const std::vector<std::string> faults = find_arch_faults(nodes, compute);
  for (const std::string& fault : faults) {
    diagnostics.error("A0005", fault).labels.push_back({hardware.place, ""});
  }
  if (!faults.empty()) return std::nullopt;
  return Arch(hardware.name, "", hardware.clock_hz, std::move(nodes), std::move(compute));
}

}  // namespace tilewright::timeloop
