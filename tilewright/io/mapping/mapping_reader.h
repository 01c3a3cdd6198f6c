// SPDX-License-Identifier: Apache-2.0
// The `mapping` section of a YAML file, and whole files in text form (nest_reader.h).
#pragma once

#include <memory>
#include <optional>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/read.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/mapping/mapping.h"
#include "tilewright/mapping/problem.h"

namespace tilewright {

/// The value of `mapping:`: a list of nodes, or the text form as a string. Nothing if there were
/// errors; `source` may be null.
std::optional<Mapping> read_mapping_node(const YamlNode& node, const Problem& problem,
                                         Diagnostics& diagnostics, MappingSource* source);

/// A file in text form. Nothing if there were errors; `source` may be null.
std::optional<Mapping> read_nest(std::shared_ptr<const SourceFile> file, const Problem& problem,
                                 Diagnostics& diagnostics, MappingSource* source);

}  // namespace tilewright
