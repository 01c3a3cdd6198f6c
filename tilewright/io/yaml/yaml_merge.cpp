// SPDX-License-Identifier: Apache-2.0
#include "tilewright/io/yaml/yaml_merge.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {

TreeSize measure_tree(const YamlNode& node) {
  TreeSize size;
  const auto add = [&](const YamlNode& child, int keys) {
    const TreeSize part = measure_tree(child);
    size.depth = std::max(size.depth, part.depth);
    size.nodes += part.nodes + keys;
  };
  for (const YamlNode& item : node.items) add(item, 0);
  for (const YamlEntry& entry : node.entries) add(entry.value, 1);
  if (node.is_map() || node.is_list()) ++size.depth;
  return size;
}

void merge_keys(YamlNode& map, Diagnostics& diagnostics) {
  const auto found = std::ranges::find(map.entries, "<<", &YamlEntry::key);
  if (found == map.entries.end()) return;
  YamlNode source = std::move(found->value);
  map.entries.erase(found);
  std::vector<YamlNode> maps;
  if (source.is_list()) {
    maps = std::move(source.items);
  } else {
    maps.push_back(std::move(source));
  }
  std::set<std::string> keys;
  for (const YamlEntry& entry : map.entries) keys.insert(entry.key);
  for (YamlNode& one : maps) {
    if (!one.is_map()) {
      diagnostics.error("F0012", "`<<` takes over the keys of a map; this is " + describe(one))
          .labels.push_back({one.span, "not a map"});
      continue;
    }
    for (YamlEntry& entry : one.entries) {
      if (keys.insert(entry.key).second) map.entries.push_back(std::move(entry));
    }
  }
}

}  // namespace tilewright
