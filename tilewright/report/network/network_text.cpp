// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/network/network_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "tilewright/base/text/printable.h"
#include "tilewright/format/number_text.h"

namespace tilewright {
namespace {

constexpr int kNameWidth = 22;

// In lines; dims of size 1 say nothing.
std::vector<std::string> dims_lines(const Workload& workload, int width) {
  std::vector<std::string> items;
  for (const Dim& dim : workload.dims()) {
    if (dim.size > 1) items.push_back(fmt::format("{} {}", dim.name, dim.size));
  }
  for (const auto& [name, steps] : window_texts(workload)) {
    items.push_back(fmt::format("{} {}", name, steps));
  }
  std::vector<std::string> lines = wrap_items(items, ", ", width);
  if (lines.empty()) lines.emplace_back();
  return lines;
}

std::string moved_text(const Network& network, const Layer& layer) {
  if (layer.kind == LayerKind::kNothing) return "nothing moves";
  return bits_text(traffic_bits(network, layer)) + " pass by";
}

// `2`, or `1x2` where axes differ; empty if all are 1.
std::string steps_text(const std::vector<std::int64_t>& steps) {
  const auto is_one = [](std::int64_t step) { return step == 1; };
  if (std::ranges::all_of(steps, is_one)) return "";
  if (std::ranges::adjacent_find(steps, std::ranges::not_equal_to()) == steps.end()) {
    return std::to_string(steps.front());
  }
  return fmt::format("{}", fmt::join(steps, "x"));
}

}  // namespace

WindowSteps window_steps(const Workload& workload) {
  const auto is_tap = [&](const Term& term) {
    for (std::size_t t = 0; t < workload.tensors().size(); ++t) {
      const bool weight = workload.tensors()[t].role == "weight";
      if (weight && workload.relevant(TensorId(t), term.dim)) return true;
    }
    return false;
  };
  WindowSteps steps;
  for (const Tensor& tensor : workload.tensors()) {
    for (const Rank& rank : tensor.ranks) {
      if (rank.terms.size() != 2 || is_tap(rank.terms[0]) || !is_tap(rank.terms[1])) continue;
      steps.strides.push_back(rank.terms[0].coefficient);
      steps.dilations.push_back(rank.terms[1].coefficient);
    }
  }
  return steps;
}

std::vector<std::pair<std::string, std::string>> window_texts(const Workload& workload) {
  const WindowSteps steps = window_steps(workload);
  std::vector<std::pair<std::string, std::string>> result;
  if (const std::string text = steps_text(steps.strides); !text.empty()) {
    result.emplace_back("stride", text);
  }
  if (const std::string text = steps_text(steps.dilations); !text.empty()) {
    result.emplace_back("dilation", text);
  }
  return result;
}

std::string network_text(const Network& network, const TextOptions& options) {
  const NetworkTotals totals = network_totals(network);
  std::string result =
      fmt::format("{} {}: {}, {} mapped\n", paint("network", Style::kHeading, options),
                  clip(printable(network.name), 40, options),
                  plural_text(static_cast<std::int64_t>(network.layers.size()), "layer"),
                  plural_text(totals.runs, "run"));
  if (!network.summary.empty())
    result += wrap_words("  ", printable(network.summary), options.width);
  result += fmt::format("  {}, {}\n", plural_text(totals.computes, "MAC"),
                        plural_text(totals.parameters, "parameter"));
  Table table({{"layer", Table::Align::kLeft, 2},
               {"runs"},
               {"op", Table::Align::kLeft},
               {"dims", Table::Align::kLeft},
               {"MACs"},
               {"params"}});
  const int room = options.width - kNameWidth - 6 - 9 - 6 - 6 - 2 * 6;
  for (const Layer& layer : network.layers) {
    const std::vector<std::string> what =
        layer.workload ? dims_lines(*layer.workload, room)
                       : std::vector{paint(clip(moved_text(network, layer), room, options),
                                           Style::kDim, options)};
    table.add_row({clip(printable(layer.name), kNameWidth, options), count_text(layer.count),
                   clip(printable(layer.op), 9, options), what.front(),
                   layer.workload ? short_count_text(layer.workload->computes()) : "",
                   layer.parameters == 0 ? "" : short_count_text(layer.parameters)});
    for (std::size_t i = 1; i < what.size(); ++i) table.add_row({"", "", "", what[i]});
  }
  return result + table.text(options);
}

}  // namespace tilewright
