// SPDX-License-Identifier: Apache-2.0
#include "tilewright/flexibility/answer/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "tilewright/base/error.h"
#include "tilewright/base/version.h"
#include "tilewright/flexibility/answer/words.h"
#include "tilewright/format/json_text.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

std::string count_cell(const ChoiceCount& count) {
  if (count.is_exact) return power_text(count.exact);
  return fmt::format("{} +- {}", significant_text(count.estimate, 3),
                     significant_text(count.half_width, 1));
}

/// The text of one answer.
class Writer {
 public:
  Writer(const FlexAnswer& answer, const TextOptions& options)
      : answer_(answer), options_(options) {}

  std::string text(bool layers) {
    const Degrees& supports = answer_.flexibility.supports;
    std::string result =
        title_text(fmt::format("{} on {}: class {}", answer_.network.name, answer_.arch.name(),
                               flex_class(answer_.flexibility, supports)),
                   options_);
    result += wrap_words("",
                         fmt::format("{}; {} in {}.", degrees_text(supports),
                                     answer_.objective.name, space_name(answer_.space)),
                         options_.width) +
              "\n";
    result += flexion_table() + "\n" + worth_table() + "\n";
    result += wrap_words("", flex_verdict(answer_), options_.width);
    if (has_classes(answer_)) result += "\n" + class_table();
    if (layers) result += "\n" + layer_table();
    return result;
  }

 private:
  std::string flexion_table() const {
    Table table({{"", Table::Align::kLeft, 0},
                 {"degree", Table::Align::kLeft},
                 {"choices"},
                 {"of"},
                 {"H-F"},
                 {"W-F, mean"}});
    if (answer_.flexion.empty()) return "";
    const auto add = [&](std::string name, std::string degree, const auto& spaces) {
      const MapSpaces& first = spaces(answer_.flexion.front());
      table.add_row({std::move(name), std::move(degree), count_cell(first.accelerator),
                     count_cell(first.hardware), significant_text(first.hardware_flexion(), 2),
                     significant_text(flexion_mean(answer_,
                                                   [&](const Flexion& one) {
                                                     return spaces(one).workload_flexion();
                                                   }),
                                      2)});
    };
    for (const FlexAxis axis : kAllFlexAxes) {
      add(std::string(flex_axis_name(axis)),
          std::string(degree_name(answer_.flexibility.supports[axis])),
          [&](const Flexion& one) -> const MapSpaces& { return one[axis]; });
    }
    add("all", "", [](const Flexion& one) -> const MapSpaces& { return one.joint; });
    return table.text(options_);
  }

  // How much less it costs than the accelerator as it is.
  std::string gain_cell(const WorthRow& row) const {
    const WorthRow& now = row_of(answer_, answer_.flexibility.supports);
    if (row.status > Status::kNotProved || now.status > Status::kNotProved) return "";
    return fmt::format("{:.3f}", row.score / now.score);
  }

  // Of an accelerator that varies nothing.
  std::string added_area_cell(const Degrees& degrees) const {
    const FlexCosts costs = costs_of(answer_.flexibility, answer_.arch);
    return added_share_text(added_area_um2(costs, degrees) / costs.base_um2);
  }

  std::string worth_table() const {
    Table table({{"", Table::Align::kLeft, 0},
                 {"class", Table::Align::kLeft},
                 {answer_.objective.name},
                 {"relative"},
                 {"area"},
                 {"", Table::Align::kLeft}});
    const auto add = [&](std::string name, const Degrees& degrees) {
      const WorthRow& row = row_of(answer_, degrees);
      table.add_row({std::move(name), flex_class(answer_.flexibility, degrees),
                     score_text(answer_, row), gain_cell(row), added_area_cell(degrees),
                     std::string(status_name(row.status))});
    };
    const Degrees& supports = answer_.flexibility.supports;
    add("as it is", supports);
    for (const FlexAxis axis : kAllFlexAxes) {
      for (const Degree degree : {Degree::kFixed, Degree::kPartial, Degree::kFull}) {
        if (degree == supports[axis]) continue;
        if (degree == Degree::kPartial && !has_partial(answer_.flexibility, axis)) continue;
        add(fmt::format("{} {}", flex_axis_name(axis), degree_name(degree)),
            with_degree(supports, axis, degree));
      }
    }
    add("all fixed", all_degrees(Degree::kFixed));
    add("all full", all_degrees(Degree::kFull));
    return table.text(options_);
  }

