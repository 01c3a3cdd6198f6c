// SPDX-License-Identifier: Apache-2.0
#include "tilewright/report/network_text.h"

#include <fmt/format.h>

#include "tilewright/io/text.h"
#include "tilewright/report/number_text.h"

namespace tilewright {
namespace {

constexpr int kNameWidth = 22;

// Dims of size 1 say nothing.
std::string dims_text(const Workload& workload) {
  std::string text;
  for (const Dim& dim : workload.dims()) {
    if (dim.size > 1) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", dim.name, dim.size);
  }
  return text;
}

std::string moved_text(const Network& network, const Layer& layer) {
  if (layer.kind == LayerKind::kNothing) return "nothing moves";
  return bits_text(traffic_bits(network, layer)) + " pass by";
}

}  // namespace

std::string network_text(const Network& network, const TextOptions& options) {
  const NetworkTotals totals = network_totals(network);
  std::string result =
      fmt::format("{} {}: {}, {} mapped\n", paint("network", Style::kHeading, options),
                  clip(printable(network.name), 40),
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
    const std::string what =
        layer.workload ? dims_text(*layer.workload) : moved_text(network, layer);
    table.add_row(
        {clip(printable(layer.name), kNameWidth), count_text(layer.count),
         clip(printable(layer.op), 9),
         layer.workload ? clip(what, room) : paint(clip(what, room), Style::kDim, options),
         layer.workload ? short_count_text(layer.workload->computes()) : "",
         layer.parameters == 0 ? "" : short_count_text(layer.parameters)});
  }
  return result + table.text(options);
}

}  // namespace tilewright
