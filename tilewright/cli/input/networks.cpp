// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/input/networks.h"

#include <fmt/format.h>

#include <algorithm>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"
#include "tilewright/files/files.h"
#include "tilewright/io/write.h"
#include "tilewright/library/library.h"

namespace tilewright {

std::optional<Network> find_network(std::string_view name) {
  if (find_library_network(name) == nullptr) return std::nullopt;
  return library_network(name);
}

std::optional<std::string> layer_file(const Network& network, const std::string& layer,
                                      Diagnostics& diagnostics) {
  const auto found = std::ranges::find(network.layers, layer, &Layer::name);
  if (found == network.layers.end()) {
    Diagnostic& error = diagnostics.error(
        "C0007", fmt::format("network `{}` has no layer {}", network.name, in_backticks(layer)));
    std::vector<std::string> names;
    for (const Layer& known : network.layers) names.push_back(known.name);
    if (const auto meant = nearest(layer, names)) {
      error.helps.push_back(fmt::format("did you mean `{}`?", *meant));
    } else {
      error.helps.push_back(fmt::format("`tilewright show {}` lists them", network.name));
    }
    return std::nullopt;
  }
  if (found->workload) return write_workload(*found->workload);
  diagnostics
      .error("C0007", fmt::format("layer {} of `{}` is {}: there is nothing to map",
                                  in_backticks(layer), network.name, found->op))
      .helps.push_back(fmt::format("`tilewright show {}` lists the layers", network.name));
  return std::nullopt;
}

std::optional<LayerName> parse_layer_name(std::string_view argument) {
  const std::size_t slash = argument.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  std::optional<Network> network = find_network(argument.substr(0, slash));
  if (!network) return std::nullopt;
  return LayerName{std::move(*network), std::string(argument.substr(slash + 1))};
}

}  // namespace tilewright
