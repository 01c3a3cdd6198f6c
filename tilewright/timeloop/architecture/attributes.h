// SPDX-License-Identifier: Apache-2.0
// The attributes of one component: its own, and those of what encloses it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/arch/arch.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/timeloop/architecture/levels.h"
#include "tilewright/timeloop/document/findings.h"
#include "tilewright/timeloop/document/names.h"

namespace tilewright::timeloop {

class Attributes {
 public:
  /// `own` and each of `outer`, innermost first, may be null. All must outlive the object.
  Attributes(std::string component, const YamlNode* own, std::vector<const YamlNode*> outer,
             Names names, Findings& findings);

  /// The entry of the first of these keys that is there and not null; null if none is.
  const YamlEntry* find(std::initializer_list<const char*> keys) const;
  /// The same among its own attributes only.
  const YamlEntry* find_own(const char* key) const;

  std::optional<std::int64_t> whole(std::initializer_list<const char*> keys,
                                    std::int64_t least) const;
  std::optional<double> number(std::initializer_list<const char*> keys) const;
  /// A number of copies: `own` only.
  std::optional<std::int64_t> mesh(const char* key) const;

  /// Lists what the model does not have, and warns of keys that look like misspelt ones.
  void check_memory() const;

  const std::string& component() const { return component_; }
  Diagnostics& diagnostics() const { return findings_.diagnostics; }
  const Names& names() const { return names_; }

 private:
  std::string where(const std::string& key) const;

  std::string component_;
  std::vector<const YamlNode*> maps_;  // own first
  const YamlNode* own_;
  Names names_;
  Findings& findings_;
};

/// Capacity, widths and bandwidths, but no energies. Sets the level's places.
std::optional<Memory> read_memory(const Attributes& attributes, Level& level);

/// The clock, if a cycle time is given.
std::optional<Rational> read_clock(const Attributes& attributes);

}  // namespace tilewright::timeloop
