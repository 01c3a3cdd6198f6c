// SPDX-License-Identifier: Apache-2.0
// Figures of an architecture given beside its file: `DRAM.bandwidth=12.8 GB/s`, `clock=200 MHz`.
// They change the tree before it is read, so that everything is checked as in a file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright {

/// Texts of one command line, as places for findings.
using Overrides = std::vector<std::shared_ptr<const SourceFile>>;

/// `name` is what findings call them: `--with`.
Overrides make_overrides(std::span<const std::string> texts, const std::string& name);

/// Changes `arch`, the value of a section `arch:`. A path is a key of the architecture, or a node,
/// a key of it and perhaps keys inside that; the value is YAML. No path may occur twice.
void apply_overrides(const Overrides& overrides, YamlNode& arch, Diagnostics& diagnostics);

}  // namespace tilewright
