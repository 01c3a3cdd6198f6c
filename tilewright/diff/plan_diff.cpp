// SPDX-License-Identifier: Apache-2.0
#include "tilewright/diff/plan_diff.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

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

// Those that differ, the largest change first.
std::vector<LayerDifference> find_layers(const SavedPlan& before, const SavedPlan& after,
                                         std::size_t& equal) {
  std::vector<LayerDifference> all;
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
  std::erase_if(all, [](const LayerDifference& layer) { return layer.same(); });
  equal -= all.size();
  std::ranges::stable_sort(all, std::greater<>{}, [](const LayerDifference& layer) {
    return std::abs(layer.change_pj());
  });
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
SettingsDiff find_settings(const PlanSide& before, const PlanSide& after) {
  SettingsDiff result =
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
      result.different.push_back({"text of " + input.name, "one", "another"});
    } else {
      result.same.push_back(input.what + " " + input.name);
    }
  }
  // One that is there for another of its kind.
  for (const Input& input : gone) {
    const std::optional<Input> other =
        take([&](const Input& candidate) { return candidate.what == input.what; });
    result.different.push_back({input.what, input.name, other ? other->name : ""});
  }
  for (const Input& input : right) result.different.push_back({input.what, "", input.name});
  return result;
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

PlanDiff find_differences(const PlanSide& before, const PlanSide& after) {
  PlanDiff diff{.settings = find_settings(before, after)};
  diff.layers = find_layers(before.plan, after.plan, diff.equal);
  return diff;
}

}  // namespace tilewright
