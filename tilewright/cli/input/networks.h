// SPDX-License-Identifier: Apache-2.0
// The networks of the library as values, and their layers as workloads.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tilewright/io/diagnostic.h"
#include "tilewright/network/network.h"

namespace tilewright {

/// The one of that name; nothing if there is none.
std::optional<Network> find_network(std::string_view name);

/// A layer of a network as a `workload:` file; nothing, with a finding, if there is no such layer
/// or it is no einsum.
std::optional<std::string> layer_file(const Network& network, const std::string& layer,
                                      Diagnostics& diagnostics);

/// `resnet50/conv1`: the network and the layer; nothing if no network of the library is meant.
struct LayerName {
  Network network;
  std::string layer;
};
std::optional<LayerName> parse_layer_name(std::string_view argument);

}  // namespace tilewright
