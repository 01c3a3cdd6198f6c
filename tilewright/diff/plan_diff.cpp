// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/plan_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tilewright/base/text/printable.h"
#include "tilewright/diff/compare_text.h"
#include "tilewright/diff/diff_text.h"
#include "tilewright/format/json_text.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLayers = 20;

SavedPlan read_object(const Json& root) {
  SavedPlan saved;
  saved.network = root.at("network").get<std::string>();
  const Json& totals = root.at("totals");
  saved.energy_pj = totals.at("energy_pj").get<double>();
  saved.cycles = totals.at("cycles").get<double>();
  saved.utilization = totals.at("utilization").get<double>();
  saved.dram_bits = totals.at("dram_bits").get<double>();
  const Json& problems = root.at("problems");
  saved.proved = std::ranges::all_of(
      problems, [](const Json& problem) { return problem.at("proved").get<bool>(); });
  for (const Json& layer : root.at("layers")) {
    saved.layers.push_back({layer.at("name").get<std::string>(),
                            layer.at("count").get<std::int64_t>(),
                            layer.at("energy_pj").get<double>(), layer.at("cycles").get<double>(),
                            layer.value("bottleneck", "")});
  }
  return saved;
}

/// A layer of either plan by its name; a layer that one of them lacks costs nothing there.
struct LayerChange {
  SavedLayer before;
  SavedLayer after;

  double energy() const {
    return after.energy_pj * static_cast<double>(after.count) -
           before.energy_pj * static_cast<double>(before.count);
  }
  bool same() const {
    return before.energy_pj == after.energy_pj && before.cycles == after.cycles &&
           before.count == after.count;
  }
};

// Those that differ, the largest change first.
std::vector<LayerChange> find_changes(const SavedPlan& before, const SavedPlan& after,
                                      std::size_t& equal) {
  std::vector<LayerChange> all;
  const auto find = [](const SavedPlan& plan, const std::string& name) {
    const auto it = std::ranges::find(plan.layers, name, &SavedLayer::name);
    return it == plan.layers.end() ? SavedLayer{name, 0} : *it;
  };
  for (const SavedLayer& layer : before.layers) all.push_back({layer, find(after, layer.name)});
  for (const SavedLayer& layer : after.layers) {
    const SavedLayer old = find(before, layer.name);
    if (old.count == 0) all.push_back({old, layer});
  }
  equal = all.size();
  std::erase_if(all, [](const LayerChange& change) { return change.same(); });
  equal -= all.size();
  std::ranges::stable_sort(all, std::greater<>{},
                           [](const LayerChange& change) { return std::abs(change.energy()); });
  return all;
}

/// An input of a run by what it is: an architecture of the library by its name.
struct Input {
  std::string what;  ///< `arch`, `network`, or `input` for a file
  std::string name;
  const std::string* text = nullptr;
};

std::vector<Input> inputs_of(const PlanSide& side) {
  constexpr std::string_view kLibrary = "library:";
  std::vector<Input> result;
  for (const auto& input : side.file.run.inputs) {
    Input next{"input", input->name, &input->text};
    if (next.name.starts_with(kLibrary)) {
      next.name.erase(0, kLibrary.size());
      const bool arch =
          input->text.starts_with("arch:") || input->text.find("\narch:") != std::string::npos;
      next.what = arch ? "arch" : "network";
    }
    result.push_back(std::move(next));
  }
  return result;
}

// What was asked for; the inputs by their texts.
RunDifference find_settings(const PlanSide& before, const PlanSide& after) {
  RunDifference result =
      compare_runs(before.file.run, before.file.version, after.file.run, after.file.version);
  const std::vector<Input> left = inputs_of(before);
  std::vector<Input> right = inputs_of(after);
  const auto take = [&](const auto& wanted) -> std::optional<Input> {
    const auto found = std::ranges::find_if(right, wanted);
    if (found == right.end()) return std::nullopt;
    Input input = std::move(*found);
    right.erase(found);
    return input;
  };
  std::vector<Input> gone;
  for (const Input& input : left) {
    const auto same = [&](const Input& other) {
      return other.what == input.what && other.name == input.name;
    };
    const std::optional<Input> other = take(same);
    if (!other) {
      gone.push_back(input);
    } else if (*other->text != *input.text) {
      result.settings.push_back({"text of " + input.name, "one", "another"});
    } else {
      result.same.push_back(input.what + " " + input.name);
    }
  }
  // One that is there for another of its kind.
  for (const Input& input : gone) {
    const std::optional<Input> other =
        take([&](const Input& candidate) { return candidate.what == input.what; });
    result.settings.push_back({input.what, input.name, other ? other->name : ""});
  }
  for (const Input& input : right) result.settings.push_back({input.what, "", input.name});
  return result;
}

