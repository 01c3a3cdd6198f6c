// SPDX-License-Identifier: Apache-2.0
// The part of Jinja that Timeloop's files use: `{{ expression }}` with include_text, include,
// include_all, add_to_path, find_path, path_exists and cwd; `{% if %}`, `{% set %}`; `{# #}`.
// Expanded lines remember where they stand in the user's files.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/timeloop/document/files.h"
#include "tilewright/timeloop/expression/expression.h"

namespace tilewright::timeloop {

struct LoaderState;

/// Whether a text has anything to expand.
bool is_template(const SourceFile& file);

/// Turns files into trees; what one file sets, the next one sees.
class TreeLoader {
 public:
  TreeLoader(Files& files, std::map<std::string, std::string> definitions,
             Diagnostics& diagnostics);
  ~TreeLoader();
  TreeLoader(const TreeLoader&) = delete;
  TreeLoader& operator=(const TreeLoader&) = delete;

  /// Expanded, parsed and merged; nothing, and findings, on error.
  std::optional<YamlNode> load(const std::shared_ptr<const SourceFile>& file);

  /// Every file that another one has included so far.
  const std::vector<std::shared_ptr<const SourceFile>>& included() const;

 private:
  std::unique_ptr<LoaderState> state_;
};

}  // namespace tilewright::timeloop
