// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/coverage_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tilewright/io/text.h"
#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

using Align = Table::Align;

constexpr Treatment kTreatments[] = {Treatment::kMapped, Treatment::kTraffic, Treatment::kNothing,
                                     Treatment::kIgnored};

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string headline(const Network& network, const Coverage& coverage, const TextOptions& options) {
  const CoverageRow all = coverage.total();
  const CoverageRow mapped = coverage.total(Treatment::kMapped);
  const CoverageRow ignored = coverage.total(Treatment::kIgnored);
  const NetworkTotals totals = network_totals(network);
  std::string result =
      paint(clip(printable(network.name), options.width / 2), Style::kHeading, options) +
      fmt::format(": {}, {} MACs, {} parameters\n", plural_text(all.nodes, "node"),
                  short_count_text(totals.computes), short_count_text(totals.parameters));
  result += fmt::format("{} of the arithmetic and {} of the bytes are mapped; ",
                        percent_text(share(mapped.operations, all.operations)),
                        percent_text(share(mapped.bits, all.bits)));
  if (ignored.nodes == 0) return result + "nothing is ignored\n";
  return result +
         paint(fmt::format("{} ignored", plural_text(ignored.nodes, "node")), Style::kWarning,
               options) +
         "\n";
}

// What costs nothing, in one line.
std::string names_of_nothing(const Coverage& coverage, const TextOptions& options) {
  std::vector<std::string> names;
  for (const CoverageRow& row : coverage.rows) {
    if (row.treatment != Treatment::kNothing) continue;
    names.push_back(fmt::format("{} {}", clip(printable(row.op), 30), count_text(row.nodes)));
  }
  if (names.empty()) return "";
  std::string result;
  for (const std::string& line : wrap_items(names, ", ", options.width - 9)) {
    result += (result.empty() ? paint("nothing  ", Style::kBold, options) : std::string(9, ' ')) +
              line + "\n";
  }
  return result;
}

std::string operators_table(const Coverage& coverage, const TextOptions& options) {
  const CoverageRow all = coverage.total();
  Table table({{"", Align::kLeft, 0},
               {"nodes"},
               {"arithmetic"},
               {"", Align::kRight, 1},
               {"bytes"},
               {"", Align::kRight, 1}});
  for (const Treatment treatment : kTreatments) {
    const CoverageRow sum = coverage.total(treatment);
    if (sum.nodes == 0 || treatment == Treatment::kNothing) continue;
    const auto add = [&](const std::string& name, const CoverageRow& row) {
      // From below: nobody knows what an ignored operator does with its elements.
      const char* least = treatment == Treatment::kIgnored ? ">= " : "";
      table.add_row({name, count_text(row.nodes), least + short_count_text(row.operations),
                     percent_text(share(row.operations, all.operations)), bits_text(row.bits),
                     percent_text(share(row.bits, all.bits))});
    };
    const Style style = treatment == Treatment::kIgnored ? Style::kWarning : Style::kBold;
    add(paint(treatment_name(treatment), style, options), sum);
    for (const CoverageRow& row : coverage.rows) {
      if (row.treatment == treatment) add("  " + clip(printable(row.op), 30), row);
    }
  }
  return table.text(options) + names_of_nothing(coverage, options);
}

// `m 64  c 3  p 112`; dims of size 1 say nothing.
std::string sizes_text(const Workload& workload) {
  std::string text;
  for (const Dim& dim : workload.dims()) {
    if (dim.size != 1) text += fmt::format("{}{}={}", text.empty() ? "" : " ", dim.name, dim.size);
  }
  return text;
}

// The end of a path tells more than its start.
std::string clip_start(const std::string& name, int width) {
  int rest = display_width(name);
  if (rest <= width) return name;
  std::size_t at = 0;
  for (; at < name.size() && rest >= width; --rest) at += decode_utf8(name, at).length;
  return "~" + name.substr(at);
}

std::string layers_table(const Network& network, const TextOptions& options) {
  const auto groups = equal_layers(network);
  const std::int64_t all = network_totals(network).computes;
  std::string result =
      paint("layers", Style::kHeading, options) +
      fmt::format(": {} to map, {} of them different\n", count_text(network_totals(network).runs),
                  count_text(static_cast<std::int64_t>(groups.size())));
  Table table({{"first of its kind", Align::kLeft, 0},
               {"times"},
               {"MACs each"},
               {"share"},
               {"sizes", Align::kLeft}});
  for (const std::vector<std::size_t>& group : groups) {
    const Layer& first = network.layers[group.front()];
    std::int64_t times = 0;
    for (const std::size_t layer : group) times += network.layers[layer].count;
    const std::int64_t each = first.workload->computes();
    table.add_row({clip_start(printable(first.name), 22), count_text(times), short_count_text(each),
                   percent_text(static_cast<double>(times) * share(each, all)),
                   clip(sizes_text(*first.workload), options.width - 50)});
  }
  return result + table.text(options);
}

}  // namespace

std::string coverage_text(const Network& network, const Coverage& coverage,
                          const TextOptions& options) {
  std::string result = headline(network, coverage, options);
  result += "\n" + operators_table(coverage, options);
  if (network_totals(network).runs > 0) result += "\n" + layers_table(network, options);
  return result;
}

std::string coverage_json(const Network& network, const Coverage& coverage,
                          const std::string& version) {
  using Json = nlohmann::ordered_json;
  const NetworkTotals totals = network_totals(network);
  Json root;
  root["tilewright"] = version;
  root["kind"] = "coverage";
  root["format"] = 1;
  root["network"] = {{"name", network.name},
                     {"macs", totals.computes},
                     {"parameters", totals.parameters},
                     {"layers", network.layers.size()}};
  root["coverage"] = Json::object();
  for (const Treatment treatment : kTreatments) {
    const CoverageRow sum = coverage.total(treatment);
    Json entry = {{"nodes", sum.nodes}, {"operations", sum.operations}, {"bits", sum.bits}};
    entry["operators"] = Json::array();
    for (const CoverageRow& row : coverage.rows) {
      if (row.treatment != treatment) continue;
      entry["operators"].push_back({{"op", row.op},
                                    {"nodes", row.nodes},
                                    {"operations", row.operations},
                                    {"bits", row.bits}});
    }
    root["coverage"][treatment_name(treatment)] = std::move(entry);
  }
  root["layers"] = Json::array();
  for (const Layer& layer : network.layers) {
    Json entry = {{"name", layer.name}, {"op", layer.op}, {"count", layer.count}};
    if (layer.workload) {
      entry["einsum"] = to_einsum(*layer.workload);
      for (const Dim& dim : layer.workload->dims()) entry["dims"][dim.name] = dim.size;
      entry["macs"] = layer.workload->computes();
      entry["parameters"] = layer.parameters;
    } else {
      entry["treatment"] = layer.kind == LayerKind::kTraffic ? "traffic" : "nothing";
      entry["bits"] = traffic_bits(network, layer);
    }
    root["layers"].push_back(std::move(entry));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilewright
