// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/object_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/fault.h"

namespace tilewright {
namespace {

std::string did_you_mean(std::string_view name) { return fmt::format("did you mean `{}`?", name); }

// Keys that other tools use for ours.
std::string usual_key(std::string_view key, ObjectId object) {
  constexpr std::pair<std::string_view, std::string_view> kSections[] = {
      {"architecture", "arch"},
      {"accelerator", "arch"},
      {"problem", "workload"},
      {"layer", "workload"},
      {"loops", "mapping"},
      {"targets", "constraints"},
      {"architecture_constraints", "constraints"},
      {"mapspace_constraints", "constraints"}};
  constexpr std::pair<std::string_view, std::string_view> kKeys[] = {
      {"size", "capacity"},
      {"depth", "capacity"},
      {"datawidth", "bits"},
      {"word_bits", "word"},
      {"word-bits", "word"},
      {"meshX", "axes"},
      {"frequency", "clock"},
      {"instance", "dims"},
      {"sizes", "dims"},
      {"bw", "bandwidth"},
      {"bypass", "keep"},
      {"double_buffered", "buffering"},
      {"double_buffering", "buffering"},
      {"double_buffer", "buffering"},
      {"multi_buffering", "buffering"},
      {"buffers", "buffering"},
      {"multiple_buffering", "buffering"},
      {"target", "at"},
      {"memory", "at"},
      {"fanout", "at"},
      {"permutation", "order"}};
  constexpr std::pair<std::string_view, std::string_view> kConv[] = {
      {"k", "m"},  {"oc", "m"},    {"out_channels", "m"}, {"ic", "c"}, {"in_channels", "c"},
      {"h", "p"},  {"oh", "p"},    {"ho", "p"},           {"w", "q"},  {"ow", "q"},
      {"wo", "q"}, {"kh", "r"},    {"fh", "r"},           {"kw", "s"}, {"fw", "s"},
      {"b", "n"},  {"g", "groups"}};
  if (object == ObjectId::kConv) {
    const auto* const theirs =
        std::ranges::find(kConv, key, [](const auto& one) { return one.first; });
    return theirs == std::end(kConv) ? std::string() : std::string(theirs->second);
  }
  if (object == ObjectId::kDocument) {
    for (const auto& [theirs, ours] : kSections) {
      if (key == theirs) return std::string(ours);
    }
    return {};
  }
  const std::vector<std::string> ours_here = keys_of(object);
  for (const auto& [theirs, ours] : kKeys) {
    if (key == theirs && std::ranges::find(ours_here, ours) != ours_here.end()) {
      return std::string(ours);
    }
  }
  return {};
}

// A text with a character that a terminal obeys instead of showing; blanks and line ends are none.
bool refuse_controls(const YamlNode& node, const std::string& where, Diagnostics& diagnostics) {
  const std::string_view text = node.text;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode_utf8(text, i);
    const bool blank = text[i] == '\t' || text[i] == '\n';
    i += point.length;
    if (blank || (point.valid && !is_control(point.value))) continue;
    const std::string name = point.valid
                                 ? fmt::format("U+{:04X}", static_cast<std::uint32_t>(point.value))
                                 : "a byte that is not UTF-8";
    Diagnostic& error = diagnostics.error(
        "F0017", fmt::format("{} contains a character that is not allowed: {}", where, name));
    error.labels.push_back({node.span, "not text to show"});
    error.helps.emplace_back("leave the character out");
    return true;
  }
  return false;
}

// True if every character is one to show.
bool is_shown(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode_utf8(text, i);
    if (!point.valid || is_control(point.value)) return false;
    i += point.length;
  }
  return true;
}

}  // namespace

bool is_name(std::string_view text) {
  constexpr std::string_view kReserved[] = {"for", "parfor", "keep", "on"};
  if (text.empty() || std::ranges::find(kReserved, text) != std::end(kReserved)) return false;
  if (!is_shown(text)) return false;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  const auto goes_on = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return is_letter(text.front()) && std::ranges::all_of(text, goes_on);
}

