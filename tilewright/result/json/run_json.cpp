// SPDX-License-Identifier: Apache-2.0
#include "tilewright/result/json/run_json.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "tilewright/base/sha256.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

// A list of lines, so that people can read it and compare it line by line.
Json lines_json(std::string_view text) {
  Json lines = Json::array();
  while (true) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

void add_run(const RunRecord& run, Json& root) {
  if (run.command.empty()) return;
  Json options = Json::object();
  for (const auto& [name, value] : run.options) {
    std::visit([&, &key = name](const auto& plain) { options[key] = plain; }, value);
  }
  Json inputs = Json::array();
  for (const auto& input : run.inputs) {
    inputs.push_back({{"name", input->name},
                      {"sha256", sha256(input->text)},
                      {"text", lines_json(input->text)}});
  }
  root["run"] = {{"command", run.command},
                 {"options", options},
                 {"repeatable", run.repeatable},
                 {"inputs", inputs}};
}

}  // namespace tilewright
