// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/constraints/names_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/io/yaml/fault.h"

namespace tilewright::timeloop {
namespace {

bool has(const std::vector<std::string>& list, const std::string& name) {
  return std::ranges::find(list, name) != list.end();
}

}  // namespace

std::vector<PlacedName> read_names(const YamlNode& node, const std::string& where,
                                   const std::vector<std::string>& all, Diagnostics& diagnostics) {
  std::vector<PlacedName> names;
  const auto add = [&](const std::string& name, const Span& span) {
    if (name != "*") {
      names.push_back({name, span});
      return;
    }
    for (const std::string& each : all) names.push_back({each, span});
  };
  if (node.is_scalar()) {
    const std::string& text = node.text;
    std::size_t begin = text.find_first_not_of(" ,");
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find_first_of(" ,", begin), text.size());
      add(text.substr(begin, end - begin), span_within(node, begin, end - begin));
      begin = text.find_first_not_of(" ,", end);
    }
    return names;
  }
  if (!node.is_list() && !node.is_null()) {
    diagnostics.error("F0012", fmt::format("{} is {}, not a list of names", where, describe(node)))
        .labels.push_back({node.span, ""});
    return names;
  }
  for (const YamlNode& item : node.items) {
    if (item.is_scalar()) {
      add(item.text, item.span);
      continue;
    }
    diagnostics.error("F0012", fmt::format("{} holds {}, not a name", where, describe(item)))
        .labels.push_back({item.span, ""});
  }
  return names;
}

std::vector<std::string> read_data_spaces(const YamlNode& node, const std::string& where,
                                          const std::vector<std::string>& all,
                                          Diagnostics& diagnostics) {
  std::vector<std::string> result;
  for (const PlacedName& name : read_names(node, where, all, diagnostics)) {
    if (!all.empty() && !has(all, name.name)) {
      Diagnostic& error = diagnostics.error(
          "T0010", fmt::format("the problem has no data space {}", in_backticks(name.name)));
      error.labels.push_back({name.span, "in " + where});
      if (const auto near = nearest(name.name, all)) {
        error.helps.push_back("did you mean `" + *near + "`?");
      }
      continue;
    }
    if (!has(result, name.name)) result.push_back(name.name);
  }
  return result;
}

KeptSpaces read_kept_spaces(const YamlNode& node, const std::string& where,
                            const std::vector<std::string>& all, Diagnostics& diagnostics) {
  KeptSpaces spaces;
  const auto take = [&](const char* key, std::vector<std::string>& listed,
                        std::vector<std::string>* others) {
    const YamlEntry* entry = node.find(key);
    if (entry == nullptr) return;
    const auto names =
        read_data_spaces(entry->value, fmt::format("`{}` of {}", key, where), all, diagnostics);
    for (const std::string& name : names) {
      if (!has(listed, name)) listed.push_back(name);
    }
    if (others == nullptr) return;
    for (const std::string& name : all) {
      if (!has(names, name) && !has(*others, name)) others->push_back(name);
    }
  };
  take("keep", spaces.keep, nullptr);
  take("bypass", spaces.bypass, nullptr);
  take("keep_only", spaces.keep, &spaces.bypass);
  take("bypass_only", spaces.bypass, &spaces.keep);
  for (const std::string& name : spaces.keep) {
    if (!has(spaces.bypass, name)) continue;
    diagnostics
        .error("T0010", fmt::format("{} keeps {} and bypasses it", where, in_backticks(name)))
        .labels.push_back({node.span, ""});
  }
  return spaces;
}

}  // namespace tilewright::timeloop
