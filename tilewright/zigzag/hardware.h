// SPDX-License-Identifier: Apache-2.0
// Internal to zigzag: an accelerator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright::zigzag {

/// Memories of an operand are listed from the inside out; one is shared by the units along its
/// served dimensions, so that the array spreads out along the others above it. Nothing, and
/// findings, if the memories make no chain of levels.
std::optional<Arch> read_hardware(const YamlNode& root, Diagnostics& diagnostics,
                                  std::vector<std::string>& left_out);

}  // namespace tilewright::zigzag
