// SPDX-License-Identifier: Apache-2.0
// The sections of a set of Timeloop files, found and put together.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/timeloop/document/findings.h"
#include "tilewright/timeloop/document/names.h"
#include "tilewright/timeloop/document/template.h"

namespace tilewright::timeloop {

/// One section of a file: `architecture`, `problem`, ...
struct Section {
  std::string name;
  Span place;
  YamlNode node;
};

/// All sections. Keys have underscores where they were written with hyphens.
struct Document {
  std::optional<Section> architecture;
  std::optional<Section> problem;
  std::optional<Section> mapping;
  std::optional<Section> ert;
  std::optional<Section> art;
  std::optional<Section> mapper;
  std::vector<Section> constraints;  ///< `constraints`, `mapspace_constraints`, ...
  YamlNode variables;

  /// The sections by name, for `spec` in expressions, and the variables.
  std::shared_ptr<NameSources> names() const;
};

/// Reads files; what is wrong goes to the findings.
Document read_sections(const std::vector<std::shared_ptr<const SourceFile>>& files,
                       TreeLoader& loader, Findings& findings);

}  // namespace tilewright::timeloop
