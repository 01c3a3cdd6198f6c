// SPDX-License-Identifier: Apache-2.0
// YAML text as a small tree in which every key and value knows its place. The only user of
// yaml-cpp; whatever the text is, it comes back as a tree or as findings.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/diagnostic.h"

namespace tilewright {

struct YamlEntry;

/// One value. Only the members of its kind are filled.
struct YamlNode {
  enum class Kind { kNull, kScalar, kMap, kList };

  Kind kind = Kind::kNull;
  Span span;            ///< a scalar: its text on its first line; a map or list: where it begins
  std::string text;     ///< scalar: its value, quotes and folding undone
  bool quoted = false;  ///< scalar in quotes or a block (`|`, `>`): text, never a number
  bool block = false;   ///< scalar written as a block (`|`, `>`)
  std::string tag;      ///< `!name` before the value, as written; only with YamlFeatures::kAll
  std::vector<YamlEntry> entries;  ///< map: in the order of the file; keys are unique
  std::vector<YamlNode> items;     ///< list

  bool is_null() const { return kind == Kind::kNull; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_map() const { return kind == Kind::kMap; }
  bool is_list() const { return kind == Kind::kList; }

  /// The entry of that key in a map; null if there is none.
  const YamlEntry* find(std::string_view key) const;
};

/// One `key: value` of a map.
struct YamlEntry {
  std::string key;
  Span key_span;
  YamlNode value;
};

inline constexpr int kMaxYamlDepth = 32;
inline constexpr int kMaxYamlNodes = 200'000;
inline constexpr int kMaxYamlBytes = 4 << 20;

/// How much of YAML is taken. Our own files are plain; those of other tools may use all of it.
enum class YamlFeatures {
  kPlain,  ///< anchors, aliases and tags are refused
  kAll,    ///< tags are kept, aliases become copies, `<<` is merged
};

/// The one document in `file`; a null node if it is empty; nothing, and findings, if it is not
/// YAML or uses what we refuse (several documents, the limits above, what `features` excludes).
std::optional<YamlNode> parse_yaml(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics,
                                   YamlFeatures features = YamlFeatures::kPlain);

/// From the key to the end of its value, as far as both stand on one line.
Span entry_span(const YamlEntry& entry);

/// What a node is, for messages: `a list`, `a map`, `the text "abc"`, `nothing`.
std::string describe(const YamlNode& node);

/// A scalar's text as a file of its own for a reader of another language: same name, and every
/// line of a `|` block or a one-line scalar at the line and column where it stands in the YAML.
std::shared_ptr<const SourceFile> scalar_source(const YamlNode& node);

}  // namespace tilewright
