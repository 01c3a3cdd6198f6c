// SPDX-License-Identifier: Apache-2.0
#include "tilewright/zigzag/fields.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "tilewright/base/text/printable.h"

namespace tilewright::zigzag {
namespace {

template <typename Number>
std::optional<Number> parse(const YamlNode& node) {
  if (!node.is_scalar() || node.quoted) return std::nullopt;
  Number number{};
  const char* const end = node.text.data() + node.text.size();
  const auto [at, error] = std::from_chars(node.text.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

}  // namespace

void Fields::wrong(const Span& place, const std::string& message, const std::string& label) const {
  diagnostics_.error("Z0001", message).labels.push_back({place, label});
}

const YamlNode* Fields::find(const char* key, bool required) const {
  const YamlEntry* entry = map_.find(key);
  if (entry != nullptr && !entry->value.is_null()) return &entry->value;
  if (required) wrong(place_, fmt::format("{} has no `{}`", what_, key), "");
  return nullptr;
}

std::string Fields::text(const char* key, bool required) const {
  const YamlNode* node = find(key, required);
  if (node == nullptr) return "";
  if (node->is_scalar()) return node->text;
  wrong(node->span, fmt::format("`{}` of {} is {}, not a text", key, what_, describe(*node)), "");
  return "";
}

std::vector<std::string> Fields::texts(const char* key, bool required) const {
  std::vector<std::string> result;
  const YamlNode* node = find(key, required);
  if (node == nullptr) return result;
  if (!node->is_list()) {
    wrong(node->span, fmt::format("`{}` of {} is {}, not a list", key, what_, describe(*node)), "");
    return result;
  }
  for (const YamlNode& item : node->items) {
    if (item.is_scalar()) {
      result.push_back(item.text);
    } else {
      wrong(item.span, fmt::format("`{}` of {} holds {}", key, what_, describe(item)), "");
    }
  }
  return result;
}

std::vector<std::int64_t> Fields::counts(const char* key) const {
  std::vector<std::int64_t> result;
  const YamlNode* node = find(key);
  if (node == nullptr) return result;
  for (const YamlNode& item : node->items) {
    const auto value = parse<std::int64_t>(item);
    if (value && *value >= 1) {
      result.push_back(*value);
    } else {
      wrong(item.span,
            fmt::format("`{}` of {} holds {}, not a whole number from 1 up", key, what_,
                        describe(item)),
            "");
    }
  }
  return result;
}

std::optional<std::int64_t> Fields::count(const char* key, bool required) const {
  const YamlNode* node = find(key, required);
  if (node == nullptr) return std::nullopt;
  const auto value = parse<std::int64_t>(*node);
  if (value && *value >= 0) return value;
  wrong(node->span,
        fmt::format("`{}` of {} is {}, not a whole number", key, what_, describe(*node)), "");
  return std::nullopt;
}

std::optional<double> Fields::number(const char* key, bool required) const {
  const YamlNode* node = find(key, required);
  if (node == nullptr) return std::nullopt;
  const auto value = parse<double>(*node);
  if (value && std::isfinite(*value) && *value >= 0) return value;
  wrong(node->span,
        fmt::format("`{}` of {} is {}, not a number from 0 up", key, what_, describe(*node)), "");
  return std::nullopt;
}

bool Fields::flag(const char* key) const {
  const YamlNode* node = find(key, false);
  return node != nullptr && (node->text == "true" || node->text == "True");
}

}  // namespace tilewright::zigzag
