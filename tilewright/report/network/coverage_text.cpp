// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/network/coverage_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tilewright/base/text/printable.h"
#include "tilewright/format/json_text.h"
#include "tilewright/format/number_text.h"
#include "tilewright/report/network/network_text.h"

namespace tilewright {
namespace {

using Align = Table::Align;

constexpr Treatment kTreatments[] = {Treatment::kMapped, Treatment::kFused, Treatment::kTraffic,
                                     Treatment::kNothing, Treatment::kIgnored};

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string headline(const Network& network, const Coverage& coverage, const TextOptions& options) {
  const CoverageRow all = coverage.total();
  const CoverageRow mapped = coverage.total(Treatment::kMapped);
  const CoverageRow fused = coverage.total(Treatment::kFused);
  const CoverageRow ignored = coverage.total(Treatment::kIgnored);
  const NetworkTotals totals = network_totals(network);
  std::string result =
      paint(clip(printable(network.name), options.width / 2, options), Style::kHeading, options) +
      fmt::format(": {}, {} MACs, {} parameters\n", plural_text(all.nodes, "node"),
                  short_count_text(totals.computes), short_count_text(totals.parameters));
  result += fmt::format("{} of the arithmetic and {} of the bytes are mapped{}",
                        percent_text(share(mapped.operations + fused.operations, all.operations)),
                        percent_text(share(mapped.bits + fused.bits, all.bits)),
                        fused.nodes == 0 ? "; " : " or fused,\n");
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
    names.push_back(
        fmt::format("{} {}", clip(printable(row.op), 30, options), count_text(row.nodes)));
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
      if (row.treatment == treatment) add("  " + clip(printable(row.op), 30, options), row);
    }
  }
  return table.text(options) + names_of_nothing(coverage, options);
}

// The end of a path tells more than its start.
std::string clip_start(const std::string& name, int width, const TextOptions& options) {
  int rest = display_width(name);
  if (rest <= width || options.wide) return name;
  if (options.cut != nullptr) *options.cut = true;
  std::size_t at = 0;
  for (; at < name.size() && rest >= width; --rest) at += decode_utf8(name, at).length;
  return "~" + name.substr(at);
}

// `BatchNormalization (weights) + Clip`: what runs as part of a layer, in order.
std::string fused_text(const Fusion& fusion, const TextOptions& options) {
  std::string before;
  std::string after;
  for (const FusedNode& node : fusion.nodes) {
    const std::string op = clip(printable(node.op), 30, options);
    if (node.how == FusedHow::kIn) {
      before += op + " + ";
    } else {
      after += " + " + op + (node.how == FusedHow::kFolded ? " (weights)" : "") +
               (node.how == FusedHow::kOut && node.bits > 0 ? " (reads)" : "");
    }
  }
  return before + clip(printable(fusion.op), 30, options) + after;
}

// What was fused into what: each row of operators once, with its first layer.
std::string fusions_table(const Coverage& coverage, const TextOptions& options) {
  struct Kind {
    const Fusion* first = nullptr;
    std::int64_t times = 0;
  };
  std::vector<std::pair<std::string, Kind>> kinds;
  for (const Fusion& fusion : coverage.fusions) {
    const std::string text = fused_text(fusion, options);
    auto found = std::ranges::find(kinds, text, &std::pair<std::string, Kind>::first);
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {text, {&fusion, 0}});
    ++found->second.times;
  }
  if (kinds.empty()) return "";
  std::string result =
      "\n" + paint("fused", Style::kHeading, options) +
      fmt::format(": {} into {}\n", plural_text(coverage.total(Treatment::kFused).nodes, "node"),
                  plural_text(static_cast<std::int64_t>(coverage.fusions.size()), "layer"));
  Table table({{"first of its kind", Align::kLeft, 0}, {"times"}, {"as one", Align::kLeft}});
  for (const auto& [text, kind] : kinds) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.size(), text.find(" + ", at));
      words.push_back((at == 0 ? "" : "+ ") + text.substr(at, end - at));
      at = end + 3;
    }
    const auto lines = wrap_items(words, " ", options.width - 32);
    table.add_row({clip_start(printable(kind.first->layer), 22, options), count_text(kind.times),
                   lines.front()});
    for (std::size_t i = 1; i < lines.size(); ++i) table.add_row({"", "", "  " + lines[i]});
  }
  return result + table.text(options) +
         paint("(weights): folded into the weights; (reads): an operand or a bias is still read\n",
               Style::kDim, options);
}

// `m=64 c=3 p=112 stride=2` in lines; dims of size 1 say nothing.
std::vector<std::string> sizes_lines(const Workload& workload, int width) {
  std::vector<std::string> items;
  for (const Dim& dim : workload.dims()) {
    if (dim.size != 1) items.push_back(fmt::format("{}={}", dim.name, dim.size));
  }
  for (const auto& [name, steps] : window_texts(workload)) {
    items.push_back(fmt::format("{}={}", name, steps));
  }
  std::vector<std::string> lines = wrap_items(items, " ", width);
  if (lines.empty()) lines.emplace_back();
  return lines;
}

std::string layers_table(const Network& network, const TextOptions& options) {
  const auto groups = equal_layers(network);
  const std::int64_t all = network_totals(network).computes;
  std::string result =
      paint("layers", Style::kHeading, options) +
      fmt::format(": {} to map, {} of them distinct\n", count_text(network_totals(network).runs),
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
    const auto sizes = sizes_lines(*first.workload, options.wide ? 1000 : options.width - 50);
    table.add_row({clip_start(printable(first.name), 22, options), count_text(times),
                   short_count_text(each),
                   percent_text(static_cast<double>(times) * share(each, all)), sizes.front()});
    for (std::size_t i = 1; i < sizes.size(); ++i) table.add_row({"", "", "", "", sizes[i]});
  }
  return result + table.text(options);
}

}  // namespace

std::string coverage_text(const Network& network, const Coverage& coverage,
                          const TextOptions& options) {
  std::string result = headline(network, coverage, options);
  result += "\n" + operators_table(coverage, options);
  result += fusions_table(coverage, options);
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
  root["fusions"] = Json::array();
  for (const Fusion& fusion : coverage.fusions) {
    Json entry = {{"layer", fusion.layer}, {"op", fusion.op}, {"nodes", Json::array()}};
    for (const FusedNode& node : fusion.nodes) {
      entry["nodes"].push_back({{"name", node.name},
                                {"op", node.op},
                                {"into", fused_name(node.how)},
                                {"bits", node.bits}});
    }
    root["fusions"].push_back(std::move(entry));
  }
  root["layers"] = Json::array();
  for (const Layer& layer : network.layers) {
    Json entry = {{"name", layer.name}, {"op", layer.op}, {"count", layer.count}};
    if (layer.workload) {
      entry["einsum"] = to_einsum(*layer.workload);
      for (const Dim& dim : layer.workload->dims()) entry["dims"][dim.name] = dim.size;
      const WindowSteps steps = window_steps(*layer.workload);
      if (!steps.strides.empty()) entry["stride"] = steps.strides;
      if (!steps.dilations.empty()) entry["dilation"] = steps.dilations;
      entry["macs"] = layer.workload->computes();
      entry["parameters"] = layer.parameters;
    } else {
      entry["treatment"] = layer.kind == LayerKind::kTraffic ? "traffic" : "nothing";
      entry["bits"] = traffic_bits(network, layer);
    }
    root["layers"].push_back(std::move(entry));
  }
  return json_text(root);
}

}  // namespace tilewright