std::optional<bool> parse_flag(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

std::optional<std::string> scalar_text(const YamlNode& node, const std::string& where,
                                       const std::string& wanted, Diagnostics& diagnostics) {
  if (node.is_scalar()) {
    return refuse_controls(node, where, diagnostics) ? std::nullopt : std::optional(node.text);
  }
  const std::string message = node.is_null()
                                  ? where + " has no value"
                                  : fmt::format("{} is {}, not {}", where, describe(node), wanted);
  diagnostics.error("F0012", message).labels.push_back({node.span, "expected " + wanted});
  return std::nullopt;
}

bool demand_form(const YamlNode& node, bool right, const std::string& where,
                 const std::string& wanted, Diagnostics& diagnostics) {
  if (right) return true;
  diagnostics.error("F0012", fmt::format("{} must be {}", where, wanted))
      .labels.push_back({node.span, "this is " + describe(node)});
  return false;
}

std::optional<std::int64_t> read_count(const YamlNode& node, const std::string& where,
                                       std::int64_t least, Diagnostics& diagnostics) {
  const auto text = scalar_text(node, where, "a whole number", diagnostics);
  if (!text) return std::nullopt;
  TextFault fault;
  const std::optional<std::int64_t> value = parse_count(*text, least, fault);
  if (!value) {
    report_fault(fault, node, where, diagnostics);
  } else if (node.quoted) {
    Diagnostic& error = diagnostics.error("F0012", where + " is text, not a whole number");
    error.labels.push_back({node.span, "quotes make it text"});
    error.helps.push_back("write it without quotes");
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> read_bits(const YamlNode& node, Quantity quantity,
                                      const UnitContext& context, const std::string& where,
                                      std::int64_t least, Diagnostics& diagnostics) {
  const std::string wanted = quantity == Quantity::kBits ? "a number of bits" : "a size";
  const auto text = scalar_text(node, where, wanted, diagnostics);
  if (!text) return std::nullopt;
  TextFault fault;
  const std::optional<std::int64_t> value = parse_bits(*text, quantity, context, fault);
  if (!value) {
    report_fault(fault, node, where, diagnostics);
    return std::nullopt;
  }
  if (*value >= least) return value;
  diagnostics.error("F0024", fmt::format("{}: {} bits are less than {}", where, *value, least))
      .labels.push_back({node.span, fmt::format("must be at least {} bit", least)});
  return std::nullopt;
}

std::optional<std::int64_t> read_element_width(const YamlNode& node, const std::string& where,
                                               Diagnostics& diagnostics) {
  constexpr std::int64_t kMost = 4096;
  const auto bits = read_bits(node, Quantity::kBits, {}, where, 1, diagnostics);
  if (!bits || *bits <= kMost) return bits;
  diagnostics.error("F0024", fmt::format("{}: an element has at most {} bits", where, kMost))
      .labels.push_back({node.span, "too many bits"});
  return std::nullopt;
}

std::optional<ElementBits> read_element_bits(const YamlNode& node, const std::string& where,
                                             bool is_output, Diagnostics& diagnostics) {
  if (!node.is_map()) {
    const auto bits = read_element_width(node, where, diagnostics);
    return bits ? std::optional(ElementBits{*bits, std::nullopt}) : std::nullopt;
  }
  if (!is_output) {
    Diagnostic& error = diagnostics.error("F0012", where + " is a map, not a number of bits");
    error.labels.push_back({node.span, "only an output is summed"});
    error.helps.push_back("give one width: `8`");
    return std::nullopt;
  }
  ObjectReader reader(node, ObjectId::kElementWidth, where, diagnostics);
  const auto take = [&](const char* key) -> std::optional<std::int64_t> {
    const YamlEntry* entry = reader.take(key);
    if (entry == nullptr) return std::nullopt;
    return read_element_width(entry->value, reader.where(key), diagnostics);
  };
  const auto bits = take("final");
  const auto partial = take("partial");
  reader.finish();
  if (!bits) return std::nullopt;
  if (partial && *partial < *bits) {
    Diagnostic& error = diagnostics.error(
        "F0024",
        fmt::format("{}: partial sums have {} bits, fewer than the {} bits of finished elements",
                    where, *partial, *bits));
    error.labels.push_back({node.find("partial")->value.span, "narrower than `final`"});
    error.helps.push_back(fmt::format("write `{{final: {}, partial: {}}}`", *partial, *bits));
    return std::nullopt;
  }
  return ElementBits{*bits, partial};
}

ObjectReader::ObjectReader(const YamlNode& node, ObjectId object, std::string what,
                           Diagnostics& diagnostics)
    : node_(node),
      object_(object),
      what_(std::move(what)),
      diagnostics_(diagnostics),
      taken_(node.entries.size(), false) {
  if (node.is_map()) return;
  std::vector<std::string> keys = keys_of(object);
  const std::string message = node.is_null()
                                  ? what_ + " has no value"
                                  : fmt::format("{} is {}, not a map", what_, describe(node));
  Diagnostic& error = diagnostics.error("F0012", message);
  error.labels.push_back({node.span, "expected keys and values"});
  error.notes.push_back("its keys: " + join_names(keys, "and"));
}

const YamlEntry* ObjectReader::take(std::string_view key) {
  for (std::size_t i = 0; i < node_.entries.size(); ++i) {
    if (node_.entries[i].key != key) continue;
    taken_[i] = true;
    return &node_.entries[i];
  }
  return nullptr;
}

std::string ObjectReader::where(std::string_view key) const {
  return fmt::format("`{}` of {}", key, what_);
}

std::optional<std::string> ObjectReader::take_scalar(std::string_view key, const char* wanted,
                                                     const YamlEntry*& entry) {
  entry = take(key);
  if (entry == nullptr) return std::nullopt;
  return scalar_text(entry->value, where(key), wanted, diagnostics_);
}

std::optional<std::string> ObjectReader::take_text(std::string_view key) {
  const YamlEntry* entry = nullptr;
  return take_scalar(key, "text", entry);
}

std::optional<PlacedName> ObjectReader::take_name(std::string_view key) {
  const YamlEntry* entry = take(key);
  if (entry == nullptr) return std::nullopt;
  const auto text = scalar_text(entry->value, fmt::format("`{}`", key), "a name", diagnostics_);
  if (!text) return std::nullopt;
  if (is_name(*text)) return PlacedName{*text, entry->value.span};
  Diagnostic& error = diagnostics_.error("F0014", in_backticks(*text) + " cannot be a name");
  error.labels.push_back({entry->value.span, "not a name"});
  error.notes.push_back(
      "a name begins with a letter or `_` followed by letters, digits, `_`, `-` and `.`;\n"
      "`for`, `parfor`, `keep` and `on` are reserved words");
  return std::nullopt;
}

std::optional<std::int64_t> ObjectReader::take_count(std::string_view key, std::int64_t least) {
  const YamlEntry* entry = take(key);
  if (entry == nullptr) return std::nullopt;
  return read_count(entry->value, where(key), least, diagnostics_);
}

std::optional<bool> ObjectReader::take_flag(std::string_view key) {
  const YamlEntry* entry = nullptr;
  const auto text = take_scalar(key, "`true` or `false`", entry);
  if (!text) return std::nullopt;
  const std::optional<bool> flag = parse_flag(*text);
  if (flag) return flag;
  diagnostics_
      .error("F0012",
             fmt::format("{} is {}, not `true` or `false`", where(key), describe(entry->value)))
      .labels.push_back({entry->value.span, "expected `true` or `false`"});
  return std::nullopt;
}

std::optional<std::int64_t> ObjectReader::take_size(std::string_view key,
                                                    const UnitContext& context,
                                                    std::int64_t least) {
  const YamlEntry* entry = take(key);
  if (entry == nullptr) return std::nullopt;
  return read_bits(entry->value, Quantity::kSize, context, where(key), least, diagnostics_);
}

std::optional<Rational> ObjectReader::take_bandwidth(std::string_view key,
                                                     const UnitContext& context) {
  const YamlEntry* entry = nullptr;
  const auto text = take_scalar(key, "a bandwidth", entry);
  if (!text) return std::nullopt;
  TextFault fault;
  const std::optional<Rational> value = parse_bandwidth(*text, context, fault);
  if (!value) report_fault(fault, entry->value, where(key), diagnostics_);
  return value;
}

std::optional<Rational> ObjectReader::take_clock(std::string_view key) {
  const YamlEntry* entry = nullptr;
  const auto text = take_scalar(key, "a frequency", entry);
  if (!text) return std::nullopt;
  TextFault fault;
  const std::optional<Rational> value = parse_clock(*text, fault);
  if (!value) report_fault(fault, entry->value, where(key), diagnostics_);
  return value;
}

std::optional<double> ObjectReader::take_figure(std::string_view key, Quantity quantity) {
  const YamlEntry* entry = nullptr;
  const auto text = take_scalar(key, "a number with a unit", entry);
  if (!text) return std::nullopt;
  TextFault fault;
  const std::optional<double> value = parse_figure(*text, quantity, fault);
  if (!value) report_fault(fault, entry->value, where(key), diagnostics_);
  return value;
}

std::optional<Rational> ObjectReader::take_share(std::string_view key) {
  const YamlEntry* entry = nullptr;
  const auto text = take_scalar(key, "a share such as `75 %`", entry);
  if (!text) return std::nullopt;
  TextFault fault;
  const std::optional<Rational> value = parse_share(*text, fault);
  if (!value) report_fault(fault, entry->value, where(key), diagnostics_);
  return value;
}

std::optional<AccessEnergy> ObjectReader::take_access_energy(std::string_view key,
                                                             const UnitContext& context) {
  const YamlEntry* entry = nullptr;
  const auto text = take_scalar(key, "a number with a unit", entry);
  if (!text) return std::nullopt;
  TextFault fault;
  const std::optional<AccessEnergy> value = parse_access_energy(*text, context, fault);
  if (!value) report_fault(fault, entry->value, where(key), diagnostics_);
  return value;
}

void ObjectReader::report_unknown(const YamlEntry& entry, std::vector<std::string>& absent) {
  const ObjectFields& object = fields_of(object_);
  const std::string message =
      entry.key.empty() ? fmt::format("a key is missing in {}", what_)
                        : fmt::format("unknown key {} in {}", in_backticks(entry.key), what_);
  Diagnostic& error = diagnostics_.error("F0010", message);
  error.labels.push_back({entry.key_span, fmt::format("not a key of {}", object.title)});
  std::string meant = usual_key(entry.key, object_);
  if (meant.empty()) {
    meant = nearest(entry.key, absent).value_or("");
    // Any letter is near any other; if one key is missing, it must be that.
    const bool letters = meant.size() == 1 && entry.key.size() == 1 && absent.size() > 1;
    if (letters && edit_distance(meant, entry.key) > 1) meant.clear();
  }
  if (meant.empty()) {
    if (std::exchange(keys_listed_, true)) return;
    error.notes.push_back(
        fmt::format("the keys of {} are {}", object.title, join_names(keys_of(object_), "and")));
    return;
  }
  error.helps.push_back(did_you_mean(meant));
  std::erase(absent, meant);
  suggested_.push_back(meant);
}

void ObjectReader::finish() {
  if (!is_map()) return;
  std::vector<std::string> absent = keys_of(object_);
  std::erase_if(absent, [this](const std::string& key) { return has(key); });
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (!taken_[i]) report_unknown(node_.entries[i], absent);
  }
  for (const Field& field : fields_of(object_).fields) {
    if (!field.required || has(field.key) || suggested(field.key)) continue;
    Diagnostic& error =
        diagnostics_.error("F0011", fmt::format("{} has no `{}`", what_, field.key));
    error.labels.push_back({node_.span, fmt::format("`{}` is missing", field.key)});
    error.helps.push_back(fmt::format("for example `{}: {}`", field.key, field.example));
  }
}

bool ObjectReader::suggested(std::string_view key) const {
  return std::ranges::find(suggested_, key) != suggested_.end();
}

void report_unknown_names(const std::vector<const YamlEntry*>& unknown, const std::string& what,
                          const std::string& code, const std::vector<std::string>& known,
                          std::vector<std::string>& absent, Diagnostics& diagnostics) {
  const bool certain = unknown.size() == 1 && absent.size() == 1;  // the one must be the other
  for (const YamlEntry* entry : unknown) {
    const std::string name = entry->key.empty() ? "the empty word" : in_backticks(entry->key);
    Diagnostic& error = diagnostics.error(code, fmt::format("{} is not a {}", name, what));
    error.labels.push_back({entry->key_span, "unknown"});
    std::optional<std::string> meant = certain ? absent.front() : nearest(entry->key, absent);
    if (!meant) meant = nearest(entry->key, known);
    // Any letter is near any other; only its case says that it was meant.
    if (meant && meant->size() == 1 && entry->key.size() == 1 &&
        std::ranges::find(absent, *meant) == absent.end() &&
        edit_distance(*meant, entry->key) > 1) {
      meant.reset();
    }
    if (meant) {
      error.helps.push_back(did_you_mean(*meant));
      std::erase(absent, *meant);
    } else if (!known.empty()) {
      error.notes.push_back("known: " + join_names(known, "and"));
    }
  }
}

}  // namespace tilewright
