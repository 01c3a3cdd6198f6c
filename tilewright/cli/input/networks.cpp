// SPDX-License-Identifier: Apache-2.0
#include "tilewright/cli/input/networks.h"

#include "tilewright/files/files.h"
#include "tilewright/files/layers.h"
#include "tilewright/io/write.h"
#include "tilewright/library/library.h"

namespace tilewright {

std::optional<Network> find_network(std::string_view name) {
  if (find_library_network(name) == nullptr) return std::nullopt;
  return library_network(name);
}

std::optional<std::string> layer_file(const Network& network, const std::string& layer,
                                      Diagnostics& diagnostics) {
  const Workload* const workload = find_layer_workload(network, layer, diagnostics);
  if (workload == nullptr) return std::nullopt;
  return write_workload(*workload);
}

std::optional<LayerName> parse_layer_name(std::string_view argument) {
  const std::size_t slash = argument.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  std::optional<Network> network = find_network(argument.substr(0, slash));
  if (!network) return std::nullopt;
  return LayerName{std::move(*network), std::string(argument.substr(slash + 1))};
}

}  // namespace tilewright
