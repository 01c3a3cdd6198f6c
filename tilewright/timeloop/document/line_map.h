// SPDX-License-Identifier: Apache-2.0
// A text put together from several files, in which every line remembers where it came from.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright::timeloop {

class LineMap {
 public:
  /// Adds text that begins in line `line` of `file`.
  void add(std::string_view text, const std::shared_ptr<const SourceFile>& file, int line);

  /// The tree of the whole text, with places in the files that it came from; nothing, and findings,
  /// if it is not YAML.
  std::optional<YamlNode> parse(const std::string& name, Diagnostics& diagnostics);

  /// Bytes so far.
  std::size_t size() const { return text_.size(); }

 private:
  struct Origin {
    std::shared_ptr<const SourceFile> file;
    int line = 0;
  };

  void move_span(Span& span);
  void move_tree(YamlNode& node);
  int line_length(const SourceFile& file, int line);

  std::string text_;
  std::vector<Origin> origins_;                            // by line of text_
  std::map<const SourceFile*, std::vector<int>> lengths_;  // of lines, by file
};

}  // namespace tilewright::timeloop
