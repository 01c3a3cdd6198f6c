// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/settings.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tilewright/base/text/printable.h"

namespace tilewright {
namespace {

constexpr std::size_t kMostSettings = 12;

std::string option_text(const RunRecord& run, const std::string& name) {
  const auto it = run.options.find(name);
  if (it == run.options.end()) return "";
  const OptionValue& value = it->second;
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "no";
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return fmt::format("{}", fmt::join(std::get<std::vector<std::string>>(value), "; "));
}

}  // namespace

void SettingsDiff::add(const std::string& what, const std::string& before,
                       const std::string& after) {
  if (before != after) different.push_back({what, before, after});
}

SettingsDiff compare_runs(const RunRecord& before, const std::string& before_version,
                          const RunRecord& after, const std::string& after_version) {
  SettingsDiff result;
  if (before.command == after.command) result.same.push_back("command " + before.command);
  result.add("command", before.command, after.command);
  result.add("version", before_version, after_version);
  std::set<std::string> names;
  for (const RunRecord* run : {&before, &after}) {
    for (const auto& [name, value] : run->options) names.insert(name);
  }
  for (const std::string& name : names) {
    const std::string left = option_text(before, name);
    const std::string right = option_text(after, name);
    if (left == right) {
      result.same.push_back("--" + name + (left == "yes" ? "" : " " + left));
    } else {
      result.add("--" + name, left, right);
    }
  }
  return result;
}

std::string settings_text(const SettingsDiff& settings, const TextOptions& options) {
  const auto line = [&](const char* head, const std::string& words) {
    return wrap_words(pad_right(paint(head, Style::kHeading, options), 8), words, options.width);
  };
  std::string result;
  std::size_t shown = 0;
  for (const SettingDifference& setting : settings.different) {
    if (++shown > kMostSettings) break;
    const auto value = [&](const std::string& text) {
      return text.empty() ? "not given" : clip(printable(text), 60, options);
    };
    result +=
        line(shown == 1 ? "differ" : "", fmt::format("{}: {} -> {}", printable(setting.what),
                                                     value(setting.before), value(setting.after)));
  }
  if (settings.different.size() > kMostSettings) {
    result += line("", fmt::format("and {} more", settings.different.size() - kMostSettings));
  }
  if (settings.same.empty()) return result;
  return result + line("same", printable(fmt::format("{}", fmt::join(settings.same, ", "))));
}

void add_settings(const SettingsDiff& settings, nlohmann::ordered_json& root) {
  root["same"] = settings.same;
  root["settings"] = nlohmann::ordered_json::array();
  for (const SettingDifference& setting : settings.different) {
    root["settings"].push_back(
        {{"what", setting.what}, {"before", setting.before}, {"after", setting.after}});
  }
}

}  // namespace tilewright
