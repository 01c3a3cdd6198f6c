// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/architecture/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewright::timeloop {
namespace {

// `inter_PE_spatial` -> `PE`.
std::string_view without_inter(std::string_view target) {
  constexpr std::string_view kHead = "inter_";
  constexpr std::string_view kTail = "_spatial";
  const bool inter = target.starts_with(kHead) && target.ends_with(kTail) &&
                     target.size() > kHead.size() + kTail.size();
  if (!inter) return target;
  return target.substr(kHead.size(), target.size() - kHead.size() - kTail.size());
}

}  // namespace

const Level* Hardware::find_temporal(std::string_view target) const {
  for (const bool memory : {true, false}) {
    for (const Level& level : levels) {
      if (level.is_memory() == memory &&
          (level.name == target || (!memory && level.name == without_inter(target)))) {
        return &level;
      }
    }
  }
  return nullptr;
}

const Level* Hardware::find_spatial(std::string_view target) const {
  for (const Level& level : levels) {
    if (!level.is_memory() && level.name == without_inter(target)) return &level;
  }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i].is_memory() || levels[i].name != target) continue;
    if (!levels[i].axes.empty() || i + 1 == levels.size() || levels[i + 1].is_memory()) {
      return &levels[i];
    }
    return &levels[i + 1];
  }
  return nullptr;
}

std::vector<std::string> Hardware::targets() const {
  std::vector<std::string> names;
  for (const Level& level : levels) names.push_back(level.name);
  return names;
}

ComponentKind kind_of_class(std::string_view name) {
  constexpr std::array<std::string_view, 5> kMemories = {"DRAM", "SRAM", "regfile", "smartbuffer",
                                                         "storage"};
  constexpr std::array<std::string_view, 4> kNetworks = {"XY_NoC", "Legacy", "ReductionTree",
                                                         "SimpleMulticast"};
  const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  if (std::ranges::any_of(kMemories, has)) return ComponentKind::kMemory;
  if (std::ranges::any_of(kNetworks, has)) return ComponentKind::kNetwork;
  if (has("mac") || has("compute")) return ComponentKind::kCompute;
  return ComponentKind::kUnknown;
}

std::optional<Hardware> read_architecture(const Section& section,
                                          const std::shared_ptr<NameSources>& sources,
                                          const std::vector<std::string>& tensors,
                                          Findings& findings) {
  Diagnostics& diagnostics = findings.diagnostics;
  const int before = diagnostics.errors();
  Hardware hardware;
  hardware.place = section.place;
  const YamlEntry* nodes = section.node.find("nodes");
  const bool nested =
      section.node.find("subtree") != nullptr || section.node.find("local") != nullptr;
  if (nodes != nullptr) {
    read_nodes(nodes->value, sources, tensors, hardware, findings);
  } else if (nested) {
    read_subtree(section.node, sources, hardware, findings);
  } else {
    Diagnostic& error = diagnostics.error(
        "F0011", "the architecture has no `nodes` (v0.4) and no `subtree` (v0.3)");
    error.labels.push_back({section.place, "a section of Timeloop's files"});
    error.helps.emplace_back("in a file of Tilewright's own, the section is called `arch`");
  }
  if (diagnostics.errors() > before) return std::nullopt;
  if (!hardware.compute) {
    diagnostics.error("A0003", "the architecture has no compute unit")
        .labels.push_back({section.place, "no component here has a class with `mac` or `compute`"});
  }
  const bool memory = std::ranges::any_of(hardware.levels, &Level::is_memory);
  if (!memory) {
    diagnostics.error("A0001", "the architecture has no memory")
        .labels.push_back({section.place, ""});
  }
  if (diagnostics.errors() > before) return std::nullopt;
  return hardware;
}

}  // namespace tilewright::timeloop
