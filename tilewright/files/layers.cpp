// SPDX-License-Identifier: Apache-2.0
#include "tilewright/files/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tilewright/base/text/nearest.h"
#include "tilewright/base/text/printable.h"

namespace tilewright {

const Workload* find_layer_workload(const Network& network, const std::string& layer,
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
    return nullptr;
  }
  if (found->workload) return &*found->workload;
  diagnostics
      .error("C0007", fmt::format("layer {} of `{}` is {}: there is nothing to map",
                                  in_backticks(layer), network.name, found->op))
      .helps.push_back(fmt::format("`tilewright show {}` lists the layers", network.name));
  return nullptr;
}

}  // namespace tilewright
