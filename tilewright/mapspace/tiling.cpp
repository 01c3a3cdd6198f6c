// SPDX-License-Identifier: Apache-2.0
#include "tilewright/mapspace/tiling.h"

namespace tilewright {

void build_nest(const Rules& rules, const Keeps& keeps, const Tiling& tiling, const Orders& orders,
                std::vector<NestNode>& nest) {
  nest.clear();
  std::size_t memory = 0;
  for (std::size_t p = 0; p < rules.places.size(); ++p) {
    const Place& place = rules.places[p];
    const int at = static_cast<int>(p);
    if (place.is_block()) {
      const TensorSet kept = keeps[memory++];
      if (kept != 0) nest.push_back(keep(place.node, kept));
      for (const DimId dim : orders[p]) nest.push_back(temporal(dim, tiling.at(at, dim.value)));
      continue;
    }
    for (int d = 0; d < tiling.dims; ++d) {
      const std::int64_t factor = tiling.at(at, d);
      if (factor > 1) nest.push_back(spatial(place.node, place.axis, DimId(d), factor));
    }
  }
}

}  // namespace tilewright
