// SPDX-License-Identifier: Apache-2.0
// Maps that take over the keys of other maps: YAML's merge key `<<`.
#pragma once

#include <cstddef>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright {

struct TreeSize {
  std::size_t depth = 0;  ///< maps and lists inside each other; 0 for a scalar
  int nodes = 1;          ///< keys and values
};

TreeSize measure_tree(const YamlNode& node);

/// If `map` is a map with the key `<<`: adds the keys of its value, a map or a list of maps, that
/// `map` lacks, and removes `<<`. Reports a value that is no map.
void merge_keys(YamlNode& map, Diagnostics& diagnostics);

}  // namespace tilewright