  std::string class_table() const {
    Table table({{"class", Table::Align::kLeft, 0},
                 {answer_.objective.name},
                 {"relative"},
                 {"", Table::Align::kLeft}});
    for (const Degrees& degrees : class_rows(answer_.flexibility)) {
      const WorthRow& row = row_of(answer_, degrees);
      const bool partial = degrees == all_degrees(Degree::kPartial);
      table.add_row({flex_class(answer_.flexibility, degrees) + (partial ? " partial" : ""),
                     score_text(answer_, row), gain_cell(row),
                     std::string(status_name(row.status))});
    }
    return table.text(options_);
  }

  std::string layer_table() const {
    std::vector<Table::Column> columns = {{"layer", Table::Align::kLeft, 0}, {"runs"}};
    for (const char* axis : {"W-F T", "O", "P", "S"}) columns.push_back({axis});
    columns.push_back({answer_.objective.name});
    columns.push_back({"all full"});
    Table table(columns);
    const WorthRow& now = row_of(answer_, answer_.flexibility.supports);
    const WorthRow& full = row_of(answer_, all_degrees(Degree::kFull));
    for (std::size_t l = 0; l < answer_.flexion.size(); ++l) {
      const FlexNetworkLayer& layer = answer_.worth.layers[l];
      std::vector<std::string> cells = {answer_.network.layers[layer.layer].name,
                                        count_text(static_cast<std::int64_t>(layer.runs))};
      for (const MapSpaces& spaces : answer_.flexion[l].axes) {
        cells.push_back(significant_text(spaces.workload_flexion(), 2));
      }
      for (const WorthRow* row : {&now, &full}) {
        const LayerOptimum& optimum = row->layers[l];
        cells.push_back(optimum.best ? si_text(optimum.best->score, "", 4) : "no mapping");
      }
      table.add_row(std::move(cells));
    }
    return table.text(options_);
  }

  const FlexAnswer& answer_;
  const TextOptions& options_;
};

Json count_json(const ChoiceCount& count) {
  if (count.is_exact) return count.exact.to_string();
  return {{"estimate", count.estimate}, {"half_width", count.half_width}};
}

Json spaces_json(const MapSpaces& spaces) {
  return {{"hardware", count_json(spaces.hardware)},
          {"accelerator", count_json(spaces.accelerator)},
          {"workload", count_json(spaces.workload)},
          {"hardware_workload", count_json(spaces.hardware_workload)},
          {"accelerator_workload", count_json(spaces.accelerator_workload)},
          {"hardware_flexion", spaces.hardware_flexion()},
          {"workload_flexion", spaces.workload_flexion()}};
}

Json flexion_json(const Flexion& flexion) {
  Json json;
  for (const FlexAxis axis : kAllFlexAxes) {
    json[std::string(flex_axis_name(axis))] = spaces_json(flexion[axis]);
  }
  json["joint"] = spaces_json(flexion.joint);
  return json;
}

Json row_json(const FlexAnswer& answer, const WorthRow& row) {
  Json json;
  for (const FlexAxis axis : kAllFlexAxes) {
    json[std::string(flex_axis_name(axis))] = degree_name(row.degrees[axis]);
  }
  json["class"] = flex_class(answer.flexibility, row.degrees);
  json["added_um2"] = added_area_um2(costs_of(answer.flexibility, answer.arch), row.degrees);
  json["status"] = status_name(row.status);
  json["score"] = row.score;
  json["bound"] = row.bound;
  json["energy_pj"] = row.energy_pj;
  json["cycles"] = row.cycles;
  for (const LayerOptimum& optimum : row.layers) {
    Json layer = {{"status", status_name(optimum.status)},
                  {"configurations", optimum.configurations}};
    if (optimum.best) {
      layer["score"] = optimum.best->score;
      layer["energy_pj"] = optimum.best->evaluation.energy_pj;
      layer["cycles"] = optimum.best->evaluation.cycles;
    }
    json["layers"].push_back(std::move(layer));
  }
  return json;
}

}  // namespace

