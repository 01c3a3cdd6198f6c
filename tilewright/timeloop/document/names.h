// SPDX-License-Identifier: Apache-2.0
// The names in the expressions of an architecture: the attributes of a node, of what encloses it,
// the variables, other nodes, and `spec` for everything.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/yaml_tree.h"
#include "tilewright/timeloop/expression/expression.h"

namespace tilewright::timeloop {

/// Trees that all names lead to. They must outlive the names.
struct NameSources {
  const YamlNode* variables = nullptr;
  std::map<std::string, const YamlNode*, std::less<>> nodes;  ///< by name
  std::map<std::string, const YamlNode*, std::less<>> spec;   ///< sections
  std::set<const YamlNode*> busy;  ///< being computed: they do not refer to themselves
};

/// What names mean at one place.
class Names : public Scope {
 public:
  explicit Names(std::shared_ptr<NameSources> sources) : sources_(std::move(sources)) {}

  /// The same, with the keys of `map` first. A null `map` has none.
  Names inside(const YamlNode* map) const;

  std::optional<Value> find(std::string_view name, Budget& budget) const override;

  /// The value of a node of the tree: a quoted scalar is text, another one an expression or, if it
  /// makes no sense as one, text. `fault` says why it made none.
  Value value_of(const YamlNode& node, Budget& budget, ExpressionFault* fault = nullptr) const;

  /// A number; nothing, and reported, if it is none. `where` is "`depth` of `GLB`".
  std::optional<double> number(const YamlNode& node, const std::string& where,
                               Diagnostics& diagnostics) const;
  /// A whole number from `least` up.
  std::optional<std::int64_t> whole(const YamlNode& node, const std::string& where,
                                    std::int64_t least, Diagnostics& diagnostics) const;
  /// Whether a flag is on; nothing, and reported, if it is none.
  std::optional<bool> flag(const YamlNode& node, const std::string& where,
                           Diagnostics& diagnostics) const;

 private:
  std::shared_ptr<NameSources> sources_;
  std::vector<const YamlNode*> maps_;  // innermost first
};

}  // namespace tilewright::timeloop
