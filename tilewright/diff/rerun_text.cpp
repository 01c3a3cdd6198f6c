// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/rerun_text.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tilewright/base/text/printable.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersion = "tilewright.version";

// Its plain values by path, in the order of the file. An empty list or object is a value, too.
struct Flat {
  std::vector<std::string> order;
  std::map<std::string, std::string> values;
};

void flatten(const Json& json, const std::string& path, Flat& flat) {
  if (json.is_object() && !json.empty()) {
    for (const auto& [key, value] : json.items()) {
      flatten(value, path.empty() ? key : path + "." + key, flat);
    }
  } else if (json.is_array() && !json.empty()) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      flatten(json[i], fmt::format("{}[{}]", path, i), flat);
    }
  } else {
    flat.order.push_back(path);
    flat.values[path] = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

Flat flatten(std::string_view text) {
  Flat flat;
  flatten(Json::parse(text, nullptr, /*allow_exceptions=*/false), "", flat);
  return flat;
}

std::string value_at(const Flat& flat, const std::string& path) {
  const auto it = flat.values.find(path);
  return it == flat.values.end() ? "" : it->second;
}

std::string shown(const std::string& value, const TextOptions& options) {
  return value.empty() ? "nothing" : clip(printable(value), 20, options);
}

}  // namespace

RerunDifference compare_results(std::string_view before, std::string_view now) {
  const Flat left = flatten(before);
  const Flat right = flatten(now);
  RerunDifference difference;
  difference.bytes = now.size();
  difference.same_bytes = before == now;
  std::vector<std::string> paths = left.order;
  for (const std::string& path : right.order) {
    if (!left.values.contains(path)) paths.push_back(path);
  }
  difference.all = paths.size();
  for (const std::string& path : paths) {
    ValueDifference value{path, value_at(left, path), value_at(right, path)};
    if (value.before == value.now) continue;
    if (path == kVersion) {
      difference.same_version = false;
    } else {
      difference.values.push_back(std::move(value));
    }
  }
  return difference;
}

std::string rerun_text(const RerunDifference& difference, const TextOptions& options) {
  constexpr std::size_t kMostShown = 10;
  const std::string head = paint("rerun", Style::kHeading, options) + ": ";
  const auto bytes = static_cast<std::int64_t>(difference.bytes);
  const auto all = static_cast<std::int64_t>(difference.all);
  if (difference.same_bytes) {
    return head + paint("the same", Style::kGood, options) +
           fmt::format(" {} bytes\n", count_text(bytes));
  }
  if (difference.values.empty()) {
    return head + paint("the same", Style::kGood, options) +
           fmt::format(" {} values{}\n", count_text(all),
                       difference.same_version ? ", although the file is formatted differently"
                                               : "; only the program's version differs");
  }
  std::string text =
      head +
      paint(fmt::format("{} of {} values differ",
                        count_text(static_cast<std::int64_t>(difference.values.size())),
                        count_text(all)),
            Style::kBad, options) +
      "\n";
  Table table({{"", Table::Align::kLeft, 2}, {"in the file"}, {"now"}});
  for (const ValueDifference& value : difference.values) {
    if (&value == difference.values.data() + kMostShown) break;
    table.add_row({clip(printable(value.path), 34, options), shown(value.before, options),
                   shown(value.now, options)});
  }
  text += table.text(options);
  if (difference.values.size() > kMostShown) {
    text += fmt::format("  and {} more\n", difference.values.size() - kMostShown);
  }
  return text;
}

}  // namespace tilewright
