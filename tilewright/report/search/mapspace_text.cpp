// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/search/mapspace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tilewright/format/json_text.h"
#include "tilewright/format/number_text.h"
#include "tilewright/report/search/constraint_json.h"

namespace tilewright {
namespace {

using Align = Table::Align;

std::string title(const Problem& problem) {
  return fmt::format("{} on {}", problem.workload().name(), problem.arch().name());
}

std::string space_note(const SpaceSize& size) {
  if (size.sizes == 1) return "";
  return fmt::format("over {} sizes", count_text(size.sizes));
}

std::string not_counted(const SpaceSize& size) {
  return fmt::format("{}     has {} choices of sizes: `--space {}` counts them all", size.space,
                     count_text(size.sizes), size.space);
}

std::string spaces_table(std::span<const SpaceSize> spaces, const TextOptions& options) {
  Table table({{"space", Align::kLeft, 0},
               {"tilings", Align::kRight},
               {"on the array", Align::kRight},
               {"bypass", Align::kRight},
               {"mappings", Align::kRight},
               {"", Align::kLeft}});
  for (const SpaceSize& size : spaces) {
    if (!size.counted) {
      table.add_line(not_counted(size));
      continue;
    }
    table.add_row({paint(size.space, Style::kMemory, options), power_text(size.tilings),
                   power_text(size.assignments), power_text(size.keeps),
                   paint(power_text(size.mappings), Style::kBold, options), space_note(size)});
  }
  return table.text(options);
}

std::string exact_lists(std::span<const SpaceSize> spaces, const TextOptions& options) {
  std::string result;
  for (const SpaceSize& size : spaces) {
    result += result.empty() ? "" : "\n";
    if (!size.counted) {
      result += not_counted(size) + "\n";
      continue;
    }
    result += paint(size.space, Style::kMemory, options);
    result += size.sizes == 1 ? "\n" : " " + space_note(size) + "\n";
    result += "  tilings       " + count_text(size.tilings) + "\n";
    result += "  on the array  " + count_text(size.assignments) + "\n";
    result += "  bypass        " + count_text(size.keeps) + "\n";
    result += "  mappings      " + count_text(size.mappings) + "\n";
  }
  return result;
}

std::string orders_table(std::span<const BlockOrderSize> blocks, const TextOptions& options) {
  Table table({{"block of", Align::kLeft, 0}, {"orders", Align::kRight}, {"classes"}});
  for (const BlockOrderSize& block : blocks) {
    table.add_row({paint(block.memory, Style::kMemory, options), count_text(block.orders),
                   count_text(block.classes)});
  }
  return table.text(options);
}

// A path keeps its line: what is too long loses its folders.
std::string short_place(const std::string& place, int width, const TextOptions& options) {
  if (display_width(place) <= width || options.wide) return place;
  return clip(place.substr(place.find_last_of('/') + 1), width, options);
}

}  // namespace

std::string effect_text(const NamedEffect& effect) {
  const auto& [with, without] = effect.effect;
  if (with == without) return "not binding: no effect on this layer";
  if (with.is_zero()) return "leaves nothing of the space";
  const double rest = with.to_double() / without.to_double();
  if (rest > 0.001) return fmt::format("removes {} of the space", percent_text(1 - rest));
  return "leaves 1 in " + power_text(without.divide(with).quotient);
}

std::string constraints_text(const std::string& space, std::span<const NamedEffect> effects,
                             const TextOptions& options) {
  if (effects.empty()) return "";
  constexpr int kPlace = 24;
  std::string result =
      paint("constraints", Style::kHeading, options) +
      fmt::format(", and how much of {} each removes with the others in place\n", space);
  int width = 0;
  int words = 0;
  for (const NamedEffect& effect : effects) {
    width = std::max(width, display_width(short_place(effect.place, kPlace, options)));
    words = std::max(words, display_width(effect.text));
  }
  words = std::min(words, 24);
  for (const NamedEffect& effect : effects) {
    const std::string place = pad_right(short_place(effect.place, kPlace, options), width);
    const std::string text = effect_text(effect);
    const bool fits = display_width(effect.text) <= words;
    const std::string head = "  " + paint(place, Style::kDim, options) + "  ";
    if (fits) {
      result += wrap_words(head + pad_right(effect.text, words) + "  ", text, options.width);
    } else {
      result += wrap_words(head, effect.text, options.width);
      result += wrap_words(std::string(static_cast<std::size_t>(width + words + 6), ' '), text,
                           options.width);
    }
  }
  return result;
}

std::string sizes_text(const Problem& problem, const MapspaceSizes& sizes, bool exact,
                       const TextOptions& options) {
  std::string result =
      paint(clip(title(problem), options.width - 27, options), Style::kHeading, options) +
      ": number of mappings\n";
  result += exact ? exact_lists(sizes.spaces, options) : spaces_table(sizes.spaces, options);
  if (!sizes.blocks.empty()) {
    result += "\n" + paint("loop orders", Style::kHeading, options) +
              " if every dim is split; orders of one class cost the same\n" +
              orders_table(sizes.blocks, options);
  }
  if (!sizes.effects.empty()) {
    result += "\n" + constraints_text(sizes.constrained, sizes.effects, options);
  }
  return result;
}

nlohmann::ordered_json constraints_json(std::span<const NamedEffect> effects) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const NamedEffect& effect : effects) {
    list.push_back({{"place", effect.place},
                    {"constraint", effect.text},
                    {"size_with", effect.effect.with.to_string()},
                    {"size_without", effect.effect.without.to_string()}});
  }
  return list;
}

std::string sizes_json(const Problem& problem, const MapspaceSizes& sizes,
                       const std::string& version) {
  using Json = nlohmann::ordered_json;
  Json root;
  root["tilewright"] = {{"version", version}, {"schema", 1}};
  root["workload"] = problem.workload().name();
  root["arch"] = problem.arch().name();
  root["spaces"] = Json::array();
  for (const SpaceSize& size : sizes.spaces) {
    if (!size.counted) {
      root["spaces"].push_back({{"space", size.space}, {"sizes", size.sizes}});
      continue;
    }
    root["spaces"].push_back({{"space", size.space},
                              {"sizes", size.sizes},
                              {"tilings", size.tilings.to_string()},
                              {"assignments", size.assignments.to_string()},
                              {"keeps", size.keeps.to_string()},
                              {"mappings", size.mappings.to_string()}});
  }
  root["orders"] = Json::array();
  for (const BlockOrderSize& block : sizes.blocks) {
    root["orders"].push_back({{"memory", block.memory},
                              {"orders", block.orders.to_string()},
                              {"classes", block.classes.to_string()}});
  }
  root["constrained"] = {{"space", sizes.constrained},
                         {"constraints", constraints_json(sizes.effects)}};
  return json_text(root);
}

}  // namespace tilewright
