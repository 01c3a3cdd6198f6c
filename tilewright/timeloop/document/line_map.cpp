// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/document/line_map.h"

#include <algorithm>

namespace tilewright::timeloop {

void LineMap::add(std::string_view text, const std::shared_ptr<const SourceFile>& file, int line) {
  if (origins_.empty()) origins_.push_back({file, line});
  for (const char c : text) {
    // A line that is still blank belongs to what comes next.
    if (text_.empty() || text_.back() == '\n') origins_.back() = {file, line};
    text_ += c;
    if (c != '\n') continue;
    ++line;
    origins_.push_back({file, line});
  }
}

int LineMap::line_length(const SourceFile& file, int line) {
  std::vector<int>& lengths = lengths_[&file];
  if (lengths.empty()) {
    lengths.push_back(0);
    for (const char c : file.text) {
      if (c == '\n') {
        lengths.push_back(0);
      } else if (c != '\r') {
        ++lengths.back();
      }
    }
  }
  const auto position = static_cast<std::size_t>(line - 1);
  return position < lengths.size() ? lengths[position] : 0;
}

void LineMap::move_span(Span& span) {
  if (span.line < 1 || static_cast<std::size_t>(span.line) > origins_.size()) {
    if (!origins_.empty()) span = {origins_.front().file, 0, 0, 1};
    return;
  }
  const Origin& origin = origins_[static_cast<std::size_t>(span.line - 1)];
  span.file = origin.file;
  span.line = origin.line;
  // Where the line was expanded, the column may lie beyond its end.
  const int length = line_length(*origin.file, origin.line);
  if (span.column + span.length - 1 <= length) return;
  span.column = std::min(span.column, std::max(1, length));
  span.length = std::max(1, length - span.column + 1);
}

void LineMap::move_tree(YamlNode& node) {
  move_span(node.span);
  for (YamlNode& item : node.items) move_tree(item);
  for (YamlEntry& entry : node.entries) {
    move_span(entry.key_span);
    move_tree(entry.value);
  }
}

std::optional<YamlNode> LineMap::parse(const std::string& name, Diagnostics& diagnostics) {
  const auto whole = std::make_shared<const SourceFile>(SourceFile{name, text_});
  Diagnostics found;
  std::optional<YamlNode> tree = parse_yaml(whole, found, YamlFeatures::kAll);
  for (const Diagnostic& one : found.all()) {
    const bool error = one.severity == Severity::kError;
    Diagnostic& added = error ? diagnostics.error("", "") : diagnostics.warning("", "");
    added = one;
    for (Label& label : added.labels) move_span(label.span);
  }
  if (tree) move_tree(*tree);
  return tree;
}

}  // namespace tilewright::timeloop
