// SPDX-License-Identifier: Apache-2.0
// An architecture as Timeloop sees it: levels from the outermost inwards. A level is a memory, or
// only a place where the array spreads out; either may have a fan-out right inside it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/base/index.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/timeloop/document/document.h"
#include "tilewright/timeloop/document/findings.h"
#include "tilewright/timeloop/document/names.h"

namespace tilewright::timeloop {

/// One level; its trees belong to the section that was read.
struct Level {
  std::string name;  ///< as mappings and constraints call it
  Span place;
  std::optional<Memory> memory;
  Span capacity_place;
  Span keep_place;

  // The fan-out inside it; without axes there is none.
  std::string fanout;
  std::vector<Axis> axes;
  Span axes_place;

  // What its node in the file says about its mappings; null if nothing.
  const YamlNode* temporal = nullptr;
  const YamlNode* spatial = nullptr;
  const YamlNode* dataspace = nullptr;

  /// Tensors that the hardware does not keep here, by name.
  std::vector<std::string> bypass;

  // Set by build_arch.
  NodeId memory_node;
  NodeId fanout_node;

  bool is_memory() const { return memory.has_value(); }
};

struct Hardware {
  std::string name;
  std::optional<Rational> clock_hz;
  std::vector<Level> levels;  ///< outermost first
  std::optional<Compute> compute;
  Span compute_place;
  Span place;

  /// The level whose loops over time, or whose tensors, `target` means; null if there is none.
  const Level* find_temporal(std::string_view target) const;
  /// The level whose fan-out `target` means. Files of v0.3 name the memory outside it, those of
  /// v0.4 the container or component that is spread out, and outputs `inter_NAME_spatial`.
  const Level* find_spatial(std::string_view target) const;
  /// All names that targets may have.
  std::vector<std::string> targets() const;
};

/// What a component is, by its class.
enum class ComponentKind { kMemory, kCompute, kNetwork, kUnknown };

ComponentKind kind_of_class(std::string_view name);

/// Reads the section; nothing, and findings, on error. `tensors` are the names of the data spaces.
/// The section must outlive the result.
std::optional<Hardware> read_architecture(const Section& section,
                                          const std::shared_ptr<NameSources>& sources,
                                          const std::vector<std::string>& tensors,
                                          Findings& findings);

// Its two forms.
bool read_nodes(const YamlNode& nodes, const std::shared_ptr<NameSources>& sources,
                const std::vector<std::string>& tensors, Hardware& hardware, Findings& findings);
bool read_subtree(const YamlNode& architecture, const std::shared_ptr<NameSources>& sources,
                  Hardware& hardware, Findings& findings);

}  // namespace tilewright::timeloop