std::string totals_text(const PlanSide& before, const PlanSide& after, const TextOptions& options) {
  Table table({{"", Table::Align::kLeft, 2},
               {clip(printable(before.name), 20, options)},
               {clip(printable(after.name), 20, options)},
               {"ratio"}});
  const SavedPlan& left = before.plan;
  const SavedPlan& right = after.plan;
  const auto add = [&](const char* name, double old_value, double new_value, const auto& text) {
    table.add_row({paint(name, Style::kBold, options), text(old_value), text(new_value),
                   ratio_cell(old_value, new_value, options)});
  };
  add("energy", left.energy_pj, right.energy_pj, energy_text);
  add("cycles", left.cycles, right.cycles,
      [](double value) { return count_text(static_cast<std::int64_t>(std::llround(value))); });
  add("EDP", left.energy_pj * left.cycles, right.energy_pj * right.cycles,
      [](double value) { return si_text(value * 1e-12, "J*cycle"); });
  add("DRAM", left.dram_bits, right.dram_bits,
      [](double value) { return si_text(value / 8, "B"); });
  table.add_row({paint("utilization", Style::kBold, options), percent_text(left.utilization),
                 percent_text(right.utilization),
                 left.utilization == right.utilization
                     ? "same"
                     : ratio_text(right.utilization / left.utilization)});
  const auto word = [](bool proved) { return proved ? "proved" : "not proved"; };
  table.add_row({paint("best", Style::kBold, options), word(left.proved), word(right.proved),
                 left.proved == right.proved ? "same" : ""});
  return table.text(options);
}

}  // namespace

std::optional<SavedPlan> read_saved_plan(std::string_view json) {
  const Json root = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  try {
    return read_object(root);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string plan_diff_text(const PlanSide& before, const PlanSide& after,
                           const TextOptions& options) {
  const RunDifference run = find_settings(before, after);
  std::string result =
      settings_text(run.same, run.settings, options) + "\n" + totals_text(before, after, options);
  std::size_t equal = 0;
  const std::vector<LayerChange> changes = find_changes(before.plan, after.plan, equal);
  if (changes.empty()) return result + "  every layer costs the same\n";
  Table table({{"layer", Table::Align::kLeft, 2},
               {"runs"},
               {"energy"},
               {"->", Table::Align::kLeft},
               {"ratio"},
               {"cycles", Table::Align::kRight, 3},
               {"->", Table::Align::kLeft},
               {"ratio"}});
  for (const LayerChange& change : changes) {
    if (&change == changes.data() + kMostLayers) break;
    const SavedLayer& left = change.before;
    const SavedLayer& right = change.after;
    const auto cycles = [](double value) {
      return short_count_text(static_cast<std::int64_t>(std::llround(value)));
    };
    table.add_row({clip(printable(left.name), 16, options),
                   std::to_string(std::max(left.count, right.count)), energy_text(left.energy_pj),
                   energy_text(right.energy_pj),
                   ratio_cell(left.energy_pj, right.energy_pj, options), cycles(left.cycles),
                   cycles(right.cycles), ratio_cell(left.cycles, right.cycles, options)});
  }
  result +=
      "\n" + paint("layers", Style::kHeading, options) +
      paint(" one run of each, the largest change of the energy first", Style::kDim, options) +
      "\n" + table.text(options);
  if (changes.size() > kMostLayers) {
    result += fmt::format("  and {} more\n", changes.size() - kMostLayers);
  }
  if (equal > 0) {
    result += fmt::format("  {} with the same figures left out\n",
                          plural_text(static_cast<std::int64_t>(equal), "layer"));
  }
  return result;
}

std::string plan_diff_json(const PlanSide& before, const PlanSide& after,
                           const std::string& version) {
  const auto pair = [](const auto& left, const auto& right) {
    return Json{{"before", left}, {"after", right}};
  };
  const RunDifference run = find_settings(before, after);
  Json root;
  root["tilewright"] = {{"version", version}, {"schema", kResultSchema}};
  root["files"] = pair(before.name, after.name);
  root["same"] = run.same;
  root["settings"] = Json::array();
  for (const SettingDifference& setting : run.settings) {
    Json entry = {{"what", setting.what}};
    entry.update(pair(setting.before, setting.after));
    root["settings"].push_back(entry);
  }
  root["totals"] = {{"energy_pj", pair(before.plan.energy_pj, after.plan.energy_pj)},
                    {"cycles", pair(before.plan.cycles, after.plan.cycles)},
                    {"utilization", pair(before.plan.utilization, after.plan.utilization)},
                    {"dram_bits", pair(before.plan.dram_bits, after.plan.dram_bits)}};
  root["layers"] = Json::array();
  std::size_t equal = 0;
  for (const LayerChange& change : find_changes(before.plan, after.plan, equal)) {
    root["layers"].push_back({{"name", change.before.name},
                              {"count", pair(change.before.count, change.after.count)},
                              {"energy_pj", pair(change.before.energy_pj, change.after.energy_pj)},
                              {"cycles", pair(change.before.cycles, change.after.cycles)}});
  }
  return json_text(root);
}

}  // namespace tilewright
