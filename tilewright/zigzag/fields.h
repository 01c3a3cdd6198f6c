// SPDX-License-Identifier: Apache-2.0
// Internal to zigzag: values of keys, with findings where they are missing or of another kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright::zigzag {

/// One map of a file, `what` it is about ("memory `rf`").
class Fields {
 public:
  Fields(const YamlNode& map, const Span& place, std::string what, Diagnostics& diagnostics)
      : map_(map), place_(place), what_(std::move(what)), diagnostics_(diagnostics) {}

  const std::string& what() const { return what_; }
  /// The value of a key; null, with a finding if the key is `required`, where there is none.
  const YamlNode* find(const char* key, bool required = true) const;

  std::string text(const char* key, bool required = true) const;
  std::vector<std::string> texts(const char* key, bool required = true) const;
  std::vector<std::int64_t> counts(const char* key) const;
  std::optional<std::int64_t> count(const char* key, bool required = true) const;
  std::optional<double> number(const char* key, bool required = true) const;
  bool flag(const char* key) const;  ///< false if it is not there

  void wrong(const Span& place, const std::string& message, const std::string& label) const;

 private:
  const YamlNode& map_;
  const Span& place_;
  std::string what_;
  Diagnostics& diagnostics_;
};

}  // namespace tilewright::zigzag
