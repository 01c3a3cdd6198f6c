// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/input/validators.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/evaluation/objective.h"

namespace tilewright {

CLI::Validator one_of(std::vector<std::string> names) {
  const auto check = [names = std::move(names)](const std::string& word) -> std::string {
    if (std::ranges::find(names, word) != names.end()) return {};
    const auto meant = nearest(word, names);
    return in_backticks(word) + " is not one of " + join_names(names, "and") +
           (meant ? "; did you mean `" + *meant + "`?" : "");
  };
  return {check, ""};
}

CLI::Validator an_objective() {
  const auto check = [](const std::string& text) -> std::string {
    std::string why;
    return parse_objective(text, why) ? "" : why;
  };
  return {check, ""};
}

std::string objective_names() {
  std::string names;
  for (const NamedObjective& named : named_objectives()) {
    names += (names.empty() ? "" : "|") + named.name;
  }
  return names;
}

CLI::Validator a_count() {
  const auto check = [](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stop == end) return {};
    if (error == std::errc::result_out_of_range) return in_backticks(text) + " is too large";
    return in_backticks(text) + " is not a whole number from 0 up";
  };
  return {check, ""};
}

CLI::Validator a_mapping_file() {
  const auto check = [](const std::string& path) -> std::string {
    if (ends_with_ignoring_case(path, ".nest") || ends_with_ignoring_case(path, ".yaml")) return {};
    return in_backticks(path) + " ends in neither `.nest` (text) nor `.yaml`";
  };
  return {check, ""};
}

void add_placement(CLI::App& command, std::string& placement) {
  command
      .add_option("--placement", placement,
                  "uneven: memories may keep their tensors at different points of the nest, which "
                  "helps where a buffer is tight and takes longer; uneven@GLB: only this memory")
      ->option_text("even|uneven|uneven@MEMORY");
}

void add_memory(CLI::App& command, std::string& memory) {
  command
      .add_option("--memory", memory,
                  "stop searching once the program occupies this much memory (4GiB, 500MB); three "
                  "quarters of the machine's memory if not given")
      ->option_text("SIZE");
}

void add_conventions(CLI::App& command, Conventions& conventions) {
  command.add_flag("--holes-are-data", conventions.holes_are_data,
                   "count the holes in strided input tiles as data, as Timeloop does");
  command.add_flag("--drains-are-reads", conventions.drains_are_reads,
                   "charge a read for sending a finished tile outwards");
}

}  // namespace tilewright
