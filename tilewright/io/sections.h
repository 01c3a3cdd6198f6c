// SPDX-License-Identifier: Apache-2.0
// The readers of the sections `workload`, `arch` and `network`, on trees. The others' are
// mapping_reader.h and constraint_reader.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/io/read.h"
#include "tilewright/io/yaml/object_reader.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/network/llm.h"
#include "tilewright/network/network.h"
#include "tilewright/workload/workload.h"

namespace tilewright {

/// The value of a `workload:` section; nothing, and findings, on error.
std::optional<Workload> read_workload_node(const YamlNode& node, Diagnostics& diagnostics);

/// The same for a map that has keys of its own beside those of a workload, all of them taken
/// before: takes the others, reports what is left over and which form is missing. `bits` is the
/// default width.
std::optional<Workload> read_workload_keys(const YamlNode& node, ObjectReader& reader,
                                           const std::string& name, std::int64_t bits,
                                           Diagnostics& diagnostics);

/// The value of an `arch:` section; nothing, and findings, on error. Appends every tensor or role
/// that it names to `tensors`, because only a workload can tell whether it exists. `source` may be
/// null.
std::optional<Arch> read_arch_node(const YamlNode& node, Diagnostics& diagnostics,
                                   std::vector<PlacedName>& tensors, ArchSource* source);

/// The value of `llm:` in a network; nothing, and findings, on error.
std::optional<LlmConfig> read_llm_node(const YamlNode& node, std::int64_t bits,
                                       Diagnostics& diagnostics);

/// The value of a `network:` section; nothing, and findings, on error.
std::optional<Network> read_network_node(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace tilewright
