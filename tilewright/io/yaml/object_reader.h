// SPDX-License-Identifier: Apache-2.0
// Takes the keys of one map, one by one; what is left at the end is a mistake.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilewright/io/diagnostic.h"
#include "tilewright/io/yaml/fields.h"
#include "tilewright/io/yaml/units.h"
#include "tilewright/io/yaml/yaml_tree.h"

namespace tilewright {

/// A name from a file, and where it stands.
struct PlacedName {
  std::string name;
  Span span;
};

/// True for a word that may name a node or an axis: it begins with a letter or `_` and goes on with
/// letters, digits, `_`, `-`, `.`, and is no word of the mapping language.
bool is_name(std::string_view text);

/// The scalar's text; reports and gives nothing if `node` is something else. `where` names it,
/// `wanted` says what it should be ("a size").
std::optional<std::string> scalar_text(const YamlNode& node, const std::string& where,
                                       const std::string& wanted, Diagnostics& diagnostics);

/// False, and reported, if not `right`: `where` must be `wanted` ("a map").
bool demand_form(const YamlNode& node, bool right, const std::string& where,
                 const std::string& wanted, Diagnostics& diagnostics);

/// A whole number >= `least`; reports if it is none.
std::optional<std::int64_t> read_count(const YamlNode& node, const std::string& where,
                                       std::int64_t least, Diagnostics& diagnostics);

/// Bits as kSize or kBits; reports if they are none or less than `least`.
std::optional<std::int64_t> read_bits(const YamlNode& node, Quantity quantity,
                                      const UnitContext& context, const std::string& where,
                                      std::int64_t least, Diagnostics& diagnostics);

/// The width of an element: kBits, 1 to 4096; reports if it is none.
std::optional<std::int64_t> read_element_width(const YamlNode& node, const std::string& where,
                                               Diagnostics& diagnostics);

/// The width of a finished element, and of one that is still being summed if that is said.
struct ElementBits {
  std::int64_t bits = 0;
  std::optional<std::int64_t> partial_bits;
};

/// One width, or a map of `final` and `partial`; reports if it is neither. Only an output has
/// partial sums: `is_output` false refuses the map.
std::optional<ElementBits> read_element_bits(const YamlNode& node, const std::string& where,
                                             bool is_output, Diagnostics& diagnostics);

/// Reads one map whose keys `object` lists. Every take_ function removes the key, reports what is
/// wrong with its value, and gives nothing if the key is absent or its value is wrong.
class ObjectReader {
 public:
  /// `what` names the map in messages: "memory `GLB`". The node must outlive the reader.
  ObjectReader(const YamlNode& node, ObjectId object, std::string what, Diagnostics& diagnostics);

  /// False, and reported, if the node is no map; there is nothing to take then.
  bool is_map() const { return node_.is_map(); }
  bool has(std::string_view key) const { return node_.find(key) != nullptr; }
  const std::string& what() const { return what_; }
  const Span& span() const { return node_.span; }
  /// Of the value of a key that is there.
  const Span& span_of(std::string_view key) const { return node_.find(key)->value.span; }

  /// The entry of a key, null if it is absent; for values that need a reader of their own.
  const YamlEntry* take(std::string_view key);

  std::optional<std::string> take_text(std::string_view key);
  std::optional<PlacedName> take_name(std::string_view key);
  std::optional<std::int64_t> take_count(std::string_view key, std::int64_t least = 1);
  std::optional<bool> take_flag(std::string_view key);
  std::optional<std::int64_t> take_size(std::string_view key, const UnitContext& context,
                                        std::int64_t least);
  std::optional<Rational> take_bandwidth(std::string_view key, const UnitContext& context);
  std::optional<Rational> take_clock(std::string_view key);
  std::optional<double> take_figure(std::string_view key, Quantity quantity);
  std::optional<Rational> take_share(std::string_view key);
  std::optional<AccessEnergy> take_access_energy(std::string_view key, const UnitContext& context);

  /// Reports every key that was not taken, with the nearest one, and every required key that is
  /// absent and for which no such key was meant.
  void finish();

  /// After finish: true if an unknown key was probably meant to be `key`.
  bool suggested(std::string_view key) const;

  /// "`capacity` of memory `GLB`"
  std::string where(std::string_view key) const;

 private:
  std::optional<std::string> take_scalar(std::string_view key, const char* wanted,
                                         const YamlEntry*& entry);
  void report_unknown(const YamlEntry& entry, std::vector<std::string>& absent);

  const YamlNode& node_;
  ObjectId object_;
  std::string what_;
  Diagnostics& diagnostics_;
  std::vector<bool> taken_;
  std::vector<std::string> suggested_;
  bool keys_listed_ = false;
};

/// Reports the keys of a map of free names (dims, tensors) that are not among `known`. `absent` are
/// the known ones that the map lacks: they are suggested first, and one that is suggested is
/// removed from the list. `what` is "dim of the einsum".
void report_unknown_names(const std::vector<const YamlEntry*>& unknown, const std::string& what,
                          const std::string& code, const std::vector<std::string>& known,
                          std::vector<std::string>& absent, Diagnostics& diagnostics);

/// `true` or `false`; nothing if the text is neither.
std::optional<bool> parse_flag(std::string_view text);

}  // namespace tilewright
