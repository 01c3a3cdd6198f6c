// SPDX-License-Identifier: Apache-2.0
#include "tilewright/timeloop/document/deep_merge.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::timeloop {
namespace {

// What `own` lacks comes from `base`.
void merge_into(YamlNode& own, YamlNode base) {
  if (own.tag == "!nomerge") return;
  if (own.is_list() && base.is_list()) {
    for (YamlNode& item : base.items) own.items.push_back(std::move(item));
    return;
  }
  if (!own.is_map() || !base.is_map()) return;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < own.entries.size(); ++i) places[own.entries[i].key] = i;
  for (YamlEntry& entry : base.entries) {
    const auto place = places.find(entry.key);
    if (place == places.end()) {
      own.entries.push_back(std::move(entry));
    } else {
      merge_into(own.entries[place->second].value, std::move(entry.value));
    }
  }
}

}  // namespace

void deep_merge(YamlNode& node, Diagnostics& diagnostics) {
  for (YamlNode& item : node.items) deep_merge(item, diagnostics);
  for (YamlEntry& entry : node.entries) deep_merge(entry.value, diagnostics);
  const auto found = std::ranges::find(node.entries, "<<<", &YamlEntry::key);
  if (found == node.entries.end()) return;
  YamlNode source = std::move(found->value);
  node.entries.erase(found);
  std::vector<YamlNode> maps;
  if (source.is_list()) {
    maps = std::move(source.items);
  } else {
    maps.push_back(std::move(source));
  }
  for (YamlNode& map : maps) {
    if (map.is_map()) {
      merge_into(node, std::move(map));
    } else {
      diagnostics.error("F0012", "`<<<` takes over the keys of a map; this is " + describe(map))
          .labels.push_back({map.span, "not a map"});
    }
  }
}

}  // namespace tilewright::timeloop