FlexAnswer find_flex_answer(const Flexibility& flexibility, const Arch& arch,
                            const Network& network, bool classes, const WorthOptions& options) {
  std::vector<Degrees> rows = isolation_rows(flexibility);
  if (classes) {
    for (const Degrees& degrees : class_rows(flexibility)) {
      if (std::ranges::find(rows, degrees) == rows.end()) rows.push_back(degrees);
    }
  }
  FlexAnswer answer{flexibility,
                    arch,
                    network,
                    options.objective,
                    options.space,
                    find_worth(flexibility, arch, network, rows, options),
                    {}};
  for (const FlexNetworkLayer& layer : answer.worth.layers) {
    answer.flexion.push_back(
        find_flexion(flexibility, flexibility.supports, Problem(layer.workload, arch)));
  }
  return answer;
}

const WorthRow& row_of(const FlexAnswer& answer, const Degrees& degrees) {
  const auto found = std::ranges::find(answer.worth.rows, degrees, &WorthRow::degrees);
  TW_CHECK(found != answer.worth.rows.end(), "only rows that were asked for");
  return *found;
}

std::string score_text(const FlexAnswer& answer, const WorthRow& row) {
  if (row.status > Status::kNotProved) return "no mapping";
  return answer.objective.name == "energy" ? energy_text(row.score) : si_text(row.score, "", 4);
}

std::string flex_verdict(const FlexAnswer& answer) {
  const WorthRow& now = row_of(answer, answer.flexibility.supports);
  if (now.status > Status::kNotProved) {
    return "The accelerator cannot run all layers as it is.";
  }
  std::vector<std::pair<double, std::string>> gains;
  for (const FlexAxis axis : kAllFlexAxes) {
    if (answer.flexibility.supports[axis] == Degree::kFull) continue;
    const WorthRow& row =
        row_of(answer, with_degree(answer.flexibility.supports, axis, Degree::kFull));
    gains.emplace_back(1 - row.score / now.score, what_is_freed(axis));
  }
  if (gains.empty()) return "Nothing is left to free.";
  std::ranges::stable_sort(gains, std::greater{}, [](const auto& gain) { return gain.first; });
  std::vector<std::string> parts;
  for (const auto& [share, name] : gains) {
    parts.push_back(fmt::format("{} {}", name, percent_text(share)));
  }
  parts.front() = fmt::format("Freeing {} is worth {} on {}", gains.front().second,
                              percent_text(gains.front().first), answer.network.name);
  return fmt::format("{} ({}).", fmt::join(parts, ", "), answer.objective.name);
}

bool has_classes(const FlexAnswer& answer) {
  return std::ranges::all_of(class_rows(answer.flexibility), [&](const Degrees& degrees) {
    return std::ranges::find(answer.worth.rows, degrees, &WorthRow::degrees) !=
           answer.worth.rows.end();
  });
}

double flexion_mean(const FlexAnswer& answer, const std::function<double(const Flexion&)>& figure) {
  double sum = 0;
  double runs = 0;
  for (std::size_t l = 0; l < answer.flexion.size(); ++l) {
    sum += answer.worth.layers[l].runs * figure(answer.flexion[l]);
    runs += answer.worth.layers[l].runs;
  }
  return runs == 0 ? 0 : sum / runs;
}

std::string flex_text(const FlexAnswer& answer, bool layers, const TextOptions& options) {
  return Writer(answer, options).text(layers);
}

std::string flex_json(const FlexAnswer& answer) {
  Json json = {{"tilewright", program_version()},
               {"network", answer.network.name},
               {"arch", answer.arch.name()},
               {"class", flex_class(answer.flexibility, answer.flexibility.supports)},
               {"objective", answer.objective.name},
               {"space", space_name(answer.space)},
               {"base_um2", costs_of(answer.flexibility, answer.arch).base_um2}};
  for (std::size_t l = 0; l < answer.flexion.size(); ++l) {
    const FlexNetworkLayer& layer = answer.worth.layers[l];
    json["layers"].push_back({{"name", answer.network.layers[layer.layer].name},
                              {"runs", layer.runs},
                              {"flexion", flexion_json(answer.flexion[l])}});
  }
  for (const WorthRow& row : answer.worth.rows) json["rows"].push_back(row_json(answer, row));
  return json_text(json);
}

}  // namespace tilewright
