// SPDX-License-Identifier: Apache-2.0
// Lists of names as constraints and mappings write them: `[Inputs, Weights]`, or one word.
#pragma once

#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/object_reader.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright::timeloop {

/// The names in a list, or the words of a text; what else it is, is reported. `*` stands for
/// `all`.
std::vector<PlacedName> read_names(const YamlNode& node, const std::string& where,
                                   const std::vector<std::string>& all, Diagnostics& diagnostics);

/// Data spaces by name; an unknown one is reported unless `all` is empty.
std::vector<std::string> read_data_spaces(const YamlNode& node, const std::string& where,
                                          const std::vector<std::string>& all,
                                          Diagnostics& diagnostics);

/// What a `dataspace` constraint says, its macros worked out.
struct KeptSpaces {
  std::vector<std::string> keep;
  std::vector<std::string> bypass;
};

KeptSpaces read_kept_spaces(const YamlNode& node, const std::string& where,
                            const std::vector<std::string>& all, Diagnostics& diagnostics);

}  // namespace tilewright::timeloop
